/**
 * Strings that name what an MCP server has no ordinary business with. A string alone does nothing,
 * so most are medium: they ask for a look, they do not fail a scan.
 *
 * @module
 */
import type { RawFinding } from "../finding.ts";
import { stringValue } from "../python/literals.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { type SyntaxNode, walk } from "../syntax/tree.ts";
import { isDocstring } from "../quality/metrics.ts";
import { isSensitivePath } from "./flow/labels.ts";
import { report, type Rule } from "./rule.ts";

interface Tale {
  rule: Rule;
  pattern: RegExp;
  what: string;
}

const tale = (
  id: string,
  severity: Rule["severity"],
  cwe: Rule["cwe"],
  pattern: RegExp,
  what: string,
  advice: string,
): Tale => ({ rule: { id, severity, cwe, advice }, pattern, what });

const TALES: readonly Tale[] = [
  tale(
    "py/reverse-shell",
    "critical",
    506,
    /\/dev\/tcp\/|\bbash -i\b.{0,20}>&|\bnc(at)?\b.{0,20} -e /,
    "a command that opens a shell to another machine",
    "Remove it: nothing honest gives a remote machine a shell",
  ),
  tale(
    "py/persistence",
    "high",
    506,
    /(^|\/)\.?authorized_keys2?$|\/etc\/ld\.so\.preload|\/etc\/sudoers/,
    "a file that grants access to the machine",
    "A server has no reason to change who may sign in",
  ),
  tale(
    "py/start-up-file",
    "medium",
    506,
    /^(\/var\/spool\/cron|\/etc\/cron|\/etc\/systemd\/system|\/etc\/init\.d)|(^|\/)\.(bashrc|zshrc|bash_profile|profile)$|\bcrontab -|LaunchAgents|CurrentVersion\\Run/,
    "a place from which programs start by themselves",
    "Say in the documentation why the server needs it",
  ),
  tale(
    "py/metadata-service",
    "medium",
    918,
    /\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b/,
    "the address where clouds give out credentials",
    "Refuse such addresses instead of asking them",
  ),
  tale(
    "py/system-files",
    "medium",
    497,
    /^\/var\/log\/(auth|secure|syslog|messages|kern)|^\/proc\/(net|self|\d+|mounts|modules|kcore)\b|^\/etc\/(passwd|group|hosts|fstab|shadow)$|^\/(var\/)?run\/docker\.sock$/,
    "a file about the machine and its users",
    "Say in the documentation why the server needs it",
  ),
];

const MAX_LENGTH = 2000;

/** Strings of documentation are no code. */
function isProse(node: SyntaxNode): boolean {
  return node.parent !== null && isDocstring(node.parent);
}

/** Findings about the strings of a file. */
export function tellTaleStrings(tree: SourceTree): RawFinding[] {
  const findings: RawFinding[] = [];
  for (const node of walk(tree.root)) {
    if (node.type !== "string" || isProse(node)) continue;
    // An f-string's fixed parts tell as much as a plain string.
    const text = stringValue(tree.text, node) ?? tree.text.slice(node.start, node.end);
    if (text.length > MAX_LENGTH || !/[/\\.-]/.test(text)) continue;
    const found = TALES.find(({ pattern }) => pattern.test(text));
    if (found !== undefined) {
      findings.push(report(found.rule, tree, node, `The source names ${found.what}`));
    } else if (isSensitivePath(text)) {
      findings.push(report(SENSITIVE, tree, node, "The source names a file that holds keys"));
    }
  }
  return findings;
}

const SENSITIVE: Rule = {
  id: "py/names-credentials",
  severity: "medium",
  cwe: 552,
  advice: "A server has no reason to read its user's keys and histories",
};
