/**
 * Whether pages offer a server to be tried and added to clients.
 *
 * @module
 */
import { type Refusal, whyNotRun } from "../../execution/admission/runnable.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import type { PageRequest } from "../layout/context.ts";

/** Why a server is not offered here. */
export interface NotOffered {
  /** `build`: it was started once, and did not run. */
  kind: Refusal["kind"] | "build";
  /** A sentence for people, without its full stop. */
  message: string;
}

/** Why the server cannot be used here; null when it can. */
export function refusalOf({ services }: PageRequest, server: ServerDetail): NotOffered | null {
  const { lang, security_report: report, capability_decision: decision } = server;
  const refusal = whyNotRun({ lang, report, decision }, services.rules);
  if (refusal !== null) return refusal;
  if (server.build?.runs !== "no") return null;
  const { reason } = server.build;
  return {
    kind: "build",
    message: `The server does not start here${reason === null ? "" : `: ${reason}`}`,
  };
}
