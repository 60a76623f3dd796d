/**
 * How a command ends whose scan has ended.
 *
 * @module
 */
import type { Finding, SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT, type ExitCode } from "../failure.ts";
import { plural } from "../../text/plural.ts";
import { oneLine } from "../output/terminal_text.ts";
import type { FailOn } from "../definitions/choices.ts";
import { findingsOf } from "../../scan/compare.ts";
import { incompleteOf, isWorse, refusedBy } from "./findings.ts";
import { findingLines, placeOf, verdictText } from "./report_text.ts";

/** Findings that are shown of a scan that is good enough. */
const SHOWN = 20;

/** What people see of a scan that is good enough: its issues, if it has any. */
function tellPassed(cli: Cli, line: string, issues: readonly Finding[], isShown: boolean): void {
  const { context, output } = cli;
  output.note(line);
  if (isShown || output.quiet || output.json) return;
  for (const finding of issues.slice(0, SHOWN)) context.err(findingLines(finding, output.errStyle));
  for (const line of restLines(issues.length - SHOWN)) output.note(line);
}

/** Says how many issues are not shown here; nothing when there are none. */
function restLines(count: number): string[] {
  return count > 0 ? [`… and ${count} more in the report`] : [];
}

function faultOf(finding: Finding) {
  const { title, rule } = finding;
  return { path: oneLine(placeOf(finding)), message: oneLine(`${title} (${rule})`, 300) };
}

/** Why `failOn` is not satisfied, where the registry's own rules may well be. */
function complaint(report: SecurityReport, failOn: FailOn, worse: readonly Finding[]): string {
  if (failOn === "verdict") return `Scan ${report.status}`;
  const found = worse.length === 0
    ? "stages that did not finish"
    : `${plural(worse.length, "finding")} rated ${failOn}${
      failOn === "critical" ? "" : " or worse"
    }`;
  const joint = report.status === "passed" ? "but" : "and";
  return `Scan ${report.status} by the registry's rules, ${joint} --fail-on ${failOn} ` +
    `does not allow ${found}`;
}

/**
 * Tells of the verdict on standard error: what failed it, with file and line, else the issues there
 * are.
 *
 * @param isShown Whether the report itself was printed.
 * @throws {CliError} "verdict" when it is worse than `failOn` allows; "unreachable" when that is only
 * so because a service outside could not be asked.
 */
export function tellVerdict(
  cli: Cli,
  report: SecurityReport,
  failOn: FailOn,
  isShown = false,
): ExitCode {
  const style = cli.output.errStyle;
  const issues = findingsOf(report).filter(({ severity }) => severity !== "info");
  if (!isWorse(report, failOn)) {
    const line = `Scan ${verdictText(report.status, style)}: ${plural(issues.length, "finding")}`;
    tellPassed(cli, line, issues, isShown);
    return EXIT.ok;
  }
  const worse = refusedBy(report, failOn);
  const outside = report.status === "error" && worse.length === 0;
  const exit = outside ? EXIT.unreachable : EXIT.verdict;
  const message = `${complaint(report, failOn, worse)}: ${plural(issues.length, "finding")}`;
  throw new CliError(exit, message, {
    lines: isShown ? [] : [
      ...worse.flatMap((finding) => findingLines(finding, style).trimEnd().split("\n")),
      ...restLines(issues.length - worse.length),
      ...incompleteOf(report).map((text) => `Not finished: ${oneLine(text, 300)}`),
    ],
    body: { errors: worse.map(faultOf) },
    hint: outside
      ? "An external service could not be reached. Try again in a moment"
      : "Fix the findings above and scan again",
  });
}
