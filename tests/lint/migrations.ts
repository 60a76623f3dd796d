/**
 * Which statements of a migration take away what the version of Berth before it uses.
 *
 * @module
 */

const TAKES_AWAY: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["drops a table", /\bdrop\s+table\b/i],
  ["drops a column", /\bdrop\s+column\b/i],
  ["renames", /\brename\b/i],
  ["changes a column's type", /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/i],
  ["requires a value that former versions do not write", /\bset\s+not\s+null\b/i],
  [
    "adds a column that former versions do not write",
    /\badd\s+column\b(?:(?!\bdefault\b|\bgenerated\b|,|;)[^])*\bnot\s+null\b(?:(?!\bdefault\b|\bgenerated\b|,|;)[^])*(?=[,;])/i,
  ],
  [
    "adds a key that former rows may break",
    /\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key)\b/i,
  ],
];

/** What `sql` does that the version before cannot live with. Comments and texts do not count. */
export function takesAway(sql: string): string[] {
  const code = sql.replaceAll(/--.*$/gm, "").replaceAll(/'(?:[^']|'')*'/g, "''");
  return code.split(/(?<=;)/).flatMap((statement) =>
    TAKES_AWAY.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what)
  );
}
