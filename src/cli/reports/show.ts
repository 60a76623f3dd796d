/**
 * A report in the form that was asked for.
 *
 * @module
 */
import type { SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import type { Format } from "../definitions/choices.ts";
import { reportText } from "./report_text.ts";

/** Prints `report`. @param body It as the registry sent it. */
export async function showReport(
  cli: Cli,
  report: SecurityReport,
  body: unknown,
  format: Format,
): Promise<void> {
  if (format === "sarif") {
    const { sarifOf } = await import("../../scan/export/sarif.ts");
    const sarif = sarifOf(report, { server: report.metadata.repository });
    cli.context.out(`${JSON.stringify(sarif, null, 2)}\n`);
  } else if (format === "json" || cli.output.json) {
    cli.context.out(`${JSON.stringify(body, null, 2)}\n`);
  } else {
    cli.context.out(reportText(report, cli.output.style));
  }
}
