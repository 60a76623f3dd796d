/**
 * `berth connect`: a registered server as one that any stdio client can start.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import {
  type Environment,
  environmentOf,
  type EnvironmentOptions,
  ownEnvironment,
} from "../mcp/environment.ts";
import { showConnections } from "../mcp/connections.ts";
import { checkName, getServer, type Server } from "../client/server.ts";
import { plainLines } from "../context.ts";
import { bridge } from "../mcp/stdio_bridge.ts";
import { createMcpFetch, serverAddress } from "../mcp/fetch.ts";

/** Values are given by name, or come from the `env` block of the client that starts it. */
export interface ConnectOptions extends EnvironmentOptions {
  ownEnv?: boolean | undefined;
}

/** A client hears from the endpoint what is wrong with a server, if something is. */
async function declaredBy(cli: Cli, name: string): Promise<NonNullable<Server["variables"]>> {
  try {
    return (await getServer(await cli.api(), name)).server.variables ?? [];
  } catch {
    return [];
  }
}

/** What options give, and the declared variables that the client has set for this program. */
async function environmentFor(
  cli: Cli,
  name: string,
  options: ConnectOptions,
): Promise<Environment> {
  const given = await environmentOf(cli, options);
  if (options.ownEnv === false) return given;
  const variables = await declaredBy(cli, name);
  const own = ownEnvironment(cli, variables.filter((each) => !Object.hasOwn(given, each.name)));
  const names = Object.keys(own);
  if (names.length > 0) cli.output.note(`Passing ${names.join(", ")} on to ${name}`);
  return { ...own, ...given };
}

/** Bridges standard input and output to `name` until the client ends its side. */
export async function connect(
  cli: Cli,
  name: string,
  options: ConnectOptions = {},
): Promise<void> {
  const environment = await environmentFor(cli, checkName(name), options);
  const { context, output } = cli;
  await bridge({
    url: await serverAddress(cli, checkName(name)),
    fetch: createMcpFetch(cli, await cli.registry(), { raw: true, environment }),
    lines: plainLines(context.stdin()),
    write: (message) => context.out(`${JSON.stringify(message)}\n`),
    onNotBegun: (error) => void showConnections(cli, error, true).catch(() => {}),
    warn: output.warn,
    signal: context.interrupted(),
  });
}
