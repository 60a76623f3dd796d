/**
 * Poetry's version constraints in the notation of PEP 440
 * (https://python-poetry.org/docs/dependency-specification/).
 *
 * @module
 */

const VERSION = /^v?\d+(?:\.\d+)*(?:[a-z.+-][\w.+-]*)?$/i;

function numbersOf(version: string): number[] {
  return /^v?(\d+(?:\.\d+)*)/i.exec(version)![1]!.split(".").map(Number);
}

/** The version that is next after raising the part at `index`. */
function raised(numbers: number[], index: number): string {
  return [...numbers.slice(0, index), (numbers[index] ?? 0) + 1].join(".");
}

function clause(text: string): string | null {
  if (text === "*" || text === "") return "";
  const [, operator = "", version = ""] = /^(\^|~=|~|===?|!=|<=|>=|<|>|)\s*(.+)$/.exec(text) ?? [];
  const wildcard = /^(\d+(?:\.\d+)*)\.\*(?:\.\*)*$/.exec(version);
  if (wildcard) {
    return operator === "!=" ? `!=${wildcard[1]}.*` : `==${wildcard[1]}.*`;
  }
  if (!VERSION.test(version)) return null;
  const numbers = numbersOf(version);
  switch (operator) {
    case "^": {
      const significant = numbers.findIndex((number) => number !== 0);
      const index = significant < 0 ? numbers.length - 1 : significant;
      return `>=${version},<${raised(numbers, index)}`;
    }
    case "~":
      return `>=${version},<${raised(numbers, Math.min(1, numbers.length - 1))}`;
    case "":
      return `==${version}`;
    default:
      return `${operator}${version}`;
  }
}

/** The PEP 440 specifiers of which any may hold, or null when `constraint` is not understood. */
export function poetryRanges(constraint: string): string[] | null {
  if (constraint.length > 300) return null;
  const ranges: string[] = [];
  for (const alternative of constraint.split(/\|\|?/)) {
    // Clauses are joined by commas, or by blanks before an operator.
    const clauses = alternative.trim().split(/\s*,\s*|\s+(?=[<>=!~^])/).map((part) =>
      clause(part.trim())
    );
    if (clauses.includes(null)) return null;
    ranges.push(clauses.filter((part) => part !== "").join(","));
  }
  return ranges;
}
