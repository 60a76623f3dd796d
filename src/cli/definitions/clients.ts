/**
 * Commands about the MCP clients on this machine.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { PULLED_CLIENTS, type PulledClient } from "../../mcp_clients/names.ts";
import { type Launch, type Program, SERVER } from "./definition.ts";
import { load } from "./load.ts";

function collectClients(text: string, before: PulledClient[] | undefined): PulledClient[] {
  const names = text.split(",").map((one) => one.trim());
  const unknown = names.find((name) => !(PULLED_CLIENTS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`Supported clients: ${PULLED_CLIENTS.join(", ")}.`);
  }
  return [...before ?? [], ...names as PulledClient[]];
}

function clientOption() {
  return new Option(
    "-c, --client <name>",
    "MCP client to change (repeatable, or separated by commas)",
  )
    .choices(PULLED_CLIENTS)
    .argParser(collectClients);
}

/** Adds the commands for MCP clients on this machine. */
export function addClients(berth: Program, launch: Launch): void {
  berth.command("pull").alias("install")
    .description("add a server to the MCP clients on this machine")
    .argument("<name>", SERVER)
    .addOption(clientOption())
    .option("--print", "print the configuration without changing any file")
    .option(
      "--source <folder>",
      "write the scanned source to this folder after verifying its digest",
    )
    .option("-y, --yes", "skip the confirmation")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/pull")).pull(cli, name, options))
    );
  berth.command("unpull").alias("uninstall")
    .description("remove a server from the MCP clients on this machine")
    .argument("<name>", SERVER)
    .addOption(clientOption())
    .option("-y, --yes", "skip the confirmation")
    .action((name, options) =>
      launch(async (cli) => await (await load("commands/pull")).unpull(cli, name, options))
    );
}
