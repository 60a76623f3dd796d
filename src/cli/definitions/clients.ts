/**
 * Commands about the MCP clients on this machine.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { CLIENT_NAMES, type ClientName } from "./choices.ts";
import { type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

function collectClients(text: string, before: ClientName[] | undefined): ClientName[] {
  const names = text.split(",").map((one) => one.trim());
  const unknown = names.find((name) => !(CLIENT_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`Clients are ${CLIENT_NAMES.join(", ")}.`);
  }
  return [...before ?? [], ...names as ClientName[]];
}

function clientOption() {
  return new Option("-c, --client <name>", "which client; repeat it, or put commas between several")
    .choices(CLIENT_NAMES)
    .argParser(collectClients);
}

/** Adds them. */
export function addClients(berth: Program, launch: Launch): void {
  berth.command("pull").alias("install")
    .description("make a server usable in the MCP clients on this machine")
    .argument("<name>", SERVER)
    .addOption(clientOption())
    .option("--print", "only show the configuration")
    .option("--source <folder>", "write the scanned source there, after checking its digest")
    .option("-y, --yes", "do not ask")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/pull")).pull(cli, name, options))
    );
  berth.command("unpull").alias("uninstall")
    .description("take a server out of the MCP clients on this machine")
    .argument("<name>", SERVER)
    .addOption(clientOption())
    .option("-y, --yes", "do not ask")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/pull")).unpull(cli, name, options))
    );
}
