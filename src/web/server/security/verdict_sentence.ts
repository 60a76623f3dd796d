/**
 * The verdict of a report in one sentence, with its reason.
 *
 * @module
 */
import { decisiveOf } from "../../../scan/decisive.ts";
import { type SecurityReport, SEVERITIES } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";
import { plainProse } from "../../layout/prose.tsx";
import { stagesOf } from "./stages.ts";

const TITLE_MAX = 120;

function shortened(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, " ").trim()];
  return characters.length <= TITLE_MAX
    ? characters.join("")
    : `${characters.slice(0, TITLE_MAX - 1).join("")}…`;
}

function failedSentence(report: SecurityReport): string {
  const decisive = decisiveOf(report)
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  const [first] = decisive;
  if (first === undefined) {
    const stopped = stagesOf(report).find(({ error }) => error !== null);
    return stopped === undefined
      ? "It failed its scan"
      : `It failed its scan: the stage "${stopped.title}" could not be finished`;
  }
  const { file, line } = first;
  const place = file === null ? "" : ` in ${line === null ? file : `${file}:${line}`}`;
  const more = decisive.length - 1;
  return `It failed its scan: ${shortened(plainProse(first.title))}${place}` +
    (more === 0 ? "" : `, and ${plural(more, "more blocking finding")}`);
}

function passedSentence({ summary }: SecurityReport): string {
  const { total_issues_all_scanners: total } = summary;
  if (total === 0) return "It passed its scan: nothing was found";
  return total === 1
    ? "It passed its scan: its one finding is not blocking"
    : `It passed its scan: none of its ${plural(total, "finding")} is blocking`;
}

/** What the scan says of the server, and why; without a full stop. */
export function verdictSentence(report: SecurityReport): string {
  if (report.status === "failed") return failedSentence(report);
  if (report.status === "passed") return passedSentence(report);
  const stopped = stagesOf(report).find(({ error }) => error?.code === "unavailable");
  return `Its scan is not finished: a service ${
    stopped === undefined ? "" : `of the stage "${stopped.title}" `
  }did not answer. It is repeated automatically`;
}
