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
  namedIn,
} from "../mcp/environment.ts";
import { showConnections } from "../mcp/connections.ts";
import { checkName, getServer, type Server } from "../client/server.ts";
import { plainLines } from "../context.ts";
import { bridge } from "../mcp/stdio_bridge.ts";
import { createMcpFetch, serverAddress } from "../mcp/fetch.ts";
import { ownEnvironment } from "../mcp/own_environment.ts";
import { namedFor, rememberNamed } from "../settings/named.ts";

/** Values are given by name, or come from the `env` block of the client that starts it. */
export interface ConnectOptions extends EnvironmentOptions {
  ownEnv?: boolean | undefined;
}

/** A client hears from the endpoint what is wrong with a server, if something is. */
async function serverOf(cli: Cli, name: string): Promise<Server | null> {
  try {
    return (await getServer(await cli.api(), name)).server;
  } catch {
    return null;
  }
}

/** What options have `given`, and of the server's variables what this program's environment has. */
async function environmentFor(
  cli: Cli,
  name: string,
  { given, options }: { given: Environment; options: ConnectOptions },
): Promise<Environment> {
  const server = await serverOf(cli, name);
  if (server === null) return given;
  await rememberNamed(cli, server, namedIn(options));
  if (options.ownEnv === false) return given;
  const variables = (server.variables ?? []).filter((each) => !Object.hasOwn(given, each.name));
  const { passed, held } = ownEnvironment(cli, variables, await namedFor(cli, server));
  const names = Object.keys(passed);
  if (names.length > 0) cli.output.note(`Passing ${names.join(", ")} on to ${name}`);
  if (held.length > 0) {
    const options = held.map((each) => `--env ${each}`).join(" ");
    cli.output.warn(
      `${held.join(", ")} of your environment ${held.length === 1 ? "is" : "are"} not passed on ` +
        `to ${name}, which could send ${held.length === 1 ? "it" : "them"} elsewhere. ` +
        `If that is meant, name ${held.length === 1 ? "it" : "them"} once: ` +
        `berth connect ${name} ${options}`,
    );
  }
  return { ...passed, ...given };
}

/** Bridges standard input and output to `name` until the client ends its side. */
export async function connect(
  cli: Cli,
  name: string,
  options: ConnectOptions = {},
): Promise<void> {
  checkName(name);
  const given = await environmentOf(cli, options);
  const { context, output } = cli;
  await bridge({
    url: await serverAddress(cli, name),
    fetch: createMcpFetch(cli, await cli.registry(), {
      raw: true,
      // Looked up for each session: the server may have other variables, or hosts, by then.
      environment: () => environmentFor(cli, name, { given, options }),
    }),
    lines: plainLines(context.stdin()),
    write: (message) => context.out(`${JSON.stringify(message)}\n`),
    onNotBegun: (error) => void showConnections(cli, error, true).catch(() => {}),
    warn: output.warn,
    signal: context.interrupted(),
  });
}
