/**
 * Stage 2: which tools the source declares, which files run with it, and in which folders. Syntax trees only, so that
 * comments and strings do not count.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { loadProject, type Project } from "../project.ts";
import { reportedPlace } from "../python/reach/embedded.ts";
import { hostOf } from "../python/reach/embedded_paths.ts";
import { mentions } from "../python/reach/mentions.ts";
import { folderOf } from "../python/reach/reach.ts";
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

/** What starts programs, or could start any. */
const STARTS =
  /\b(?:subprocess|pexpect|plumbum|pty|runpy|ctypes|cffi|multiprocessing)\b|create_subprocess|subprocess_|(?:run|open)_process|\bPopen\b|\bos\s*\.\s*(?:system|popen|exec|spawn|posix_spawn|startfile)|\bfrom\s+os\s+import\b|\bgetattr\s*\(\s*(?:os|sys|builtins|__builtins__)\b|\b(?:exec|eval|__import__)\s*\(/;
const MAX_FOLDERS = 10_000;

/**
 * Folders of files that may run, so that what lies elsewhere does not. Null where that is not clear,
 * and where the code may start programs: those may lie anywhere.
 */
function runningFolders(project: Project, { lang, entrypoint }: AnalyserInput): string[] | null {
  if (lang !== "python" || project.reached === null) return null;
  const modules = [...project.python].filter(([path]) => project.reached!.has(path));
  if (modules.some(([, names]) => mentions(names, STARTS))) return null;
  const files = [entrypoint, ...project.reached].map(hostOf);
  const folders = [...new Set(files.map(folderOf))].sort();
  return folders.length > MAX_FOLDERS ? null : folders;
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
    folders: runningFolders(project, input),
  };
}
