/**
 * What commands say about the build: whether a server runs on the registry's nodes.
 *
 * @module
 */
import {
  type Build,
  buildSentence,
  otherSentence,
  type Runs,
  RUNS_LABELS,
} from "../../scan/build_schema.ts";
import type { SecurityReport } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT } from "../failure.ts";
import type { Style } from "../output/style.ts";
import { oneLine } from "../output/terminal_text.ts";

const MESSAGE_LINES = 8;

function paintOf(runs: Runs, style: Style) {
  if (runs === "yes") return style.green;
  return runs === "no" ? style.red : style.yellow;
}

export function runsText(runs: Runs, style: Style): string {
  return paintOf(runs, style)(RUNS_LABELS[runs]);
}

/** What happened and what to do, one line each; nothing of a server that runs. */
export function problemLines({ problem }: Build): string[] {
  if (problem === null) return [];
  const { message, hint } = problem;
  return [
    ...message.split("\n").slice(0, MESSAGE_LINES).map((line) => oneLine(line, 300)),
    `Fix: ${oneLine(hint, 500)}`,
  ];
}

/**
 * Says whether the server of a report runs here, last of all; nothing where no build says it.
 *
 * @param mustRun Whether a server that does not run is a failure.
 * @throws {CliError} "verdict" for a server that does not run, or was not tried, and must.
 */
export function tellBuild(cli: Cli, { compatibility }: SecurityReport, mustRun = false): void {
  const build = compatibility?.build;
  const runs = build?.runs ?? "not_tried";
  const sentence = build === undefined ? RUNS_LABELS.not_tried : oneLine(buildSentence(build), 400);
  const lines = build === undefined ? [] : problemLines(build);
  if (mustRun && (runs === "no" || runs === "not_tried")) {
    throw new CliError(EXIT.verdict, sentence, { lines });
  }
  if (build === undefined) return;
  const { output } = cli;
  output.note(paintOf(runs, output.errStyle)(sentence));
  for (const line of lines) output.note(`  ${line}`);
  const other = otherSentence(compatibility?.other_build);
  if (other !== null) output.note(oneLine(other, 400));
}
