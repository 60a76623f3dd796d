/**
 * Whether a node runs a server at all, whoever asks: one rule for the execution endpoint, for pages
 * and for the command line.
 *
 * @module
 */
import {
  type Capabilities,
  type CapabilityDecision,
  type CapabilityPolicy,
  kindsInWords,
  kindsOf,
  type Runs,
} from "../../scan/capabilities_schema.ts";
import type { Build } from "../../scan/build_schema.ts";
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

/** A refusal for what a server runs of its callers. */
export interface CapabilityRefusal extends Refusal {
  kind: "capability";
  /** What keeps it: an administrator has not answered, or has refused, or the operator does. */
  by: "waiting" | "refused" | "policy";
}

/** `sentence` with an administrator's words, as one sentence without its full stop. */
function withReason(sentence: string, reason: string | null | undefined): string {
  const text = reason?.replace(/\s+/g, " ").trim().replace(/[.!]+$/, "") ?? "";
  return text === "" ? sentence : `${sentence}: ${text}`;
}

/** Why a policy keeps a server from running what its callers write; null when it does not. */
export function whyNotCapable(
  { runs, decision }: {
    runs: readonly Runs[];
    /** What an administrator answered, where that is asked for. */
    decision?: Pick<CapabilityDecision, "state" | "reason"> | null | undefined;
  },
  policy: CapabilityPolicy,
): CapabilityRefusal | null {
  if (policy === "show" || runs.length === 0) return null;
  const what = `it ${kindsInWords(runs).join(" and ")}`;
  if (policy === "refuse") {
    return {
      kind: "capability",
      by: "policy",
      message: `The server cannot run here: ${what}, and the operator of this registry refuses ` +
        "such servers (CAPABILITY_POLICY)",
    };
  }
  if (decision?.state === "allowed") return null;
  if (decision?.state === "refused") {
    const sentence = `The server cannot run here: ${what}, and an administrator refused that`;
    return {
      kind: "capability",
      by: "refused",
      message: withReason(sentence, decision.reason),
    };
  }
  return {
    kind: "capability",
    by: "waiting",
    message: `The server cannot run yet: ${what}, and waits for an administrator of this ` +
      "registry to allow that (CAPABILITY_POLICY)",
  };
}

/** What decides which profile a server needs. */
interface ProfileFit {
  restricted: boolean;
  /** Constructs that the restricted profile refuses. */
  refused?: readonly unknown[];
  full?: boolean | undefined;
  /** Constructs that no profile has. */
  missing?: readonly { construct: string }[] | undefined;
  /** What came of starting it, in one profile or both. */
  build?: StartedIn | undefined;
  other_build?: StartedIn | undefined;
}

type StartedIn = Pick<Build, "profile" | "runs">;

/** What fails when it is reached, and keeps no server from starting. */
const REACHED = /^(?:process|socket|thread) \(/;

function mayStartInFull({ full, missing = [], build, other_build: other }: ProfileFit): boolean {
  const started = [build, other].find((each) => each?.profile === "full");
  if (started !== undefined) return started.runs !== "no";
  return full !== false ||
    missing.length > 0 && missing.every(({ construct }) => REACHED.test(construct));
}

/** Whether it takes the full profile: what starts in neither does not. */
function needsFull(fit: ProfileFit | undefined): boolean {
  if (fit?.restricted !== false) return false;
  return fit.refused === undefined || fit.refused.length > 0 || mayStartInFull(fit);
}

/**
 * Why a session of a server would not begin, as far as its report tells; null when it would.
 *
 * @param report Its security report, of which this much decides.
 * @param decision What an administrator answered to its capabilities.
 */
export function whyNotRun(
  { lang, report, decision }: {
    lang: string;
    report: {
      status: ScanStatus;
      compatibility?: ProfileFit | undefined;
      capabilities?: Pick<Capabilities, "runs"> | undefined;
    };
    decision?: Pick<CapabilityDecision, "state" | "reason"> | null | undefined;
  },
  { policy, profile, capabilities = "show" }: {
    policy: ExecutionPolicy;
    profile: InterpreterProfile;
    capabilities?: CapabilityPolicy | undefined;
  },
): Refusal | null {
  const runs = kindsOf(report.capabilities);
  const refusal = whyNotAdmitted({ lang, scanStatus: report.status }, policy) ??
    whyNotCapable({ runs, decision }, capabilities);
  if (refusal !== null) return refusal;
  if (profile === "full" || !needsFull(report.compatibility)) return null;
  return {
    kind: "profile",
    message:
      "The server cannot run here: it uses features that the restricted profile does not support. " +
      "Its security report lists them. It needs INTERPRETER_PROFILE=full, which the operator sets",
  };
}
