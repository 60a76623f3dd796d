/**
 * What commands say about an administrator's permission, where a server needs one.
 *
 * @module
 */
import { kindsInWords, kindsOf } from "../../scan/capabilities_schema.ts";
import type { Cli } from "../cli.ts";
import type { Server } from "../client/server.ts";
import { oneLine } from "../output/terminal_text.ts";

/** Where the server stands, in a sentence; null where nobody is asked. */
export function decisionSentence(server: Server): string | null {
  const { capability_decision: decision, security_report: report } = server;
  if (!decision) return null;
  const what = kindsInWords(kindsOf(report.capabilities)).join(" and ");
  const reason = decision.reason === null ? "" : `: ${decision.reason}`;
  const text = {
    waiting: `Waits for an administrator of the registry to allow it: it ${what}`,
    allowed: `Allowed by an administrator${reason}`,
    refused: `Refused by an administrator${reason}`,
  }[decision.state];
  return oneLine(text, 600);
}

/** Says on standard error where the server stands with administrators. */
export function tellDecision({ output }: Cli, server: Server): void {
  const sentence = decisionSentence(server);
  if (sentence === null) return;
  const { state } = server.capability_decision!;
  const paint = { waiting: "yellow", allowed: "green", refused: "red" } as const;
  output.note(output.errStyle[paint[state]](sentence));
}
