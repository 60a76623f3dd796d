/**
 * `berth keys connect`: signing in at another service for a server, in the browser.
 *
 * @module
 */
import { z } from "zod";
import type { Cli } from "../cli.ts";
import { checkName, getServer, type Server } from "../client/server.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import { openInBrowser } from "../commands/open.ts";

const Kept = z.object({
  keys: z.array(z.object({
    variable: z.string(),
    for: z.string(),
    state: z.string(),
    set_at: z.string(),
    connection: z.object({ service: z.string() }).nullable().optional(),
  })),
});

const POLL_MS = 2000;
/** As long as the registry waits for the answer of a service. */
const WAIT_MS = 600_000;

export interface ConnectKeyOptions {
  /** Print the address and end. */
  wait?: boolean | undefined;
}

/** The variable to connect: the one that is named, or the only one that there is. */
function variableOf({ name, variables = [] }: Server, given: string | undefined): string {
  const names = variables.filter(({ oauth = null }) => oauth !== null).map((one) => one.name);
  if (names.length === 0) {
    throw new CliError(EXIT.failure, `${name} needs no sign-in at another service`);
  }
  if (given === undefined && names.length === 1) return names[0]!;
  if (given !== undefined && names.includes(given)) return given;
  throw usageError("Name the variable to connect", names.map((one) => oneLine(one, 60)).join(", "));
}

/** The connection of a variable, as far as it tells a new one from an old one. */
async function standing(cli: Cli, server: string, variable: string) {
  const api = await cli.api();
  const { data } = await api.read(`/servers/${server}/keys`, Kept, { auth: "required" });
  return data.keys.find((key) =>
    key.variable === variable && key.for === "me" && (key.connection ?? null) !== null
  ) ?? null;
}

/** Prints and opens the page, and waits until the user has connected. */
export async function connectKey(
  cli: Cli,
  server: string,
  given: string | undefined,
  options: ConnectKeyOptions,
): Promise<void> {
  const { server: found } = await getServer(await cli.api(), checkName(server));
  const variable = variableOf(found, given);
  const before = await standing(cli, server, variable);
  const url = `${await cli.registry()}/servers/${server}/keys/${variable}/connect`;
  if (cli.output.json) cli.output.data({ url, variable }, () => "");
  else cli.context.out(`${url}\n`);
  if (options.wait === false || cli.output.json || !cli.asks) return;
  const opened = await openInBrowser(cli, url);
  cli.output.note(`${opened ? "Confirm in" : "Open the address in"} your browser. Waiting`);
  const signal = cli.context.interrupted();
  const end = cli.context.now() + WAIT_MS;
  while (cli.context.now() < end) {
    await cli.context.sleep(POLL_MS, signal);
    const now = await standing(cli, server, variable);
    if (now !== null && now.state === "ready" && now.set_at !== before?.set_at) {
      cli.output.done(`${variable} is connected to ${oneLine(now.connection!.service, 60)}`);
      return;
    }
  }
  throw new CliError(EXIT.failure, "Nobody connected in time", {
    hint: `berth keys connect ${server} ${variable}`,
  });
}
