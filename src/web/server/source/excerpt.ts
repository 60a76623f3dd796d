/**
 * Lines of scanned files. Where a secret was found, the line is not shown: that the archive is public
 * is no reason to hand it out here.
 *
 * @module
 */
import type { RepositoryFiles } from "../../../repository/archive.ts";
import type { SecurityReport } from "../../../scan/schema.ts";

const AROUND = 2;
const LINES_MAX = 12;
const LINE_LENGTH = 300;
const FILE_MAX_BYTES = 2 * 1024 * 1024;

/** One numbered row of a source excerpt. */
export interface Line {
  number: number;
  text: string;
  /** Whether the finding is here. */
  marked: boolean;
}

/** Lines per file that hold secrets. */
export type HiddenLines = ReadonlyMap<string, ReadonlySet<number>>;

/** Where the report has secrets. */
export function hiddenLines(report: SecurityReport): HiddenLines {
  const hidden = new Map<string, Set<number>>();
  for (const { file, line, end_line, severity } of report.secrets_detection.secrets) {
    if (file === null || line === null || severity === "info") continue;
    const lines = hidden.get(file) ?? new Set();
    // A finding's span is the scan's word on what to hide, but no reason to count for ever.
    const end = Math.min(end_line ?? line, line + 500);
    for (let number = line; number <= end; number++) lines.add(number);
    hidden.set(file, lines);
  }
  return hidden;
}

/** The lines of a text file. */
export interface SourceLines {
  count: number;
  /** The beginning of a line, from 1, as far as it is shown. */
  line(number: number): string;
}

const LF = 0x0a;
const CR = 0x0d;

/** Where each line begins, and where the last one ends. */
function startsOf(bytes: Uint8Array): Uint32Array {
  const starts = new Uint32Array(bytes.length + 2);
  let count = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF || byte === CR && bytes[at + 1] !== LF) starts[count++] = at + 1;
  }
  starts[count++] = bytes.length;
  return starts.slice(0, count);
}

/** By content: a page asks for many places of one file, and many pages for one. */
const known = new WeakMap<Uint8Array, Uint32Array>();

/** The lines of a text file; null where it is none, or too large. */
export function linesOf(files: RepositoryFiles, path: string): SourceLines | null {
  const bytes = files.get(path);
  if (bytes === undefined || bytes.byteLength > FILE_MAX_BYTES) return null;
  if (bytes.subarray(0, 8000).includes(0)) return null;
  const starts = known.get(bytes) ?? startsOf(bytes);
  known.set(bytes, starts);
  return {
    count: starts.length - 1,
    line(number) {
      const from = starts[number - 1]!;
      // A character has at most four bytes.
      const to = Math.min(starts[number]!, from + 4 * (LINE_LENGTH + 1));
      const decoder = new TextDecoder("utf-8", { ignoreBOM: number > 1 });
      return decoder.decode(bytes.subarray(from, to)).replace(/\r?\n$|\r$/, "");
    },
  };
}

/** A line as shown: cut, or hidden if it has a secret. */
export function shownLine(
  text: string,
  number: number,
  { path, hidden }: { path: string; hidden: HiddenLines },
): string {
  if (hidden.get(path)?.has(number)) return "•••••• hidden: this line contains a secret";
  return text.length > LINE_LENGTH ? `${text.slice(0, LINE_LENGTH)}…` : text;
}

/** The lines around a finding; null where there are none to show. */
export function excerptOf(
  files: RepositoryFiles,
  finding: { file: string | null; line: number | null; end_line: number | null },
  hidden: HiddenLines,
): Line[] | null {
  const { file, line, end_line } = finding;
  if (file === null || line === null) return null;
  const lines = linesOf(files, file);
  if (lines === null || line > lines.count) return null;
  const last = Math.min(end_line ?? line, line + LINES_MAX - 1);
  const from = Math.max(1, line - AROUND);
  const to = Math.min(lines.count, last + AROUND);
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return {
      number,
      text: shownLine(lines.line(number), number, { path: file, hidden }),
      marked: number >= line && number <= last,
    };
  });
}
