/**
 * Tools of MCP's own that run on Node, for tests: `TEST_MCP_TOOLS` names the folder in which
 * `.ci/run` has installed them.
 *
 * @module
 */

/** Absolute paths. */
export interface McpTools {
  /** Node 22 or newer, which the others need. */
  node: string;
  /** The conformance suite: the released one, and the one to come. */
  conformance: { stable: string; next: string };
  inspector: string;
}

/**
 * The value of a variable that names something tests may go without on a developer's machine.
 *
 * @throws {Error} When it is missing in continuous integration.
 */
export function toolVariable(name: string): string | undefined {
  const value = Deno.env.get(name);
  if (value === undefined && Deno.env.get("CI") === "true") {
    throw new Error(`${name} is not set: .ci/run prepares what it names`);
  }
  return value;
}

/** The tools; undefined when the variable is not set. */
export function mcpTools(): McpTools | undefined {
  const folder = toolVariable("TEST_MCP_TOOLS");
  if (folder === undefined) return undefined;
  const bin = (name: string, command: string) => `${folder}/${name}/node_modules/.bin/${command}`;
  return {
    node: bin("node", "node"),
    conformance: {
      stable: bin("conformance", "conformance"),
      next: bin("conformance-next", "conformance"),
    },
    inspector: bin("inspector", "mcp-inspector"),
  };
}
