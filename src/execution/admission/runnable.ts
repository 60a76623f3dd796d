/**
 * Whether a node runs a server at all, whoever asks: one rule for the execution endpoint, for pages
 * and for the command line.
 *
 * @module
 */
import type { ScanStatus } from "../../scan/schema.ts";

/** Which scan outcomes may run (`EXECUTION_POLICY`). */
export const EXECUTION_POLICIES = ["unless-failed", "passed", "any"] as const;
export type ExecutionPolicy = (typeof EXECUTION_POLICIES)[number];

/** Feature sets of the interpreter (`INTERPRETER_PROFILE`). */
export const INTERPRETER_PROFILES = ["restricted", "full"] as const;
export type InterpreterProfile = (typeof INTERPRETER_PROFILES)[number];

/** Why a server does not run. */
export interface Refusal {
  kind: "scan" | "language" | "profile";
  /** A sentence for people. */
  message: string;
}

function scanAllows(policy: ExecutionPolicy, status: ScanStatus): boolean {
  if (policy === "any") return true;
  return policy === "passed" ? status === "passed" : status !== "failed";
}

/** Why the scan or the language of a server keeps it from running; null when neither does. */
export function whyNotAdmitted(
  { lang, scanStatus }: { lang: string; scanStatus: ScanStatus },
  policy: ExecutionPolicy,
): Refusal | null {
  if (!scanAllows(policy, scanStatus)) {
    const message = scanStatus === "failed"
      ? "The server cannot run because its security scan failed. See its security report"
      : "The server cannot run until its security scan has passed";
    return { kind: "scan", message };
  }
  if (lang === "python") return null;
  return {
    kind: "language",
    message: `Berth runs Python servers only, and this server is written in ${lang}`,
  };
}

/**
 * Why a session of a server would not begin, as far as its report tells; null when it would.
 *
 * @param report Its security report, of which this much decides.
 */
export function whyNotRun(
  { lang, report }: {
    lang: string;
    report: { status: ScanStatus; compatibility?: { restricted: boolean } | undefined };
  },
  { policy, profile }: { policy: ExecutionPolicy; profile: InterpreterProfile },
): Refusal | null {
  const refusal = whyNotAdmitted({ lang, scanStatus: report.status }, policy);
  if (refusal !== null) return refusal;
  if (profile === "full" || report.compatibility?.restricted !== false) return null;
  return {
    kind: "profile",
    message:
      "The server cannot run here: it uses features that the restricted profile does not support. " +
      "Its security report lists them. It needs INTERPRETER_PROFILE=full, which the operator sets",
  };
}
