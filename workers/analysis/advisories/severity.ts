/**
 * How bad an advisory is: its database's word, else its CVSS vector.
 *
 * @module
 */
import type { Severity } from "../finding.ts";
import { packageOnDemand } from "../on_demand.ts";
import type { OsvRecord } from "./osv_schema.ts";

const calculator = packageOnDemand<typeof import("ae-cvss-calculator")>("ae-cvss-calculator");

const WORDS: Record<string, Severity> = {
  CRITICAL: "critical",
  HIGH: "high",
  MODERATE: "medium",
  MEDIUM: "medium",
  LOW: "low",
};

/** Rating scale of CVSS 3 and 4; version 2 has no "critical", its vectors get the same scale. */
function ofScore(score: number): Severity | null {
  if (!(score > 0)) return null;
  return score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : "low";
}

/** Severity of a CVSS vector of any version, or null when it is not one. */
export function severityOfVector(vector: string): Severity | null {
  try {
    const scores = calculator().fromVector(vector)?.calculateScores(false);
    return scores === undefined ? null : ofScore(scores.overall ?? Number.NaN);
  } catch {
    return null;
  }
}

/** What `record` itself says, or null. */
export function severityOf(record: OsvRecord): Severity | null {
  // The malicious-package database has no severities: the package itself is the attack.
  if (record.id.startsWith("MAL-")) return "critical";
  const word = record.database_specific?.severity;
  if (typeof word === "string" && WORDS[word.toUpperCase()]) return WORDS[word.toUpperCase()]!;
  const vectors = [
    ...(record.severity ?? []),
    ...(record.affected ?? []).flatMap(({ severity }) => severity ?? []),
  ];
  // The newest version of CVSS is the one that its authors stand by.
  const newest = vectors.sort((a, b) => (a.type < b.type ? 1 : -1));
  for (const { score } of newest) {
    const severity = severityOfVector(score);
    if (severity !== null) return severity;
  }
  return null;
}
