/**
 * The `berth` command line: commands and how their outcome becomes an exit code.
 *
 * @module
 */
import { Command, CommanderError } from "commander";
import project from "../../deno.json" with { type: "json" };
import { deprecatedRun } from "./commands/run.ts";

/** Exit codes of `berth`. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** What a command may touch. */
export interface CliContext {
  /** Writes to standard output; data only. */
  out: (text: string) => void;
  /** Writes to standard error; everything that is not data. */
  err: (text: string) => void;
}

function program(context: CliContext): Command {
  const berth = new Command("berth")
    .description("Berth: a registry of MCP servers that also runs them")
    .version(project.version, "-V, --version", "show the version")
    .exitOverride()
    .showHelpAfterError("Hint: berth --help lists the commands")
    .configureOutput({ writeOut: context.out, writeErr: context.err });
  berth.command("run")
    .description("deprecated: use berth pull")
    .argument("[arguments...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(() => deprecatedRun(context));
  berth.command("version")
    .description("show the version")
    .action(() => context.out(`${project.version}\n`));
  return berth;
}

/**
 * Runs `berth` with `args` (without the program's name).
 *
 * @returns The exit code: 0 done, 1 failed, 2 called wrongly.
 */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  try {
    await program(context).parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    context.err(`berth: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failure;
  }
}
