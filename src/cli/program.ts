/**
 * The `berth` command line: its commands, and how their outcome becomes an exit code. What a
 * command does is loaded when it runs.
 *
 * @module
 */
import { Command, type CommandUnknownOpts, Help, Option } from "@commander-js/extra-typings";
import { createCli, type GlobalOptions } from "./cli.ts";
import { deprecatedRun } from "./commands/run.ts";
import type { CliContext } from "./context.ts";
import { addAccount } from "./definitions/account.ts";
import { addAdministration } from "./definitions/administration.ts";
import { addAuthors } from "./definitions/authors.ts";
import type { Launch } from "./definitions/definition.ts";
import { addClients } from "./definitions/clients.ts";
import { addExecution } from "./definitions/execution.ts";
import { addServers } from "./definitions/servers.ts";
import { addUpkeep } from "./definitions/upkeep.ts";
import { EXIT, usageError } from "./failure.ts";
import { reportFailure } from "./report_failure.ts";
import { VERSION } from "./version.ts";

const EXITS = `
Exit codes:
  0 success        3 not signed in     5 the tool returned an error
  1 failure        4 unreachable       6 the scan is worse than --fail-on allows
  2 usage error`;

// Not among the program's own, which go before those of a command: only before any command.
const VERSION_FLAGS = ["-V", "--version"];

/** Whether the version is asked for, before any command is named. */
function asksVersion(args: readonly string[]): boolean {
  const first = args.findIndex((arg) => VERSION_FLAGS.includes(arg));
  return first >= 0 && args.slice(0, first).every((arg) => arg.startsWith("-"));
}

/** Reports usage errors of `command` and of its commands as all other failures are reported. */
function failInOwnWords(command: CommandUnknownOpts, path: string): void {
  command.exitOverride((error) => {
    // Help that was asked for, or shown because a command is missing.
    if (error.exitCode === EXIT.ok || error.code === "commander.help") throw error;
    const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
    const message = (what.charAt(0).toUpperCase() + what.slice(1)).replace(/\.$/, "");
    const help = command.parent === null ? "to list the commands" : "for usage";
    const [, meant] = /^\((Did you mean (?!--version).*)\)$/.exec(suggestion ?? "") ?? [];
    throw usageError(message, meant ?? `Run ${path} --help ${help}`);
  });
  for (const one of command.commands) failInOwnWords(one, `${path} ${one.name()}`);
}

/** The exit code of a run, and the command that it was for. */
export interface Outcome {
  exit: number;
  /** The command that ran, with its words: "token create"; empty while there is none. */
  command: string;
}

/** The words that name `command`, without the program's own. */
function wordsOf(command: CommandUnknownOpts): string {
  const { parent } = command;
  return parent === null ? "" : `${wordsOf(parent)} ${command.name()}`.trim();
}

/** What is asked for of a failure before a wrong call has let all options be read. */
function saidAnywhere(args: readonly string[]): { json?: true } {
  const ended = args.indexOf("--");
  const options = ended < 0 ? args : args.slice(0, ended);
  return options.includes("--json") ? { json: true } : {};
}

export function createProgram(context: CliContext, result: Outcome) {
  const berth = new Command("berth")
    .description("Berth: a registry of MCP servers that also runs them")
    .optionsGroup("Global options:")
    .option("-r, --registry <url>", "registry URL (BERTH_REGISTRY)")
    .option("--json", "print the API response as JSON")
    .option("-q, --quiet", "print only data and errors")
    .option("--no-color", "disable colours (NO_COLOR)")
    .option("--no-input", "never prompt")
    .addHelpText("after", EXITS)
    .configureHelp({
      visibleOptions(command) {
        const options = new Help().visibleOptions(command);
        return command.parent === null
          ? [new Option(VERSION_FLAGS.join(", "), "show the version"), ...options]
          : options;
      },
    })
    // Errors are told by reportFailure().
    .configureOutput({ writeOut: context.out, writeErr: context.err, outputError: () => {} });
  berth.hook("preAction", (_, command) => {
    result.command = wordsOf(command as unknown as CommandUnknownOpts);
  });
  const options = (): GlobalOptions => berth.opts();
  const launch: Launch = async (work) => {
    result.exit = await work(createCli(context, options())) ?? EXIT.ok;
  };
  berth.commandsGroup("Find servers:");
  addServers(berth, launch);
  berth.commandsGroup("Run servers:");
  addExecution(berth, launch);
  addClients(berth, launch);
  berth.commandsGroup("Publish servers:");
  addAuthors(berth, launch);
  berth.commandsGroup("Your account:");
  addAccount(berth, launch);
  berth.commandsGroup("Administration:");
  addAdministration(berth, launch);
  berth.commandsGroup("This command line:");
  addUpkeep(berth, launch);
  berth.command("run")
    .description("deprecated: use berth pull")
    .argument("[arguments...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(() => deprecatedRun(context));
  berth.command("version")
    .description("show the version")
    .action(() =>
      launch((cli) => Promise.resolve(cli.output.data({ version: VERSION }, () => `${VERSION}\n`)))
    );
  failInOwnWords(berth, "berth");
  return { berth, options };
}

/**
 * Runs `berth` with `args` (without the program's name).
 *
 * @returns The exit code, see {@link EXIT}.
 */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  if (args[0] === "run") {
    // Before anything else looks at its arguments: any are fine.
    deprecatedRun(context);
    return EXIT.ok;
  }
  if (asksVersion(args)) {
    context.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const result: Outcome = { exit: EXIT.ok, command: "" };
  const { berth, options } = createProgram(context, result);
  try {
    await berth.parseAsync(args, { from: "user" });
    return result.exit;
  } catch (error) {
    return reportFailure(context, { ...options(), ...saidAnywhere(args) }, error, result.command);
  }
}
