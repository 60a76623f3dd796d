/**
 * Findings with stable names: the same content gives the same fingerprints, and a finding keeps
 * its own while lines above it come and go.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { explanationOf, type Weakness, weaknessNumber } from "../../workers/analysis/weaknesses.ts";
import type { Finding, StageName } from "./schema.ts";

/** What a stage knows of a finding. */
export type NewFinding =
  & Omit<Finding, "id" | "fingerprint" | "stage" | "url" | "weakness_url" | "explanation" | "fix">
  & {
    url?: string | null;
    /** Why it matters, where the weakness does not say it. */
    explanation?: string;
    /** What to do; without it, `detail` says only that. */
    fix?: string | undefined;
    /** Stands for the line's text where that must not go into the fingerprint. */
    line_text?: string;
  };

/** Categories of what has none of its own. */
const USUAL: Record<StageName, `CWE-${Weakness}`> = {
  quality_analysis: "CWE-710",
  tool_discovery: "CWE-1068",
  dependency_audit: "CWE-1357",
  secrets_detection: "CWE-798",
  security_audit: "CWE-710",
};

/** The page of a weakness such as `CWE-78`. */
export function weaknessUrl(cwe: string): string {
  return `https://cwe.mitre.org/data/definitions/${weaknessNumber(cwe) ?? ""}.html`;
}

function normalised(line: string): string {
  return line.trim().replace(/\s+/g, " ").slice(0, 1000);
}

/**
 * A maker of a stage's findings. The fingerprint is the SHA-256 of stage, rule, file, the line's
 * text without its spacing, and which occurrence of those it is; the id is its beginning.
 */
export function createFindings(
  stage: StageName,
  files: ReadonlyMap<string, Uint8Array>,
): (input: NewFinding) => Finding {
  const lines = new Map<string, string[]>();
  /** Each line's text, made once: a long one may have many findings. */
  const texts = new Map<string, string>();
  const occurrences = new Map<string, number>();

  function lineText(file: string | null, line: number | null): string {
    if (file === null || line === null) return "";
    let all = lines.get(file);
    if (all === undefined) {
      all = new TextDecoder().decode(files.get(file)).split("\n");
      lines.set(file, all);
    }
    const key = `${line}\0${file}`;
    const text = texts.get(key) ?? normalised(all[line - 1] ?? "");
    texts.set(key, text);
    return text;
  }

  return (input) => {
    const { rule, severity, title, detail, file, line, end_line, url = null } = input;
    const cwe = input.cwe !== null && weaknessNumber(input.cwe) !== null ? input.cwe : USUAL[stage];
    const text = input.line_text ?? lineText(file, line);
    const key = [stage, rule, file ?? "", text].join("\0");
    const occurrence = occurrences.get(key) ?? 0;
    occurrences.set(key, occurrence + 1);
    const fingerprint = createHash("sha256").update(`${key}\0${occurrence}`).digest("hex");
    return {
      id: fingerprint.slice(0, 12),
      stage,
      rule,
      severity,
      cwe,
      weakness_url: weaknessUrl(cwe),
      explanation: input.explanation ?? explanationOf(cwe) ?? explanationOf(USUAL[stage])!,
      fix: input.fix ?? detail,
      title,
      detail,
      file,
      line,
      end_line,
      fingerprint,
      url,
    };
  };
}
