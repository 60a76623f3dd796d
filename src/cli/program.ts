/**
 * The `berth` command line: its commands, and how their outcome becomes an exit code. What a
 * command does is loaded when it runs.
 *
 * @module
 */
import { Command } from "@commander-js/extra-typings";
import { createCli, type GlobalOptions } from "./cli.ts";
import { deprecatedRun } from "./commands/run.ts";
import type { CliContext } from "./context.ts";
import { addAccount } from "./definitions/account.ts";
import { addAuthors } from "./definitions/authors.ts";
import type { Launch } from "./definitions/definition.ts";
import { addClients } from "./definitions/clients.ts";
import { addExecution } from "./definitions/execution.ts";
import { addServers } from "./definitions/servers.ts";
import { addUpkeep } from "./definitions/upkeep.ts";
import { EXIT } from "./failure.ts";
import { reportFailure } from "./report_failure.ts";
import { VERSION } from "./version.ts";

const EXITS = `
Exit codes:
  0 done           3 not signed in     5 the tool answered with an error
  1 failed         4 unreachable       6 the scan is worse than --fail-on allows
  2 called wrongly`;

/** The program, with every command. */
export function createProgram(context: CliContext, result: { exit: number }) {
  const berth = new Command("berth")
    .description("Berth: a registry of MCP servers that also runs them")
    .version(VERSION, "-V, --version", "show the version")
    .optionsGroup("Options of every command:")
    .option("-r, --registry <url>", "the registry (BERTH_REGISTRY)")
    .option("--json", "print what the API answered, as JSON")
    .option("-q, --quiet", "print nothing but data and errors")
    .option("--no-color", "no colours (NO_COLOR)")
    .option("--no-input", "ask nothing")
    .exitOverride()
    .showHelpAfterError("Hint: berth --help lists the commands")
    .addHelpText("after", EXITS)
    .configureOutput({ writeOut: context.out, writeErr: context.err });
  const options = (): GlobalOptions => berth.opts();
  const launch: Launch = async (work) => {
    result.exit = await work(createCli(context, options())) ?? EXIT.ok;
  };
  berth.commandsGroup("Look at servers:");
  addServers(berth, launch);
  berth.commandsGroup("Run servers:");
  addExecution(berth, launch);
  addClients(berth, launch);
  berth.commandsGroup("Publish servers:");
  addAuthors(berth, launch);
  berth.commandsGroup("Your account:");
  addAccount(berth, launch);
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
  const result = { exit: EXIT.ok as number };
  const { berth, options } = createProgram(context, result);
  try {
    await berth.parseAsync(args, { from: "user" });
    return result.exit;
  } catch (error) {
    return reportFailure(context, options(), error);
  }
}
