/**
 * `berth keys`: values that the registry keeps for the user's sessions.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { checkName, getServer, type Server } from "../client/server.ts";
import { readAll } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";

const KeptKey = z.object({
  server: z.string(),
  variable: z.string(),
  for: z.string(),
  yours: z.boolean(),
  state: z.string(),
  /** A sign-in at another service; absent from older registries. */
  connection: z.object({ service: z.string(), expires_at: z.string().nullable() }).nullish(),
  last_used_at: z.string().nullable(),
});
const Listed = z.object({ keys: z.array(KeptKey) });
/** `terms` is absent from older registries. */
const ListedOfServer = Listed.extend({ terms: z.string().optional() });
const Changed = z.object({ message: z.string(), variables: z.array(z.string()) });

/** Options of `set` and `rm`. */
export interface KeysOptions {
  everyone?: true | undefined;
}

function keysPath(server: string, variable?: string): string {
  const base = `/servers/${checkName(server)}/keys`;
  return variable === undefined ? base : `${base}/${encodeURIComponent(variable)}`;
}

/** Lists what is kept, for one server or all, without the values. */
export async function listKeys(cli: Cli, server: string | undefined): Promise<void> {
  const api = await cli.api();
  const path = server === undefined ? "/auth/me/keys" : keysPath(server);
  const { body, data } = await api.read(path, Listed, { auth: "required" });
  cli.output.table(body, () => ({
    head: ["SERVER", "VARIABLE", "FOR", "STATE", "LAST USED"],
    rows: data.keys.map((key) => [
      key.server,
      oneLine(key.variable, 60),
      key.for,
      stateOf(key),
      key.last_used_at ?? "never",
    ]),
  }));
  if (data.keys.length === 0) cli.output.note("Nothing is kept. Add a value with berth keys set");
  for (const name of new Set(data.keys.filter((key) => key.state === "changed").map(serverOf))) {
    cli.output.warn(`${name} asks for more than you agreed to. See berth keys agree ${name}`);
  }
  for (const { server: name, variable } of data.keys.filter((key) => key.state === "reconnect")) {
    const shown = oneLine(variable, 60);
    cli.output.warn(`${shown} has to be connected again: berth keys connect ${name} ${shown}`);
  }
}

function stateOf({ state, connection = null }: z.infer<typeof KeptKey>): string {
  if (connection === null) return state;
  const service = oneLine(connection.service, 40);
  return state === "ready" ? `connected to ${service}` : `${state} (${service})`;
}

function serverOf({ server }: { server: string }): string {
  return server;
}

async function valueOf(cli: Cli, variable: string): Promise<string> {
  if (cli.asks) return await cli.context.askSecret(`${variable}: `) ?? "";
  if (cli.context.terminals.in) {
    throw usageError("The value is read from the terminal or from standard input");
  }
  const value = (await readAll(cli.context)).replace(/\r?\n$/, "");
  if (value === "") throw usageError(`The value of ${variable} on standard input is empty`);
  return value;
}

/** What the server does with a value, and what stands for all that it does. */
async function readTerms(cli: Cli, server: string) {
  const api = await cli.api();
  // Before what is shown, so that what stands for it is never newer.
  const listed = await api.read(keysPath(server), ListedOfServer, { auth: "required" });
  const { data: { keys, terms } } = listed;
  const shown = await getServer(api, server);
  const query = terms === undefined ? "" : `?terms=${encodeURIComponent(terms)}`;
  return { server: shown.server, keys, query };
}

function useOf({ variables = [] }: Server, variable: string): string {
  const { hosts, delivery } = variables.find(({ name }) => name === variable) ??
    { hosts: [], delivery: "plain" };
  const use = delivery === "placeholder" ? `sent to ${hosts.join(", ")}` : "seen by the code";
  return `${oneLine(variable, 60)}: ${oneLine(use)}`;
}

/** What the author says of a variable: what it is, and where to get it. */
function descriptionOf({ variables = [] }: Server, variable: string): string | null {
  return variables.find(({ name }) => name === variable)?.description || null;
}

/** What is asked for when no variable is named: those that are needed, else the secrets. */
function variablesToSet(cli: Cli, server: string, { variables = [] }: Server): string[] {
  const wanted = variables.filter(({ required, secret, oauth = null }) =>
    oauth === null && (required || secret)
  );
  if (wanted.length === 0) {
    throw new CliError(EXIT.failure, `${server} names no keys that it needs`, {
      hint: `Name one: berth keys set ${server} VARIABLE`,
    });
  }
  if (!cli.asks && wanted.length > 1) {
    throw usageError(
      "Name the variable whose value is on standard input",
      wanted.map(({ name }) => name).join(", "),
    );
  }
  return wanted.map(({ name }) => name);
}

/** Keeps values, which are asked for without being shown. */
export async function setKey(
  cli: Cli,
  server: string,
  variable: string | undefined,
  options: KeysOptions,
): Promise<void> {
  checkName(server);
  const api = await cli.api();
  // First, so that nobody is asked for the key of a server that is not there.
  const terms = await readTerms(cli, server);
  const names = variable === undefined ? variablesToSet(cli, server, terms.server) : [variable];
  for (const name of names) {
    cli.output.note(useOf(terms.server, name));
    const about = descriptionOf(terms.server, name);
    if (about !== null) cli.output.note(`  ${oneLine(about, 200)}`);
    const value = await valueOf(cli, name);
    if (value === "") {
      cli.output.note(`${name} was left unchanged`);
      continue;
    }
    const { body, data } = await api.read(`${keysPath(server, name)}${terms.query}`, Changed, {
      method: "PUT",
      auth: "required",
      body: { value, for: options.everyone ? "everyone" : "me" },
    });
    if (cli.output.json) cli.output.data(body, () => "");
    cli.output.done(oneLine(data.message));
  }
}

/** Forgets one value, or all for a server. */
export async function removeKey(
  cli: Cli,
  server: string,
  variable: string | undefined,
  options: KeysOptions & { yes?: true | undefined },
): Promise<void> {
  const path = keysPath(server, variable);
  if (variable === undefined) {
    if (options.everyone) throw usageError("Name the variable that is kept for everyone");
    const isMeant = await cli.ensure(`Forget everything that you keep for ${server}?`, options.yes);
    if (!isMeant) return cli.output.warn("Nothing was changed");
  }
  const query = options.everyone ? "?for=everyone" : "";
  const api = await cli.api();
  const { body, data } = await api.read(`${path}${query}`, Changed, {
    method: "DELETE",
    auth: "required",
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}

/** Shows what a server does with the user's values now, and agrees to it. */
export async function agreeKeys(
  cli: Cli,
  server: string,
  options: { yes?: true | undefined },
): Promise<void> {
  const path = keysPath(server);
  const api = await cli.api();
  const { server: shown, keys, query } = await readTerms(cli, server);
  const waiting = keys.filter((key) => key.state === "changed" && key.yours);
  if (waiting.length === 0) return cli.output.note(`${server} asks for nothing new`);
  const lines = waiting.map((key) => `  ${useOf(shown, key.variable)}\n`);
  cli.context.err(`${server} by ${oneLine(shown.author)} now uses:\n${lines.join("")}`);
  if (!await cli.ensure("Agree?", options.yes)) return cli.output.warn("Nothing was changed");
  const { body, data } = await api.read(`${path}/agree${query}`, Changed, {
    method: "POST",
    auth: "required",
  });
  if (cli.output.json) cli.output.data(body, () => "");
  cli.output.done(oneLine(data.message));
}
