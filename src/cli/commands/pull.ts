/**
 * `berth pull` and `berth unpull`: a server in the configuration of this machine's MCP clients.
 *
 * @module
 */
import { resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { checkRuns } from "../client/runs.ts";
import { checkName, getServer, type Server } from "../client/server.ts";
import { commandLine } from "../command_line.ts";
import type { PulledClient } from "../../mcp_clients/names.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import {
  clientQuestions,
  entryOf,
  isInstalled,
  knownClients,
  type McpClient,
  type ServerTarget,
} from "../mcp_clients/clients.ts";
import { keptProgram } from "../kept_program.ts";
import { addToClient, type Configured, removeFromClient } from "../mcp_clients/configure.ts";
import { editInputs, editJson } from "../mcp_clients/json_edit.ts";
import { downloadSource, isOccupied, writeSource } from "../mcp_clients/source.ts";
import { editToml } from "../mcp_clients/toml_edit.ts";
import { askValues, checkNothingMissing, variablesToGive } from "../mcp_clients/values.ts";
import { serverAddress } from "../mcp/fetch.ts";
import { rememberNamed } from "../settings/named.ts";
import { readSettings } from "../settings/settings.ts";

/** Options of both commands. */
export interface PullOptions {
  client?: PulledClient[] | undefined;
  print?: true | undefined;
  source?: string | undefined;
  yes?: true | undefined;
}

const NOTHING_GIVEN = { variables: [], values: {}, isKept: false };

/** @param clients Those that are told of it: some start a program, which must stay where it is. */
async function targetOf(
  cli: Cli,
  name: string,
  clients: readonly McpClient[],
  given: Pick<ServerTarget, "variables" | "values" | "isKept"> = NOTHING_GIVEN,
): Promise<ServerTarget> {
  const { program, args } = commandLine();
  const starts = given.isKept || given.variables.length > 0 ||
    clients.some((client) => client.starts);
  return {
    url: (await serverAddress(cli, name)).href,
    command: starts ? await keptProgram(cli.context, program) : program,
    name,
    ...given,
    args: [...args, "connect", name, "--registry", await cli.registry()],
  };
}

/** The clients that were named, else those that are set, else those that are found here. */
async function chooseClients(cli: Cli, options: PullOptions): Promise<McpClient[]> {
  const known = knownClients(cli.context);
  const named = options.client ?? (await readSettings(cli.context)).clients;
  if (named !== undefined) {
    return known.filter(({ name }) => (named as string[]).includes(name));
  }
  const installed = await Promise.all(known.map(isInstalled));
  const found = known.filter((_, index) => installed[index]);
  if (found.length === 0) {
    throw new CliError(EXIT.failure, "No MCP client found on this machine", {
      hint: "Choose one with --client, or print the configuration with --print",
    });
  }
  if (!cli.asks || options.yes) return found;
  const list = found.map(({ label }, index) => `  ${index + 1} ${label}\n`).join("");
  cli.context.err(`MCP clients on this machine:\n${list}`);
  const answer = (await cli.context.ask("Which ones? (numbers, or Enter for all) "))?.trim() ?? "";
  if (answer === "") return found;
  const chosen = answer.split(/[\s,]+/).map((number) => found[Number(number) - 1]);
  if (chosen.includes(undefined)) throw usageError(`"${answer}" is not in the list`);
  return chosen as McpClient[];
}

/** What belongs into a client's file, alone. */
function snippetOf(client: McpClient, name: string, target: ServerTarget): string {
  const change = { name, entry: entryOf(client, target) };
  if (client.format === "toml") return editToml("", client.key, change);
  const inputs = clientQuestions(client, target);
  return editJson(editInputs("{}\n", "", inputs), client.key, change);
}

async function print(cli: Cli, server: Server, options: PullOptions): Promise<void> {
  const { name } = server;
  const known = knownClients(cli.context);
  const clients = options.client === undefined
    ? known
    : known.filter((client) => options.client!.includes(client.name));
  const given = await variablesToGive(cli, server);
  const values = Object.fromEntries(given.variables.map((one) => [one.name, "…"]));
  const target = await targetOf(cli, name, clients, { ...given, values });
  const value = clients.map((client) => ({
    client: client.name,
    path: client.path,
    configuration: snippetOf(client, name, target),
  }));
  cli.output.data(
    { url: target.url, clients: value },
    () =>
      clients.map((client, index) =>
        `${cli.output.style.bold(`# ${client.label}: ${client.path}`)}\n` +
        `${value[index]!.configuration.trimEnd()}\n`
      ).join("\n"),
  );
}

