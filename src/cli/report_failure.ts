/**
 * How a failed command ends: one line what, one line what to do; with `--json` one object.
 *
 * @module
 */
import { CommanderError } from "@commander-js/extra-typings";
import { AppError } from "../errors.ts";
import type { CliContext } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { GlobalOptions } from "./cli.ts";
import { failureJson } from "./output/failure_json.ts";
import { createOutput } from "./output/output.ts";
import { safe } from "./output/terminal_text.ts";

/** 128 and the signal's number, as shells have it. */
const INTERRUPTED = 130;

function describe(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof AppError) return new CliError(EXIT.failure, error.message);
  if (error instanceof Deno.errors.NotCapable) {
    return new CliError(EXIT.failure, "Deno denied a permission", {
      hint: `Start berth with its permissions: deno task berth (${error.message.split(",")[0]})`,
    });
  }
  return new CliError(EXIT.failure, error instanceof Error ? error.message : String(error));
}

/** `failure` without a hint that only names the command which has just failed. */
function withUsefulHint(failure: CliError, command: string): CliError {
  if (command === "" || failure.hint !== `berth ${command}`) return failure;
  const { exit, message, body, lines, cause } = failure;
  return new CliError(exit, message, { body, lines, cause });
}

/**
 * Tells of `error`.
 *
 * @param command The words of the command that failed.
 * @returns The exit code.
 */
export function reportFailure(
  context: CliContext,
  options: GlobalOptions,
  error: unknown,
  command = "",
): ExitCode | typeof INTERRUPTED {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof DOMException && error.name === "AbortError") return INTERRUPTED;
  if (context.env("BERTH_DEBUG") !== undefined && error instanceof Error) {
    context.err(`${error.stack}\n`);
  }
  const failure = withUsefulHint(describe(error), command);
  if (options.json) {
    context.err(`${JSON.stringify(failureJson(failure))}\n`);
    return failure.exit;
  }
  const { errStyle } = createOutput(context, options);
  const lines = [
    `${errStyle.red("berth:")} ${safe(failure.message)}`,
    ...failure.lines.map((line) => `  ${line}`),
    ...(failure.hint === null ? [] : [`${errStyle.dim("Hint:")} ${safe(failure.hint)}`]),
  ];
  context.err(`${lines.join("\n")}\n`);
  return failure.exit;
}
