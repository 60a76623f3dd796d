/**
 * Commands that run servers.
 *
 * @module
 */
import { Option } from "@commander-js/extra-typings";
import { collect, type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

function envOption() {
  return new Option(
    "-e, --env <name[=value]>",
    "variable for the server; without a value it comes from your environment (repeatable)",
  ).argParser(collect);
}

function envFileOption() {
  return new Option("--env-file <file>", "variables for the server, a NAME=value per line");
}

/** Adds the commands for calling tools. */
export function addExecution(berth: Program, launch: Launch): void {
  berth.command("tools")
    .description("list the tools of a server, or show one with its parameters")
    .argument("<name>", SERVER)
    .argument("[tool]")
    .addOption(envOption())
    .addOption(envFileOption())
    .action((name, tool, options) =>
      launch(async (cli) => await (await load("commands/call")).tools(cli, name, tool, options))
    );
  berth.command("call")
    .description("call a tool in a new session")
    .argument("<name>", SERVER)
    .argument("<tool>")
    .argument("[input]", 'arguments: "-" reads a JSON object from standard input')
    .option("-a, --arg <name=value>", "tool argument (repeatable)", collect)
    .option("--args-json <object>", "arguments as a JSON object")
    .addOption(envOption())
    .addOption(envFileOption())
    .action((name, tool, input, options) =>
      launch(async (cli) =>
        await (await load("commands/call")).call(cli, name, tool, input, options)
      )
    );
  berth.command("shell")
    .description("call tools interactively in one session")
    .argument("<name>", SERVER)
    .addOption(envOption())
    .addOption(envFileOption())
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/shell")).shell(cli, name, options))
    );
  berth.command("connect")
    .description("run a registered server as a local stdio server")
    .argument("<name>", SERVER)
    .addOption(envOption())
    .addOption(envFileOption())
    .option("--no-own-env", "pass on no variables of its own environment")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/connect")).connect(cli, name, options))
    );
}
