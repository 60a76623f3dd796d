/**
 * Where a command's words go: data to standard output, everything else to standard error.
 *
 * @module
 */
import type { CliContext } from "../context.ts";
import { createStyle, type Style } from "./style.ts";
import { plainTable, prettyTable, type Table } from "./table.ts";

/** How the user wants it, from the options that every command has. */
export interface OutputOptions {
  json?: true | undefined;
  quiet?: true | undefined;
  color: boolean;
}

/** What commands write with. */
export interface Output {
  json: boolean;
  quiet: boolean;
  /** For standard output. */
  style: Style;
  /** For standard error. */
  errStyle: Style;
  /** Whether progress may be shown: standard error is a terminal, and nobody asked for quiet. */
  live: boolean;
  /** Data: `value` with `--json`, else the text. */
  data(value: unknown, text: () => string): void;
  /** A table as data, for people or for programs; `value` with `--json`. */
  table(value: unknown, table: () => Table): void;
  /** A line for people. */
  note(line: string): void;
  /** A line that something is done: with a mark. */
  done(line: string): void;
  /** A line that people should see, whatever they asked for. */
  warn(line: string): void;
}

/** Whether colours are wanted, by the conventions of terminals. */
function wantsColour(context: CliContext, options: OutputOptions, terminal: boolean): boolean {
  if (!options.color || context.env("NO_COLOR") !== undefined) return false;
  const forced = context.env("FORCE_COLOR");
  if (forced !== undefined) return forced !== "0";
  return terminal && context.env("TERM") !== "dumb";
}

export function createOutput(context: CliContext, options: OutputOptions): Output {
  const { terminals } = context;
  const quiet = options.quiet === true;
  const json = options.json === true;
  const style = createStyle(wantsColour(context, options, terminals.out));
  const errStyle = createStyle(wantsColour(context, options, terminals.err));
  const asJson = (value: unknown) => context.out(`${JSON.stringify(value, null, 2)}\n`);
  return {
    json,
    quiet,
    style,
    errStyle,
    live: terminals.err && !quiet,
    data: (value, text) => json ? asJson(value) : context.out(text()),
    table(value, table) {
      if (json) return asJson(value);
      const { head, rows } = table();
      if (!terminals.out) return context.out(plainTable({ head, rows }));
      if (rows.length > 0) context.out(prettyTable({ head, rows }, style, terminals.columns));
    },
    note: (line) => quiet ? undefined : context.err(`${line}\n`),
    done: (line) => quiet ? undefined : context.err(`${errStyle.green("✓")} ${line}\n`),
    warn: (line) => context.err(`${errStyle.yellow("!")} ${line}\n`),
  };
}
