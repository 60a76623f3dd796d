/**
 * A server's tools, and calling them.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import { ToolResult } from "./result.ts";
import { type Client, McpError, type Tool } from "./sdk.ts";

/** Bound of pages: a server that never stops is not waited for. */
const MAX_PAGES = 100;

export async function listTools(cli: Cli, client: Client): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await speaking(
      cli,
      () =>
        client.listTools(cursor === undefined ? {} : { cursor }, {
          signal: cli.context.interrupted(),
        }),
    );
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

/** What the server answered with a JSON-RPC error, as a failure of the tool. */
async function speaking<T>(cli: Cli, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    cli.context.interrupted().throwIfAborted();
    if (!(error instanceof McpError)) throw error;
    const message = error.message.replace(/^MCP error -?\d+: /, "");
    throw new CliError(EXIT.tool, `The server returned an error: ${oneLine(message, 2000)}`, {
      body: { status: "error", detail: message, code: error.code, data: error.data },
      hint: "Run berth report to see which code the interpreter does not support",
    });
  }
}

/** The tool called `name`. @throws {CliError} "usage" when there is none. */
export function findTool(tools: Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((one) => oneLine(one.name, 60)).join(", ");
  throw usageError(`Tool "${name}" not found`, names === "" ? undefined : `Tools: ${names}`);
}

/** Parameters of a tool by name. */
export function propertiesOf(tool: Tool): Record<string, unknown> {
  return tool.inputSchema.properties ?? {};
}

/** Names of a tool's parameters; what may be left out has a question mark. */
export function signatureOf(tool: Tool): string {
  const required = tool.inputSchema.required ?? [];
  return Object.keys(propertiesOf(tool))
    .map((name) => oneLine(required.includes(name) ? name : `${name}?`, 40)).join(", ");
}

/** Calls a tool; an error of the tool is a result here. */
export async function callTool(
  cli: Cli,
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<ToolResult> {
  const { live, errStyle } = cli.output;
  const result = await speaking(cli, () =>
    client.callTool({ name, arguments: input }, undefined, {
      signal: cli.context.interrupted(),
      // The server's own deadline is shorter, and it pauses while it waits for answers.
      timeout: 900_000,
      resetTimeoutOnProgress: true,
      ...(live
        ? {
          onprogress({ progress, total, message }) {
            const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
            const text = message === undefined ? "" : ` ${oneLine(message, 120)}`;
            cli.context.err(`${errStyle.dim(`[${amount}]`)}${text}\n`);
          },
        }
        : {}),
    }));
  return ToolResult.parse(result);
}
