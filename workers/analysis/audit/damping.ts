/**
 * What findings count for where code does not run: tests and documentation, scripts that the server
 * never reaches, and modules that only a computed name could lead to.
 *
 * @module
 */
import type { RawFinding } from "../finding.ts";
import type { Project } from "../project.ts";
import { hostOf } from "../python/reach/embedded_paths.ts";
import type { ToolDeclaration } from "../tools/declaration.ts";
import type { AuditedServer } from "./mcp/server.ts";

/** Own rules that no other tool has: in a test they find what it tests. */
const OWN =
  /^py\/(?!shell-argument|unknown-host-keys|request-unverified|file-mode|weak-|unsafe-yaml)/;
/** What is wrong with code only if it runs. The rest is malice, or hides what it does. */
const FAULT =
  /^(S\d{3}$|PLE\d{4}$|py\/(tool-to-|jwt-|tls-|old-tls|request-|unknown-host|file-mode|shell-|raw-memory|code-runner|object-walk|host-interpreter|function-as-value|module-as-value|compile|unsafe-|unscanned-code|fetched-program|environment-returned))/;

const TO_TOOL = /^py\/tool-to-/;

const isGrave = ({ severity }: RawFinding) => severity === "high" || severity === "critical";

/**
 * Modules that may run because a name is computed, and that have a grave fault: a session does not
 * compile them, so that the fault is none. Tools and what certainly runs stay.
 */
export function leftOut(
  project: Project,
  tools: readonly ToolDeclaration[],
  handlers: AuditedServer["entries"],
  findings: readonly RawFinding[],
): ReadonlySet<string> {
  if (project.python.size === 0) return new Set();
  const used = new Set([
    ...project.certain,
    ...tools.flatMap(({ tree, bodyTree }) => [tree.path, bodyTree.path]),
    ...handlers.map(({ tree }) => tree.path),
    ...findings.filter(({ rule }) => TO_TOOL.test(rule)).map(({ file }) => file),
  ].map(hostOf));
  const modules = new Set(project.trees.map(({ path }) => hostOf(path)));
  const faulty = findings.filter(isGrave).map(({ file }) => hostOf(file));
  return new Set(faulty.filter((path) => modules.has(path) && !used.has(path)));
}

/**
 * Tests and documentation that the entrypoint does not reach cannot fail a scan, and other scripts
 * cannot by a fault: a session runs nothing of them. Malice fails it wherever it is.
 */
export function damped(
  project: Project,
  findings: readonly RawFinding[],
  out: ReadonlySet<string>,
): RawFinding[] {
  const idle = [...project.trees, ...project.beyond].filter((file) => !project.mayRun(file));
  const pathsOf = (files: typeof idle) => new Set(files.map(({ path }) => path));
  const aside = pathsOf(idle.filter(({ role }) => role !== "source"));
  const scripts = pathsOf(idle.filter(({ role }) => role === "source"));
  return findings.map((finding) => {
    const idles = scripts.has(finding.file) || out.has(hostOf(finding.file));
    if (idles && finding.severity === "high" && FAULT.test(finding.rule)) {
      return { ...finding, severity: "medium" };
    }
    if (!aside.has(finding.file)) return finding;
    if (finding.severity === "critical") return { ...finding, severity: "medium" };
    if (OWN.test(finding.rule) && finding.severity !== "info") {
      return { ...finding, severity: "low" };
    }
    return finding.severity === "high" ? { ...finding, severity: "medium" } : finding;
  });
}
