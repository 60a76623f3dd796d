/**
 * Tables: aligned columns on a terminal, tab-separated values when piped.
 *
 * @module
 */
import { safeStyled, widthOf } from "./terminal_text.ts";
import type { Style } from "./style.ts";

const GAP = "  ";

/** A table. Cells may carry styles; strangers' text in them is made safe by the caller. */
export interface Table {
  head: string[];
  rows: string[][];
}

/** A table for programs: a line a row, tabs between cells, no head. */
export function plainTable({ rows }: Table): string {
  return rows.map((row) => `${row.map((cell) => cell.replace(/[\t\n]/g, " ")).join("\t")}\n`)
    .join("");
}

function cut(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  // A styled cell is a short word of ours, which is not cut.
  if (cell.includes("\x1b")) return cell;
  let kept = "";
  for (const character of cell) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A table for people, at most `columns` wide: the last column gives way. */
export function prettyTable({ head, rows }: Table, style: Style, columns: number): string {
  const widths = head.map((title, index) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[index] ?? "")))
  );
  const last = widths.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0);
  widths[last] = Math.max(Math.min(widths[last] ?? 0, columns - before), 8);
  const line = (cells: string[]) =>
    cells.map((cell, index) => {
      const text = cut(cell, widths[index]!);
      return index === last ? text : text + " ".repeat(Math.max(widths[index]! - widthOf(text), 0));
    }).join(GAP).trimEnd();
  return [style.dim(line(head)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

/** Names and values, a line each; empty values are left out. */
export function pairs(entries: [name: string, value: string | null][], style: Style): string {
  const shown = entries.filter((entry): entry is [string, string] => !!entry[1]);
  const width = Math.max(...shown.map(([name]) => name.length), 0);
  return shown.map(([name, value]) => {
    const indented = safeStyled(value).replaceAll("\n", `\n${" ".repeat(width + GAP.length)}`);
    return `${style.dim(name.padEnd(width))}${GAP}${indented}\n`;
  }).join("");
}
