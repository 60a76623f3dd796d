/**
 * Test coverage from a report that the repository holds. Tests are never run, so this is what the
 * author says; it decides nothing.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";

const COBERTURA = /(^|\/)(coverage|cobertura|cobertura-coverage)\.xml$/;
const LCOV = /(^|\/)(lcov\.info|coverage\.lcov)$/;
const MAX_REPORT_BYTES = 20 * 1024 * 1024;

interface Counts {
  lines: number;
  linesHit: number;
  branches: number;
  branchesHit: number;
}

/** SonarQube's formula: (covered branches + covered lines) / (branches + lines), in percent. */
function percent({ lines, linesHit, branches, branchesHit }: Counts): number | null {
  const all = lines + branches;
  if (!(all > 0)) return null;
  const value = (linesHit + branchesHit) / all * 100;
  return Number.isFinite(value) ? Math.min(100, Math.max(0, Math.round(value * 10) / 10)) : null;
}

/** Reads the attributes of a Cobertura report's root element. No XML is interpreted beyond that. */
export function readCobertura(text: string): number | null {
  const root = /<coverage\s([^<>]{0,4000})>/.exec(text.slice(0, 65_536))?.[1];
  if (root === undefined) return null;
  const attribute = (name: string) => {
    const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([0-9.]{1,20})["']`).exec(root)?.[1];
    return value === undefined ? NaN : Number(value);
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

/** Adds up the totals of an LCOV report. */
export function readLcov(text: string): number | null {
  const counts: Counts = { lines: 0, linesHit: 0, branches: 0, branchesHit: 0 };
  const keys = { LF: "lines", LH: "linesHit", BRF: "branches", BRH: "branchesHit" } as const;
  for (const [, key, value] of text.matchAll(/^(LF|LH|BRF|BRH):(\d{1,9})\s*$/gm)) {
    counts[keys[key as keyof typeof keys]] += Number(value);
  }
  return percent(counts);
}

/** Percent covered by the first readable report, or null when there is none. */
export function coverageOf(files: SourceFiles): number | null {
  for (const [path, bytes] of files) {
    const read = COBERTURA.test(path) ? readCobertura : LCOV.test(path) ? readLcov : null;
    if (read === null || bytes.length > MAX_REPORT_BYTES) continue;
    const value = read(new TextDecoder().decode(bytes));
    if (value !== null) return value;
  }
  return null;
}
