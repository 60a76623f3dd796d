/**
 * Commands that run servers.
 *
 * @module
 */
import { collect, type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

/** Adds the commands for calling tools. */
export function addExecution(berth: Program, launch: Launch): void {
  berth.command("tools")
    .description("list the tools of a server, or show one with its parameters")
    .argument("<name>", SERVER)
    .argument("[tool]")
    .action((name, tool) =>
      launch(async (cli) => await (await load("commands/call")).tools(cli, name, tool))
    );
  berth.command("call")
    .description("call a tool in a new session")
    .argument("<name>", SERVER)
    .argument("<tool>")
    .argument("[input]", 'arguments: "-" reads a JSON object from standard input')
    .option("-a, --arg <name=value>", "tool argument (repeatable)", collect)
    .option("--args-json <object>", "arguments as a JSON object")
    .action((name, tool, input, options) =>
      launch(async (cli) =>
        await (await load("commands/call")).call(cli, name, tool, input, options)
      )
    );
  berth.command("shell")
    .description("call tools interactively in one session")
    .argument("<name>", SERVER)
    .action((name) => launch(async (cli) => await (await load("commands/shell")).shell(cli, name)));
  berth.command("connect")
    .description("run a registered server as a local stdio server")
    .argument("<name>", SERVER)
    .action((name) =>
      launch(async (cli) => await (await load("commands/connect")).connect(cli, name))
    );
}
