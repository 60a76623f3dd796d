/**
 * How a command fails: an exit code, one line what, one line what to do.
 *
 * @module
 */

/** Exit codes of `berth`. */
export const EXIT = {
  ok: 0,
  /** The command failed. */
  failure: 1,
  /** Usage error. */
  usage: 2,
  /** Not signed in, or the sign-in has expired. */
  signedOut: 3,
  /** The registry, the issuer or the execution endpoint cannot be reached. */
  unreachable: 4,
  /** The tool returned an error. */
  tool: 5,
  /** The scan's verdict is worse than `--fail-on` allows, or keeps the server from running. */
  verdict: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a {@link CliError} may say beside its message. */
export interface CliErrorOptions {
  /** What to do about it: a sentence, or a command. */
  hint?: string;
  /** The registry's answer, of which `--json` shows what it says beside the message. */
  body?: unknown;
  /** More lines between what and what to do. */
  lines?: string[];
  cause?: unknown;
}

/** Ends a command with an exit code. The message is one line: sentence case, no final period. */
export class CliError extends Error {
  /** What to do about it. */
  readonly hint: string | null;
  /** The registry's response, or null. */
  readonly body: unknown;
  /** Lines between the message and the hint. */
  readonly lines: string[];

  /** @param exit The program's exit code. */
  constructor(readonly exit: ExitCode, message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CliError";
    this.hint = options.hint ?? null;
    this.body = options.body ?? null;
    this.lines = options.lines ?? [];
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(EXIT.usage, message, hint === undefined ? {} : { hint });
}

export function signedOut(message: string): CliError {
  return new CliError(EXIT.signedOut, message, { hint: "berth login" });
}
