/**
 * Ratings and gate by SonarQube's published definitions.
 *
 * @module
 */
import type { Severity } from "../schema.ts";

/** Grades of the report. */
export type Rating = "A" | "B" | "C" | "D" | "E";

const OF_SEVERITY: Record<Severity, Rating> = {
  info: "A",
  low: "B",
  medium: "C",
  high: "D",
  critical: "E",
};

/** The rating of the worst of these severities: A without any. */
export function worstRating(severities: Iterable<Severity>): Rating {
  let worst: Rating = "A";
  for (const severity of severities) {
    if (OF_SEVERITY[severity] > worst) worst = OF_SEVERITY[severity];
  }
  return worst;
}

/** Minutes that a line is taken to cost (0.06 working days of 8 hours, rounded as SonarQube does). */
const MINUTES_A_LINE = 30;
const GRID: [number, Rating][] = [[0.05, "A"], [0.1, "B"], [0.2, "C"], [0.5, "D"]];

/** The maintainability rating: minutes of debt in relation to the cost of writing the code. */
export function debtRating(debtMinutes: number, linesOfCode: number): Rating {
  if (linesOfCode === 0) return "A";
  const ratio = debtMinutes / (MINUTES_A_LINE * linesOfCode);
  return GRID.find(([limit]) => ratio <= limit)?.[1] ?? "E";
}

/** Minutes that a smell of a severity is taken to need. */
export const DEBT_MINUTES: Record<Severity, number> = {
  critical: 60,
  high: 30,
  medium: 15,
  low: 5,
  info: 2,
};

/** Most duplicated lines in percent that pass the gate. */
const MAX_DUPLICATION = 3;

/**
 * Whether a project passes the gate: reliability and security are A, and few lines are duplicated.
 */
export function passesGate(measures: {
  reliability_rating: Rating;
  security_rating: Rating;
  duplications: number;
}): boolean {
  return measures.reliability_rating === "A" && measures.security_rating === "A" &&
    measures.duplications <= MAX_DUPLICATION;
}