async function pullSource(cli: Cli, server: Server, options: PullOptions): Promise<void> {
  const folder = resolve(cli.context.cwd(), options.source!);
  if (await isOccupied(folder)) {
    const question = `${folder} is not empty. Write the source there anyway?`;
    if (!await cli.ensure(question, options.yes)) {
      throw new CliError(EXIT.failure, `${folder} was left unchanged`);
    }
  }
  const files = await downloadSource(await cli.api(), server);
  await writeSource(folder, files);
  cli.output.done(
    `Wrote ${files.size} files to ${folder}, as scanned at ${server.source.commit.slice(0, 12)}`,
  );
}

function tell(cli: Cli, client: McpClient, outcome: Configured, name: string): void {
  const { label, path, next } = client;
  if (outcome === "added" || outcome === "replaced") {
    cli.output.done(`${label}: ${outcome} ${name} in ${path}. ${next}.`);
  } else if (outcome === "removed") cli.output.done(`${label}: removed ${name} from ${path}`);
  else if (outcome === "kept") cli.output.warn(`${label}: left unchanged`);
  else if (outcome === "unchanged") cli.output.note(`${label} already has ${name}`);
}

/** Does `work` for every client; one that cannot be changed does not stop the others. */
async function forEach(
  cli: Cli,
  clients: McpClient[],
  name: string,
  work: (client: McpClient) => Promise<Configured>,
): Promise<void> {
  const outcomes: { client: string; path: string; outcome: string }[] = [];
  let failed: unknown;
  for (const client of clients) {
    try {
      const outcome = await work(client);
      tell(cli, client, outcome, name);
      outcomes.push({ client: client.name, path: client.path, outcome });
    } catch (error) {
      failed ??= error;
      if (error instanceof CliError) cli.output.warn(`${client.label}: ${error.message}`);
      outcomes.push({ client: client.name, path: client.path, outcome: "failed" });
    }
  }
  if (cli.output.json) cli.output.data({ server: name, clients: outcomes }, () => "");
  if (failed !== undefined) throw failed;
}

function warnAbout(cli: Cli, { security_report: { status }, name }: Server): void {
  if (status !== "passed") {
    const state = status === "failed" ? "failed" : "did not finish";
    cli.output.warn(`Its scan ${state}. See berth report ${name}`);
  }
}

/** Adds the server to clients, or writes its source. */
export async function pull(cli: Cli, name: string, options: PullOptions): Promise<void> {
  checkName(name);
  const { server } = await getServer(await cli.api(), name);
  warnAbout(cli, server);
  // Who asks for the source alone has said nothing of clients, and may want to see what is wrong.
  const isSourceOnly = options.source !== undefined && options.client === undefined &&
    options.print === undefined;
  if (!isSourceOnly) await checkRuns(cli, server);
  if (options.print) return await print(cli, server, options);
  if (options.source !== undefined) await pullSource(cli, server, options);
  if (isSourceOnly) return;
  const clients = await chooseClients(cli, options);
  const given = await variablesToGive(cli, server);
  // VS Code asks by itself.
  const isAsked = clients.some(({ asks }) => !asks);
  const values = isAsked ? await askValues(cli, server, given.variables) : {};
  const target = await targetOf(cli, name, clients, { ...given, values });
  await checkNothingMissing(cli, clients, { target, needed: given.variables });
  // What the clients hold for this server is meant for it: berth connect passes it on.
  const held = clients.some(({ asks }) => asks)
    ? given.variables.map((variable) => variable.name)
    : Object.keys(values);
  await rememberNamed(cli, server, held);
  await forEach(
    cli,
    clients,
    name,
    (client) => addToClient(cli, client, { name, target, yes: options.yes }),
  );
}

/** Of a registry that is gone. */
const NOWHERE: ServerTarget = {
  url: "",
  command: "",
  args: [],
  name: "",
  ...NOTHING_GIVEN,
};

/** Takes the server out of clients; by default of all that have it. */
export async function unpull(cli: Cli, name: string, options: PullOptions): Promise<void> {
  checkName(name);
  const known = knownClients(cli.context);
  const clients = options.client === undefined
    ? known
    : known.filter((client) => options.client!.includes(client.name));
  // What is here is taken out also when the registry is gone.
  const target = await targetOf(cli, name, []).catch(() => NOWHERE);
  let found = false;
  await forEach(cli, clients, name, async (client) => {
    const outcome = await removeFromClient(cli, client, {
      name,
      server: name,
      target,
      yes: options.yes,
    });
    found ||= outcome !== "absent";
    return outcome;
  });
  if (!found) cli.output.note(`No MCP client has ${name}`);
}
