/**
 * The five stages of a scan while it runs: lines on standard error, only on a terminal.
 *
 * @module
 */
import { plural } from "../../text/plural.ts";
import type { StageName, StageProgress } from "../../scan/schema.ts";
import type { Cli } from "../cli.ts";

const TITLES: Record<StageName, string> = {
  quality_analysis: "Quality",
  tool_discovery: "Tools",
  dependency_audit: "Dependencies",
  secrets_detection: "Secrets",
  security_audit: "Security",
};
const WIDTH = Math.max(...Object.values(TITLES).map(({ length }) => length));
const CLEAR = "\r\x1b[K";

/** Shows progress; `finish` leaves the terminal at the beginning of a line. */
export interface Progress {
  update(stages: StageProgress[]): void;
  finish(): void;
}

function secondsOf({ started_at, finished_at }: StageProgress): string {
  if (started_at === null || finished_at === null) return "";
  const ms = Math.max(Date.parse(finished_at) - Date.parse(started_at), 0);
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Progress on the terminal, or none. */
export function createProgress(cli: Cli): Progress {
  const { output, context } = cli;
  if (!output.live) return { update() {}, finish() {} };
  const { errStyle: style } = output;
  let shown = 0;
  let pending = false;

  function line(stage: StageProgress, index: number, total: number): string {
    const count = `${index + 1}/${total}`;
    const title = TITLES[stage.stage]?.padEnd(WIDTH) ?? stage.stage;
    if (stage.state === "running") return `${style.cyan("…")} ${style.dim(count)} ${title}`;
    const mark = stage.state === "done" ? style.green("✓") : style.red("✗");
    const issues = stage.issues === null ? "" : plural(stage.issues, "finding");
    const outcome = stage.state === "failed" ? style.red("not finished") : issues;
    return `${mark} ${style.dim(count)} ${title}  ${secondsOf(stage).padStart(7)}  ${outcome}`;
  }

  return {
    update(stages) {
      let text = pending ? CLEAR : "";
      pending = false;
      while (shown < stages.length) {
        const stage = stages[shown]!;
        if (stage.state !== "done" && stage.state !== "failed") break;
        text += `${line(stage, shown, stages.length)}\n`;
        shown++;
      }
      const running = stages[shown];
      if (running?.state === "running") {
        text += line(running, shown, stages.length);
        pending = true;
      }
      if (text !== "") context.err(text);
    },
    finish() {
      if (pending) context.err(CLEAR);
      pending = false;
    },
  };
}
