/**
 * The tools that a project declares where it may run.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { visiting } from "../files/visiting.ts";
import type { Project } from "../project.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { Declarations, ToolDeclaration } from "./declaration.ts";
import { goConstants, goFunctions, goTools } from "./go.ts";
import { javascriptExports, javascriptTools, listsTools } from "./javascript.ts";
import { pythonTools } from "./python.ts";
import { Constants } from "./python_modules.ts";
import { rustConstants, rustTools } from "./rust.ts";

/** A function that collects the tools of one file of the project. */
function collector(project: Project, lang: string): (tree: SourceTree) => Declarations {
  if (lang === "python") {
    const constants = new Constants(project.python);
    return (tree) => pythonTools(project.python.get(tree.path)!, constants);
  }
  if (lang === "go") {
    const constants = goConstants(project.trees);
    const functions = goFunctions(project.trees);
    return (tree) => goTools(tree, constants, functions);
  }
  if (lang === "rust") {
    const constants = rustConstants(project.trees);
    return (tree) => rustTools(tree, constants);
  }
  const listing = project.trees.some((tree) => project.mayRun(tree) && listsTools(tree));
  const others = javascriptExports(project.trees);
  return (tree) => javascriptTools(tree, listing, others);
}

/**
 * Tools of every file that may run, in path order. When reach is unclear, tests and documentation
 * are looked at only if nothing else declares a tool.
 */
export async function toolsOf(
  project: Project,
  input: AnalyserInput,
): Promise<Declarations & { files: number }> {
  const collect = collector(project, input.lang);
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
