/**
 * Stage 2: which tools the source declares, and which files run with it. Syntax trees only, so that
 * comments and strings do not count.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { loadProject, type Project } from "../project.ts";
import { hostOf, reportedPlace } from "../python/reach/embedded.ts";
import { declarationText, type ToolDeclaration } from "../tools/declaration.ts";
import { toolsOf } from "../tools/mod.ts";

const MAX_TOOLS = 5000;
const MAX_DESCRIPTION = 2000;

function shown(tool: ToolDeclaration, project: Project): Record<string, unknown> {
  const place = { file: tool.tree.path, line: tool.tree.lineAt(tool.node.start) };
  return {
    name: tool.name.slice(0, 500),
    ...reportedPlace(place, project.embedded.lastLines),
    signature: tool.signature,
    description: tool.description?.slice(0, MAX_DESCRIPTION) ?? null,
    declaration: declarationText(tool),
  };
}

/**
 * Files that run with the entrypoint. What may run only if a computed name happens to mean it is not
 * among them; neither is what a language's own rules would have to find.
 */
function reachedFiles(project: Project, { lang, entrypoint }: AnalyserInput): string[] {
  const running = lang === "python"
    ? project.certain
    : project.trees.filter((tree) => project.mayRun(tree)).map(({ path }) => path);
  return [...new Set([entrypoint, ...[...running].map(hostOf)])];
}

/** Finds the tools of a server; the first declaration of a name counts. */
export async function analyse(input: AnalyserInput): Promise<unknown> {
  const project = await loadProject(input);
  const { tools, dynamic, files } = await toolsOf(project, input);
  const first = new Map<string, ToolDeclaration>();
  for (const tool of tools) if (!first.has(tool.name)) first.set(tool.name, tool);
  return {
    tools: [...first.values()].slice(0, MAX_TOOLS).map((tool) => shown(tool, project)),
    // Modules imported by computed names may register anything.
    dynamic: dynamic || (input.lang === "python" && project.reached === null),
    files_scanned: files,
    reached: reachedFiles(project, input),
  };
}
