/**
 * ruff on a Python file once for stages 1 and 5: it takes as long for the rules of one as for those
 * of both.
 *
 * @module
 */
import { IGNORE, SELECT } from "../quality/python_rules.ts";
import { createRuff, MAX_DIAGNOSTICS, type Ruff } from "./ruff.ts";

/** What stage 5 asks for. */
const SECURITY = ["S", "PLE2502"];
/** What neither stage wants: asserts are no weakness. */
const NEVER = ["S101", ...IGNORE.filter((code) => !SECURITY.some((each) => code.startsWith(each)))];

/** Diagnostics of one file that are kept for both stages. */
const MAX_KEPT = 20 * MAX_DIAGNOSTICS;

/** The findings of one stage's rules, the first of very many, and how many more there are. */
export type RuffPart = ReturnType<Ruff["check"]>;

let engine: Ruff | undefined;

function isQuality(code: string): boolean {
  return code === "invalid-syntax" ||
    SELECT.some((prefix) => code.startsWith(prefix)) && !IGNORE.includes(code);
}

function isSecurity(code: string): boolean {
  return SECURITY.some((prefix) => code.startsWith(prefix));
}

/** What ruff finds in a text, for stage 1 and for stage 5. */
export function ruffOn(text: string): { quality: RuffPart; security: RuffPart } {
  engine ??= createRuff([...SELECT, ...SECURITY], { ignore: NEVER, limit: MAX_KEPT });
  const whole = engine.check(text);
  function partOf(isWanted: (code: string) => boolean): RuffPart {
    const wanted = whole.findings.filter(({ code }) => isWanted(code));
    const findings = wanted.slice(0, MAX_DIAGNOSTICS);
    const dropped = wanted.length - findings.length + whole.dropped;
    return { findings, dropped, suppressions: whole.suppressions };
  }
  return { quality: partOf(isQuality), security: partOf(isSecurity) };
}
