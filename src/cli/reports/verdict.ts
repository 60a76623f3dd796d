/**
 * How a command ends whose scan has ended.
 *
 * @module
 */
import type { SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { oneLine } from "../output/text.ts";
import type { FailOn } from "../definitions/choices.ts";
import { findingsOf } from "../../scan/compare.ts";
import { decisiveOf } from "../../scan/decisive.ts";
import { incompleteOf, isWorse } from "./findings.ts";
import { findingLines, verdictText } from "./text.ts";

/**
 * Tells of the verdict on standard error: what failed it, with file and line.
 *
 * @returns 6 when it is worse than `failOn` allows; 4 when that is only so because a service outside
 * could not be asked.
 */
export function tellVerdict(cli: Cli, report: SecurityReport, failOn: FailOn): ExitCode {
  const { context, output } = cli;
  const style = output.errStyle;
  const worse = isWorse(report, failOn);
  const { total_issues_all_scanners: issues } = report.summary;
  const line = `Scan ${verdictText(report.status, style)}: ` +
    (issues === 1 ? "1 issue" : `${issues} issues`);
  if (!worse) {
    output.note(line);
    return EXIT.ok;
  }
  const decisive = decisiveOf(report);
  const shown = decisive.length > 0 || failOn === "verdict" ? decisive : findingsOf(report);
  context.err(`${line}\n`);
  for (const finding of shown) context.err(findingLines(finding, style));
  for (const text of incompleteOf(report)) context.err(`Not finished: ${oneLine(text, 300)}\n`);
  const outside = report.status === "error" && shown.length === 0;
  const hint = outside
    ? "A service outside could not be asked: try again shortly"
    : "Correct what is listed, then try again";
  context.err(`${style.dim("Hint:")} ${hint}\n`);
  return outside ? EXIT.unreachable : EXIT.verdict;
}
