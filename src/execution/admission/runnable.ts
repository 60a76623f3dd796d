/**
 * Whether a node runs a server at all, whoever asks: one rule for the execution endpoint, for pages
 * and for the command line.
 *
 * @module
 */
import {
  type Capabilities,
  type CapabilityPolicy,
  type Runs,
  runsInWords,
} from "../../scan/capabilities_schema.ts";
import type { ScanStatus } from "../../scan/schema.ts";

/** Which scan outcomes may run (`EXECUTION_POLICY`). */
export const EXECUTION_POLICIES = ["unless-failed", "passed", "any"] as const;
export type ExecutionPolicy = (typeof EXECUTION_POLICIES)[number];

/** Feature sets of the interpreter (`INTERPRETER_PROFILE`). */
export const INTERPRETER_PROFILES = ["restricted", "full"] as const;
export type InterpreterProfile = (typeof INTERPRETER_PROFILES)[number];

/** Why a server does not run. */
export interface Refusal {
  kind: "scan" | "language" | "profile" | "capability";
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

/** Why a policy keeps a server from running what its callers write; null when it does not. */
export function whyNotCapable(
  { runs }: { runs: readonly Runs[] },
  policy: CapabilityPolicy,
): Refusal | null {
  if (policy !== "refuse" || runs.length === 0) return null;
  const what = runsInWords({ runs: runs.map((kind) => ({ kind, tools: [], file: "", line: 1 })) });
  return {
    kind: "capability",
    message: `The server cannot run here: it ${what.join(" and ")}, and the operator of this ` +
      "registry refuses such servers (CAPABILITY_POLICY)",
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
    report: {
      status: ScanStatus;
      compatibility?: { restricted: boolean } | undefined;
      capabilities?: Pick<Capabilities, "runs"> | undefined;
    };
  },
  { policy, profile, capabilities = "show" }: {
    policy: ExecutionPolicy;
    profile: InterpreterProfile;
    capabilities?: CapabilityPolicy | undefined;
  },
): Refusal | null {
  const runs = (report.capabilities?.runs ?? []).map(({ kind }) => kind);
  const refusal = whyNotAdmitted({ lang, scanStatus: report.status }, policy) ??
    whyNotCapable({ runs }, capabilities);
  if (refusal !== null) return refusal;
  if (profile === "full" || report.compatibility?.restricted !== false) return null;
  return {
    kind: "profile",
    message:
      "The server cannot run here: it uses features that the restricted profile does not support. " +
      "Its security report lists them. It needs INTERPRETER_PROFILE=full, which the operator sets",
  };
}
