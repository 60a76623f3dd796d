/**
 * Stage 5 on what is not Python: rules within a file, and what tool parameters reach.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { codeIssues } from "../code/mod.ts";
import { visiting } from "../files/visiting.ts";
import type { RawFinding } from "../finding.ts";
import type { Project } from "../project.ts";
import type { ToolDeclaration } from "../tools/declaration.ts";
import { javascriptFlows } from "./javascript_flow.ts";
import { type ServerFile, serverFile } from "./mcp/server_file.ts";

/** Findings about the code, and what the server's checks need of the files that may run. */
export interface AuditedCode {
  code: RawFinding[];
  server: Map<string, ServerFile>;
}

/** Audits a project in another language than Python. */
export async function auditCode(
  project: Project,
  tools: readonly ToolDeclaration[],
  input: AnalyserInput,
): Promise<AuditedCode> {
  const code: RawFinding[] = [];
  const server = new Map<string, ServerFile>();
  for await (const tree of visiting(project.trees, input)) {
    for (const { class: kind, ...finding } of codeIssues(tree)) {
      if (kind === "vulnerability" || kind === "security_hotspot") code.push(finding);
    }
    if (project.mayRun(tree)) server.set(tree.path, serverFile(tree));
  }
  return { code: [...code, ...javascriptFlows(tools)], server };
}
