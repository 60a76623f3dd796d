/**
 * The verdict of a scan: always a sign and a word, never colour alone.
 *
 * @module
 */
import { BadgeSign } from "./badge_sign.tsx";
import type { ScanStatus } from "../../scan/schema.ts";

const VERDICTS = {
  passed: { label: "Passed", sign: "M3.5 8.5l3 3 6-7", hint: "No blocking findings" },
  failed: {
    label: "Failed",
    sign: "M4.5 4.5l7 7m0-7l-7 7",
    hint: "Blocking findings must be fixed",
  },
  error: {
    label: "Not finished",
    sign: "M8 3.5v5.5m0 2.5v.5",
    hint: "A service that the scan needs was unavailable",
  },
} as const satisfies Record<ScanStatus, unknown>;

/** A badge with icon and word for the status of a scan. */
export function Verdict({ status, large = false }: { status: ScanStatus; large?: boolean }) {
  const { label, sign, hint } = VERDICTS[status];
  return (
    <span class={`verdict ${status}${large ? " large" : ""}`} title={hint}>
      <BadgeSign path={sign} />
      {label}
    </span>
  );
}
