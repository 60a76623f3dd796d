/**
 * What every command is given: its surroundings, the global options and the registry.
 *
 * @module
 */
import type { Api } from "./client/api.ts";
import type { CliContext } from "./context.ts";
import { usageError } from "./failure.ts";
import { createOutput, type Output, type OutputOptions } from "./output/output.ts";
import type { Service } from "./sign_in/service.ts";
import { loader } from "./lazy.ts";

const load = loader<{
  "client/api": typeof import("./client/api.ts");
  "settings/settings": typeof import("./settings/settings.ts");
  "sign_in/service": typeof import("./sign_in/service.ts");
}>();

export interface GlobalOptions extends OutputOptions {
  registry?: string | undefined;
  /** False with `--no-input`. */
  input: boolean;
}

/** One run of a command. */
export interface Cli {
  context: CliContext;
  output: Output;
  options: GlobalOptions;
  /** Whether questions may be asked. */
  asks: boolean;
  /** Address of the registry. */
  registry(): Promise<string>;
  api(): Promise<Api>;
  /** What the registry says of itself. */
  service(): Promise<Service>;
  /** Asks yes or no; false at the end of input. */
  confirm(question: string): Promise<boolean>;
  /**
   * Makes sure that the user means it: by `yes`, or by asking.
   *
   * @param option What says yes on the command line.
   * @throws {CliError} "usage" where nobody can be asked.
   */
  ensure(question: string, yes: boolean | undefined, option?: string): Promise<boolean>;
}

/** Starts a run of a command. Modules that need the network or files are loaded on first use. */
export function createCli(context: CliContext, options: GlobalOptions): Cli {
  const output = createOutput(context, options);
  const { terminals } = context;
  const asks = options.input && terminals.in && terminals.err;
  let registry: Promise<string> | undefined;
  let service: Promise<Service> | undefined;

  async function findRegistry(): Promise<string> {
    const { chooseRegistry } = await load("settings/settings");
    return (await chooseRegistry(context, options.registry)).url;
  }

  async function describe(): Promise<Service> {
    const { describeRegistry } = await load("sign_in/service");
    return await describeRegistry(context, await cli.registry());
  }

  const cli: Cli = {
    context,
    output,
    options,
    asks,
    registry: () => registry ??= findRegistry(),
    service: () => service ??= describe(),
    async api() {
      const { createApi } = await load("client/api");
      return createApi(context, await cli.registry());
    },
    async confirm(question) {
      const answer = await context.ask(`${question} [y/N] `);
      return /^y(es)?$/i.test(answer?.trim() ?? "");
    },
    async ensure(question, yes, option = "--yes") {
      if (yes) return true;
      if (!asks) {
        throw usageError(`Confirmation required: ${question}`, `Pass ${option} to confirm`);
      }
      return await cli.confirm(question);
    },
  };
  return cli;
}
