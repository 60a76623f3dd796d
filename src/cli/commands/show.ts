/**
 * `berth show` and `berth report`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { getServer, type Server } from "../client/server.ts";
import { pairs } from "../output/table.ts";
import { moment, oneLine } from "../output/terminal_text.ts";
import type { FailOn, Format } from "../definitions/choices.ts";
import { showReport } from "../reports/show.ts";
import { runsInWords } from "../../scan/capabilities_schema.ts";
import { decisionSentence } from "../reports/decision.ts";
import { buildSentence } from "../../scan/build_schema.ts";
import { decisiveOf } from "../../scan/decisive.ts";
import { plural } from "../../text/plural.ts";
import { verdictText } from "../reports/report_text.ts";
import { tellVerdict } from "../reports/verdict.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { priceOf } from "./list.ts";

function detail(cli: Cli, server: Server): string {
  const { style } = cli.output;
  const { security_report: report } = server;
  const build = report.compatibility?.build;
  const decision = decisionSentence(server);
  const head = `${style.bold(oneLine(server.name))} ${oneLine(server.version)}\n` +
    `${server.description}\n\n`;
  return head + pairs([
    ["author", oneLine(server.author)],
    ["license", oneLine(server.license)],
    ["language", server.lang],
    ["price", priceOf(server.pricing)],
    ["repository", server.repository.url],
    ["entrypoint", server.entrypoint],
    ["commit", server.source.commit],
    ["tools", server.tools.names.join(", ")],
    [
      "scan",
      `${verdictText(report.status, style)}, ` +
      `${plural(report.summary.total_issues_all_scanners, "finding")} ` +
      `(${decisiveOf(report).length} blocking), ${moment(report.metadata.scan_date)}`,
    ],
    ...runsInWords(report.capabilities ?? { runs: [] }).map((words) =>
      ["capability", words] as [string, string]
    ),
    ...(decision === null ? [] : [["permission", decision] as [string, string]]),
    ...(build === undefined
      ? []
      : [["runs", oneLine(buildSentence(build), 400)] as [string, string]]),
    ...(server.visibility === undefined || server.visibility === "public"
      ? []
      : [["visibility", oneLine(server.visibility)] as [string, string]]),
    ["updated", moment(server.updated_at)],
  ], style);
}

/** Prints the record of a registered server. */
export async function show(cli: Cli, name: string): Promise<void> {
  const { body, server } = await getServer(await cli.api(), name);
  cli.output.data(body, () => detail(cli, server));
}

/**
 * Prints the security report of a registered server; the exit code tells whether `failOn` matched.
 */
export async function report(
  cli: Cli,
  name: string,
  options: { format: Format; failOn?: FailOn | undefined },
): Promise<ExitCode> {
  const { body, server } = await getServer(await cli.api(), name);
  const { security_report: sent } = (body as { server: { security_report: unknown } }).server;
  await showReport(cli, server.security_report, sent, options.format);
  return options.failOn === undefined
    ? EXIT.ok
    : tellVerdict(cli, server.security_report, options.failOn, true);
}
