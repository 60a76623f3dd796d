/**
 * Whether the registry runs a server.
 *
 * @module
 */
import { whyNotRun } from "../../execution/admission/runnable.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Server } from "./server.ts";

/** @throws {CliError} When the registry would not run the server: no client could use it. */
export async function checkRuns(cli: Cli, server: Server): Promise<void> {
  const { security_report: report, capability_decision: decision, lang, name } = server;
  // A registry that does not state its rules has the defaults; sessions then say what they refuse.
  const { execution = { policy: "unless-failed", profile: "full" } } = await cli.service();
  const refusal = whyNotRun({ lang, report, decision }, execution);
  if (refusal === null) return;
  throw new CliError(refusal.kind === "scan" ? EXIT.verdict : EXIT.failure, refusal.message, {
    hint: refusal.kind === "language"
      ? `Download its scanned source with berth pull ${name} --source FOLDER`
      : `See why with berth report ${name}`,
  });
}
