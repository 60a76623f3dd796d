/**
 * Test coverage from a report that the repository holds. Tests are never run, so this is what the
 * author says; it decides nothing.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";

const MAX_REPORT_BYTES = 20 * 1024 * 1024;
/** Largest number that a report may give; sums of them stay exact. */
const MAX_COUNT = 1e9;
/** Blocks of a Go profile that are told apart: more come from no program. */
const MAX_BLOCKS = 500_000;

interface Counts {
  lines: number;
  linesHit: number;
  branches: number;
  branchesHit: number;
}

/**
 * SonarQube's formula: (covered branches + covered lines) / (branches + lines), in percent. More
 * covered than there is makes no report.
 */
function percent({ lines, linesHit, branches, branchesHit }: Counts): number | null {
  const all = lines + branches;
  if (!(all > 0) || linesHit > lines || branchesHit > branches) return null;
  return Math.round((linesHit + branchesHit) / all * 1000) / 10;
}

/** Reads the attributes of a Cobertura report's root element. No XML is interpreted beyond that. */
export function readCobertura(text: string): number | null {
  const head = text.slice(0, 65_536).replace(/<!--[^]*?(?:-->|$)/g, "");
  const root = /<coverage\s([^<>]{0,4000})>/.exec(head)?.[1];
  if (root === undefined) return null;
  const attribute = (name: string) => {
    const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["'](\\d{1,10}(?:\\.\\d{1,20})?)["']`)
      .exec(root)?.[1];
    return value === undefined || Number(value) > MAX_COUNT ? NaN : Number(value);
  };
  const counted = percent({
    lines: attribute("lines-valid") || 0,
    linesHit: attribute("lines-covered") || 0,
    branches: attribute("branches-valid") || 0,
    branchesHit: attribute("branches-covered") || 0,
  });
  if (counted !== null) return counted;
  const rate = attribute("line-rate");
  return rate >= 0 && rate <= 1 ? Math.round(rate * 1000) / 10 : null;
}

/** Adds up an LCOV report: its totals by file, or its single lines and branches where it has none. */
export function readLcov(text: string): number | null {
  const totals: Counts = { lines: 0, linesHit: 0, branches: 0, branchesHit: 0 };
  const single: Counts = { lines: 0, linesHit: 0, branches: 0, branchesHit: 0 };
  const keys = { LF: "lines", LH: "linesHit", BRF: "branches", BRH: "branchesHit" } as const;
  for (
    const [, key, value] of text.matchAll(/^(LF|LH|BRF|BRH):(\d{1,9})\s*$/gm)
  ) totals[keys[key as keyof typeof keys]] += Number(value);
  if (totals.lines + totals.branches > 0) return percent(totals);
  for (const [, hits] of text.matchAll(/^DA:\d{1,9},(\d{1,15})/gm)) {
    single.lines++;
    if (Number(hits) > 0) single.linesHit++;
  }
  for (const [, hits] of text.matchAll(/^BRDA:\d{1,9},e?\d{1,9},[^,\n]{1,200},(-|\d{1,15})/gm)) {
    single.branches++;
    if (Number(hits) > 0) single.branchesHit++;
  }
  return percent(single);
}

/**
 * Reads a profile of `go test -coverprofile`: the share of statements that ran, as `go tool cover`
 * reports it. Profiles that were put together name a block several times: it ran if it ran once.
 */
export function readGoProfile(text: string): number | null {
  if (!/^mode: (set|count|atomic)\r?\n/.test(text)) return null;
  const blocks = new Map<string, { statements: number; ran: boolean }>();
  for (
    const [, place, statements, count] of text.matchAll(
      /^([^\n]{1,4000}:\d{1,9}\.\d{1,9},\d{1,9}\.\d{1,9}) (\d{1,6}) (\d{1,15})\r?$/gm,
    )
  ) {
    const before = blocks.get(place!);
    const ran = Number(count) > 0;
    if (before !== undefined) before.ran ||= ran;
    else if (blocks.size === MAX_BLOCKS) return null;
    else blocks.set(place!, { statements: Number(statements), ran });
  }
  const counts: Counts = { lines: 0, linesHit: 0, branches: 0, branchesHit: 0 };
  for (const { statements, ran } of blocks.values()) {
    counts.lines += statements;
    if (ran) counts.linesHit += statements;
  }
  return percent(counts);
}

const READERS: [RegExp, (text: string) => number | null][] = [
  [/(^|\/)(coverage|cobertura|cobertura-coverage)\.xml$/, readCobertura],
  [/(^|\/)(lcov\.info|coverage\.lcov)$/, readLcov],
  [/(^|\/)(c|cover|coverage|profile)\.(out|cov)$|(^|\/)coverage\.txt$/, readGoProfile],
];

/** Percent covered by the first readable report in path order, or null when there is none. */
export function coverageOf(files: SourceFiles): number | null {
  for (const [path, bytes] of files) {
    const read = READERS.find(([name]) => name.test(path))?.[1];
    if (read === undefined || bytes.length > MAX_REPORT_BYTES) continue;
    const value = read(new TextDecoder().decode(bytes));
    if (value !== null) return value;
  }
  return null;
}
