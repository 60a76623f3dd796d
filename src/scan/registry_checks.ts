/**
 * MCP checks that need to know what else is registered: a server whose name looks like another's,
 * tools that speak of other servers' tools, descriptions that changed since the scan before.
 *
 * @module
 */
import { createFindings } from "./findings.ts";
import type { Rule } from "../../workers/analysis/audit/rule.ts";
import type { Audit, DiscoveredTool, Finding } from "./schema.ts";
import { countIssues, countSeverities } from "./tally.ts";

/** What the registry holds when a scan begins. */
export interface RegistryFacts {
  /** The record's version that is scanned. */
  version: string;
  /** The record as its last report has it; null at its creation. */
  previous: {
    version: string;
    tools: readonly Pick<DiscoveredTool, "name" | "description">[];
  } | null;
  /** Servers of others, the oldest first. */
  others: readonly { name: string; tools: readonly string[] }[];
}

const RULES = {
  twin: {
    id: "mcp/look-alike-server",
    severity: "medium",
    cwe: 1007,
    advice: "Choose a name that cannot be confused with another server's",
  },
  shadowing: {
    id: "mcp/shadowing",
    severity: "medium",
    cwe: 451,
    advice: "Describe this server's own tools only",
  },
  description: {
    id: "mcp/description-changed",
    severity: "medium",
    cwe: 451,
    advice: "Increase the version when a release changes descriptions or tools",
  },
  tools: {
    id: "mcp/tools-changed",
    severity: "low",
    cwe: 451,
    advice: "Increase the version when a release changes descriptions or tools",
  },
} as const satisfies Record<string, Rule>;

/** Every rule of this module. */
export const REGISTRY_RULES: readonly Rule[] = Object.values(RULES);

const MIN_NAME = 5;
const MIN_TOOL = 6;
const MAX_FINDINGS = 50;
/** What tells a model to take one tool in another's place. */
const PREFERENCE =
  /\b(instead of|rather than|in place of|replaces?|supersedes?|deprecated|do not use|don't use|never use|always use|prefer|before (?:calling|using)|after (?:calling|using)|whenever)\b/gi;
/** What may be the name of a tool. */
const WORD = /\w[\w.-]{4,62}\w/g;
/** How far a preference and a name may be apart to belong together. */
const NEAR = 120;

/** Whether `b` is `a` with one character changed, left out, added, or two swapped. */
export function isOneSlipAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (
    end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]
  ) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** A piece of a text. */
interface Span {
  from: number;
  to: number;
}

function spansOf(pattern: RegExp, text: string): Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
    from: index,
    to: index + match.length,
  }));
}

interface Place {
  file: string | null;
  line: number | null;
}

/** Names of tools that are words of their own: `get_forecast`, `getForecast`. */
function isDistinct(tool: string): boolean {
  return tool.length >= MIN_TOOL && /[_.-]|[a-z][A-Z]/.test(tool);
}

/** Whether `place` is near one of `preferences`, which are in order; looks at each once at most. */
function nearness(preferences: readonly Span[]): (place: Span) => boolean {
  let at = 0;
  return ({ from, to }) => {
    while (at < preferences.length && preferences[at]!.from < from - NEAR) at++;
    return at < preferences.length && preferences[at]!.to <= to + NEAR;
  };
}

function shadowed(description: string, names: ReadonlyMap<string, string>): string | null {
  const isNear = nearness(spansOf(PREFERENCE, description));
  // One pass over the text, however many names of others are in it.
  for (const word of spansOf(WORD, description)) {
    const name = description.slice(word.from, word.to);
    if (names.has(name) && isNear(word)) return name;
  }
  return null;
}

export function registryFindings(
  facts: RegistryFacts,
  scanned: {
    serverName: string;
    entrypoint: string;
    tools: readonly DiscoveredTool[];
    files: ReadonlyMap<string, Uint8Array>;
  },
): Finding[] {
  const make = createFindings("security_audit", scanned.files);
  const findings: Finding[] = [];
  function say({ id, severity, cwe, advice }: Rule, place: Place, title: string): void {
    if (findings.length === MAX_FINDINGS) return;
    const { file, line } = place;
    findings.push(make({
      rule: id,
      severity,
      cwe: `CWE-${cwe}`,
      title,
      detail: advice,
      file,
      line,
      end_line: line,
      // The line of a place does not change with what is said about it.
      line_text: title,
    }));
  }
  const whole: Place = { file: null, line: null };
  const twin = facts.previous === null && scanned.serverName.length >= MIN_NAME
    ? facts.others.find(({ name }) => isOneSlipAway(scanned.serverName, name))
    : undefined;
  if (twin !== undefined) {
    const title =
      `The name "${scanned.serverName}" differs by one typo from the server "${twin.name}"`;
    say(RULES.twin, whole, title);
  }
  const own = new Set(scanned.tools.map(({ name }) => name));
  const foreign = new Map(
    facts.others.flatMap(({ name, tools }) =>
      tools.filter((tool) => isDistinct(tool) && !own.has(tool)).map((tool) =>
        [tool, name] as const
      )
    ),
  );
  for (const tool of scanned.tools) {
    const word = shadowed((tool.description ?? "").slice(0, 8_000), foreign);
    if (word === null) continue;
    const whose = foreign.get(word);
    const title = `Tool "${tool.name}" tells the model what to do about "${word}" of the server ` +
      `"${whose}"`;
    say(RULES.shadowing, tool, title);
  }
  if (facts.previous !== null) changed(facts, scanned.tools, say);
  return findings;
}

/** What a model was told of a tool before, and is told otherwise now. */
function changed(
  { version, previous }: RegistryFacts,
  tools: readonly DiscoveredTool[],
  say: (rule: Rule, place: Place, title: string) => void,
): void {
  const before = new Map(previous!.tools.map(({ name, description }) => [name, description]));
  // Whoever says that it is another version announces the change.
  const silent = version === previous!.version;
  const rule: Rule = silent
    ? RULES.description
    : { ...RULES.description, severity: "info", advice: "Read the new description" };
  for (const tool of tools) {
    const known = before.get(tool.name);
    if (known === undefined || known === tool.description) continue;
    const title = `The description of tool "${tool.name}" changed since the last scan`;
    say(rule, tool, title);
  }
  const added = tools.filter(({ name }) => !before.has(name));
  for (const tool of silent && before.size > 0 ? added : []) {
    const title = `Tool "${tool.name}" was added without a new version`;
    say(RULES.tools, tool, title);
  }
}

/** A section with these findings in it too. */
export function withFindings(section: Audit, findings: readonly Finding[]): Audit {
  if (findings.length === 0) return section;
  const more = countSeverities(findings);
  const { high, medium, low } = section.severity_counts;
  return {
    ...section,
    total_issues: section.total_issues + countIssues(findings),
    severity_counts: {
      high: high + more.high,
      medium: medium + more.medium,
      low: low + more.low,
    },
    issues: [...section.issues, ...findings],
  };
}
