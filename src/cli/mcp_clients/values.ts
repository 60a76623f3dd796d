/**
 * The values that a server needs, when clients are told of it.
 *
 * @module
 */
import { z } from "zod";
import { neededVariables } from "../../keys/variables.ts";
import type { Cli } from "../cli.ts";
import type { Server } from "../client/server.ts";
import { CliError, EXIT } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import type { McpClient, ServerTarget } from "./clients.ts";
import { missingIn } from "./configure.ts";

/** A variable that a client is asked for. */
type Needed = NonNullable<Server["variables"]>[number];

const Kept = z.object({ keys: z.array(z.object({ variable: z.string(), state: z.string() })) });

/** Names of variables for which the registry keeps a value. */
async function keptNames(cli: Cli, name: string): Promise<string[]> {
  try {
    const { data } = await (await cli.api()).read(`/servers/${name}/keys`, Kept);
    return data.keys.filter(({ state }) => state === "ready").map(({ variable }) => variable);
  } catch {
    // Nobody is signed in, or the registry keeps nothing.
    return [];
  }
}

/** Variables that clients have to give, and whether others are kept for their user. */
export async function variablesToGive(
  cli: Cli,
  { name, variables = [] }: Server,
): Promise<Pick<ServerTarget, "isKept"> & { variables: Needed[] }> {
  if (variables.length === 0) return { variables: [], isKept: false };
  const kept = await keptNames(cli, name);
  const needed = neededVariables(variables).filter((each) => !kept.includes(each.name));
  // Tokens of other services are for signed-in users only.
  const signsIn = variables.some(({ oauth = null }) => oauth !== null);
  return { variables: needed, isKept: kept.length > 0 || signsIn };
}

/**
 * @throws {CliError} When nobody can be asked for what a session does not start without. Otherwise
 * the clients would be told of a server that fails in each of them.
 */
export async function checkNothingMissing(
  cli: Cli,
  clients: readonly McpClient[],
  { target, needed }: { target: ServerTarget; needed: readonly Needed[] },
): Promise<void> {
  if (cli.asks) return;
  const { name } = target;
  const required = needed.filter((each) => each.required && each.from === "author");
  const missing = new Set<string>();
  for (const client of clients) {
    // A file that cannot be read is reported when it is to be changed.
    const names = await missingIn(client, { name, target }).catch(() => []);
    for (const each of names) if (required.some((one) => one.name === each)) missing.add(each);
  }
  if (missing.size === 0) return;
  const [first] = missing;
  throw new CliError(EXIT.failure, `${name} needs values for ${[...missing].join(", ")}`, {
    hint: `Keep them first, with berth keys set ${name} ${first}, or run berth pull in a terminal`,
  });
}

/** Asks for values, where a client would have to hold them; none is shown. */
export async function askValues(
  cli: Cli,
  server: Server,
  variables: readonly Needed[],
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (!cli.asks || variables.length === 0) return values;
  cli.context.err(
    `${server.name} needs values. They go into the clients' configuration. To keep them in the ` +
      `registry instead, leave them empty and run berth keys set ${server.name}: the clients then ` +
      "start berth connect, which signs in as you\n",
  );
  for (const { name, secret, description } of variables) {
    const question = description ? `${name} (${oneLine(description, 100)}): ` : `${name}: `;
    const value = await (secret ? cli.context.askSecret(question) : cli.context.ask(question));
    if (value) values[name] = value;
  }
  return values;
}
