/**
 * ruff on one file: suppressions disarmed, diagnostics capped, names mapped back to codes.
 *
 * @module
 */
import type { Diagnostic } from "@astral-sh/ruff-wasm-nodejs";
import { packageOnDemand } from "../on_demand.ts";
import { neutralise } from "./suppressions.ts";

const ruff = packageOnDemand<typeof import("@astral-sh/ruff-wasm-nodejs")>(
  "@astral-sh/ruff-wasm-nodejs",
);

/** A diagnostic with the rule's code and lines from 1. */
export interface RuffFinding {
  code: string;
  message: string;
  /** What ruff would do about it; null when it proposes nothing. */
  fix: string | null;
  line: number;
  endLine: number;
}

/** Most diagnostics of one file; the rest is counted only. */
export const MAX_DIAGNOSTICS = 1000;

/** The engine with a set of rules. */
export interface Ruff {
  /** Throws when the engine does; the process is to be given up then. */
  check(text: string): { findings: RuffFinding[]; dropped: number; suppressions: number[] };
}

function proposalOf({ fix, subDiagnostics }: Diagnostic): string | null {
  const help = subDiagnostics.find(({ severity }) => severity === "help")?.message;
  return (fix?.message ?? help)?.slice(0, 500) ?? null;
}

/** ruff with these rules; `names` maps the names that preview mode reports to codes. */
export function createRuff(
  select: readonly string[],
  options: {
    preview?: boolean;
    names?: ReadonlyMap<string, string>;
    ignore?: readonly string[];
    /** Diagnostics that are kept, in place of {@link MAX_DIAGNOSTICS}. */
    limit?: number;
  } = {},
): Ruff {
  const { PositionEncoding, Workspace } = ruff();
  const workspace = new Workspace({
    "target-version": "py314",
    preview: options.preview ?? false,
    lint: {
      select,
      ignore: options.ignore ?? [],
      preview: options.preview ?? false,
      mccabe: { "max-complexity": 15 },
    },
  }, PositionEncoding.Utf16);
  return {
    check(source) {
      const { text, lines } = neutralise(source);
      const diagnostics: Diagnostic[] = workspace.check(text);
      const findings = diagnostics.slice(0, options.limit ?? MAX_DIAGNOSTICS).map((each) => ({
        code: options.names?.get(each.code ?? "") ?? each.code ?? "invalid-syntax",
        message: each.message.slice(0, 500),
        fix: proposalOf(each),
        line: each.start_location.row,
        endLine: Math.max(each.start_location.row, each.end_location.row),
      }));
      return {
        findings,
        dropped: diagnostics.length - findings.length,
        suppressions: lines,
      };
    },
  };
}
