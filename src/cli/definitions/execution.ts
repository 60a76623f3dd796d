/**
 * Commands that run servers.
 *
 * @module
 */
import { collect, type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

/** Adds them. */
export function addExecution(berth: Program, launch: Launch): void {
  berth.command("tools")
    .description("list the tools of a server, or show one with its parameters")
    .argument("<name>", SERVER)
    .argument("[tool]")
    .action((name, tool) =>
      launch(async (cli) => await (await load("commands/call")).tools(cli, name, tool))
    );
  berth.command("call")
    .description("call a tool in a session of its own")
    .argument("<name>", SERVER)
    .argument("<tool>")
    .argument("[input]", 'arguments: "-" reads a JSON object from standard input')
    .option("-a, --arg <name=value>", "an argument; repeat for each", collect)
    .option("--args-json <object>", "arguments as a JSON object")
    .action((name, tool, input, options) =>
      launch(async (cli) =>
        await (await load("commands/call")).call(cli, name, tool, input, options)
      )
    );
  berth.command("shell")
    .description("one session, many calls")
    .argument("<name>", SERVER)
    .action((name) => launch(async (cli) => await (await load("commands/shell")).shell(cli, name)));
  berth.command("connect")
    .description("be a server for a client that starts one: bridge stdio to the registry's")
    .argument("<name>", SERVER)
    .action((name) =>
      launch(async (cli) => await (await load("commands/connect")).connect(cli, name))
    );
}
