/**
 * How a failed command ends: one line what, one line what to do; with `--json` the envelope.
 *
 * @module
 */
import { CommanderError } from "@commander-js/extra-typings";
import { AppError } from "../errors.ts";
import type { CliContext } from "./context.ts";
import { CliError, EXIT, type ExitCode } from "./failure.ts";
import type { GlobalOptions } from "./cli.ts";
import { createOutput } from "./output/output.ts";
import { safe } from "./output/text.ts";

/** 128 and the signal's number, as shells have it. */
const INTERRUPTED = 130;

function describe(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof AppError) return new CliError(EXIT.failure, error.message);
  if (error instanceof Deno.errors.NotCapable) {
    return new CliError(EXIT.failure, "Deno was not allowed to do this", {
      hint: `Start berth with its permissions: deno task berth (${error.message.split(",")[0]})`,
    });
  }
  return new CliError(EXIT.failure, error instanceof Error ? error.message : String(error));
}

/** Tells of `error`. @returns The exit code. */
export function reportFailure(
  context: CliContext,
  options: GlobalOptions,
  error: unknown,
): ExitCode | typeof INTERRUPTED {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof DOMException && error.name === "AbortError") return INTERRUPTED;
  if (context.env("BERTH_DEBUG") !== undefined && error instanceof Error) {
    context.err(`${error.stack}\n`);
  }
  const failure = describe(error);
  if (options.json) {
    const body = failure.body ?? { status: "error", detail: failure.message };
    const shown = failure.hint === null ? body : { ...body as object, hint: failure.hint };
    context.err(`${JSON.stringify(shown)}\n`);
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
