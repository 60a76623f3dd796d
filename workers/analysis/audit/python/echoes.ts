/**
 * Findings that say the same of the same place.
 *
 * @module
 */
import { inReportOrder, type RawFinding } from "../../finding.ts";

/** Lines of a long statement that a finding speaks for. */
const MAX_COVERED = 100;

type Placed = Pick<RawFinding, "file" | "line" | "cwe">;
/** A finding's line, as a key. */
export const lineOf = ({ file, line }: Placed) => `${file}\0${line}`;
/** A finding's line and weakness, as a key. */
export const weaknessAt = ({ file, line, cwe }: Placed) => `${file}\0${line}\0${cwe}`;

/** One finding for a weakness of a line: the worst own one, else ruff's. */
export function withoutEchoes(
  own: readonly RawFinding[],
  ruff: readonly RawFinding[],
): RawFinding[] {
  const key = weaknessAt;
  const said = new Map<string, RawFinding>();
  for (const each of inReportOrder(own, own.length)) {
    if (!said.has(key(each))) said.set(key(each), each);
  }
  const covered = new Set<string>();
  for (const each of said.values()) {
    const last = Math.min(each.end_line, each.line + MAX_COVERED);
    for (let line = each.line; line <= last; line++) covered.add(key({ ...each, line }));
  }
  return [...said.values(), ...ruff.filter((each) => !covered.has(key(each)))];
}
