/**
 * Whether the registry runs a server, as commands say it that would have it run.
 *
 * @module
 */
import { whyNotRun } from "../../execution/admission/runnable.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Server } from "./server.ts";

/** @throws {CliError} When the registry would not run the server: no client could use it. */
export async function checkRuns(cli: Cli, server: Server): Promise<void> {
  const { security_report: report, lang, name } = server;
  // One that does not tell its rules has the standard ones; sessions then say what they refuse.
  const { execution = { policy: "unless-failed", profile: "full" } } = await cli.service();
  const refusal = whyNotRun({ lang, report }, execution);
  if (refusal === null) return;
  throw new CliError(refusal.kind === "scan" ? EXIT.verdict : EXIT.failure, refusal.message, {
    hint: refusal.kind === "language"
      ? `berth pull ${name} --source FOLDER writes its scanned source there`
      : `berth report ${name} says why`,
  });
}
