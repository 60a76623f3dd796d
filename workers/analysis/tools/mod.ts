/**
 * The tools that a project declares where it may run.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { visiting } from "../files/visiting.ts";
import { moduleOnDemand } from "../on_demand.ts";
import type { Project } from "../project.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { Declarations, ToolDeclaration } from "./declaration.ts";
import { pythonTools } from "./python.ts";
import { Constants } from "./python_modules.ts";

const loadGo = moduleOnDemand<typeof import("./go.ts")>(import.meta.url, "./go.ts");
const loadRust = moduleOnDemand<typeof import("./rust.ts")>(import.meta.url, "./rust.ts");
const loadJavascript = moduleOnDemand<typeof import("./javascript.ts")>(
  import.meta.url,
  "./javascript.ts",
);

/** A function that collects the tools of one file of the project. */
async function collector(
  project: Project,
  lang: string,
): Promise<(tree: SourceTree) => Declarations> {
  if (lang === "python") {
    const constants = new Constants(project.python);
    return (tree) => pythonTools(project.python.get(tree.path)!, constants);
  }
  if (lang === "go") {
    const { goConstants, goFunctions, goTools } = await loadGo();
    const constants = goConstants(project.trees);
    const functions = goFunctions(project.trees);
    return (tree) => goTools(tree, constants, functions);
  }
  if (lang === "rust") {
    const { rustConstants, rustTools } = await loadRust();
    const constants = rustConstants(project.trees);
    return (tree) => rustTools(tree, constants);
  }
  const { javascriptExports, javascriptTools, listsTools } = await loadJavascript();
  const listing = project.trees.some((tree) => project.mayRun(tree) && listsTools(tree));
  const others = javascriptExports(project.trees);
  return (tree) => javascriptTools(tree, listing, others);
}

/** The tools of a project. */
type Found = Declarations & { files: number };

/** What was found: two stages ask, one after the other. */
const known = new WeakMap<Project, Promise<Found>>();

/**
 * Tools of every file that may run, in path order. When reach is unclear, tests and documentation
 * are looked at only if nothing else declares a tool.
 */
export function toolsOf(project: Project, input: AnalyserInput): Promise<Found> {
  let found = known.get(project);
  if (found === undefined) known.set(project, found = findTools(project, input));
  return found;
}

async function findTools(project: Project, input: AnalyserInput): Promise<Found> {
  const collect = await collector(project, input.lang);
  const tools: ToolDeclaration[] = [];
  let dynamic = false;
  async function look(trees: readonly SourceTree[]): Promise<void> {
    for await (const tree of visiting(trees, input)) {
      const declared = collect(tree);
      tools.push(...declared.tools);
      dynamic ||= declared.dynamic;
    }
  }
  const running = project.trees.filter((tree) => project.mayRun(tree));
  await look(running);
  if (tools.length > 0 || project.reached !== null) {
    return { tools, dynamic, files: running.length };
  }
  const rest = project.trees.filter((tree) => !project.mayRun(tree) && tree.role === "docs");
  await look(rest);
  return { tools, dynamic, files: running.length + rest.length };
}
