/**
 * What the checks of one server share.
 *
 * @module
 */
import type { AnalyserInput } from "../../analyser.ts";
import type { Project } from "../../project.ts";
import type { SourceTree } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import type { ToolDeclaration } from "../../tools/declaration.ts";
import { type Assigned, assignedIn } from "./assigned.ts";
import { type Declared, declaredBy } from "./declared.ts";
import type { ServerFile } from "./server_file.ts";
import { createReached, type ReachedCalls } from "./reached.ts";

export interface AuditedServer {
  tools: readonly ToolDeclaration[];
  /** Files that may run. */
  running: readonly SourceTree[];
  /** What each of them has. */
  files: ReadonlyMap<string, ServerFile>;
  declared: Declared;
  /** Functions that a client calls: of tools, and handlers without a tool's declaration. */
  entries: readonly { tree: SourceTree; body: SyntaxNode }[];
  /** What names stand for in a file; read when first asked for. */
  assigned(tree: SourceTree): Assigned;
  reached: ReachedCalls;
}

/** Prepares a server for its checks; `handlers` are those that no tool is declared for. */
export function auditedServer(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  files: ReadonlyMap<string, ServerFile>,
  input: AnalyserInput,
): AuditedServer {
  const running = project.trees.filter((tree) => project.mayRun(tree));
  const kept = new WeakMap<SyntaxNode, Assigned>();
  const bodies = new Set(tools.map(({ body }) => body));
  return {
    tools,
    running,
    files,
    declared: declaredBy(input, tools),
    entries: [
      ...tools.flatMap(({ bodyTree, body }) => body === null ? [] : [{ tree: bodyTree, body }]),
      ...handlers.filter(({ body }) => !bodies.has(body)),
    ],
    assigned(tree) {
      const { root } = tree;
      const known = kept.get(root) ?? assignedIn(tree);
      kept.set(root, known);
      return known;
    },
    reached: createReached(project, running),
  };
}
