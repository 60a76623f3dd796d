/**
 * What the definitions of commands share.
 *
 * @module
 */
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import type { Cli } from "../cli.ts";
import type { ExitCode } from "../failure.ts";

/** The program, as definitions see it: they add to it. */
export type Program = Pick<Command, "command">;

/** Runs a command's work; what it returns is the exit code, 0 by default. */
export type Launch = (work: (cli: Cli) => Promise<ExitCode | void>) => Promise<void>;

/** What an argument is that names a server; completion asks the registry for such names. */
export const SERVER = "server";

/** Parser of whole numbers within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Parser of options that may be given several times. */
export function collect(value: string, before: string[] | undefined): string[] {
  return [...before ?? [], value];
}
