import type { AnalyserName } from "./messages.ts";

/** The analysers that every scan runs, in stage order. */
export const IN_SCANS: readonly AnalyserName[] = [
  "quality",
  "discovery",
  "manifests",
  "advisories",
  "secrets",
  "audit",
];
