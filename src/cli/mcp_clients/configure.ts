/**
 * Adding a server to a client's configuration, and taking it out.
 *
 * @module
 */
import { headerOf } from "../../keys/variables.ts";
import type { Cli } from "../cli.ts";
import { CliError, EXIT } from "../failure.ts";
import { oneLine } from "../output/terminal_text.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { type ClientQuestion, questionPrefix } from "../../mcp_clients/questions.ts";
import { clientQuestions, entryOf, type McpClient, type ServerTarget } from "./clients.ts";
import { editInputs, editJson, readJsonServers } from "./json_edit.ts";
import { editToml, readTomlServers } from "./toml_edit.ts";

/** What happened to the configuration of one client. */
export type Configured = "added" | "replaced" | "unchanged" | "kept" | "removed" | "absent";

/** A file's text where it really is: people link their configuration from elsewhere. */
async function readFile(client: McpClient): Promise<{ path: string; text: string | null }> {
  const path = await Deno.realPath(client.path).catch(() => client.path);
  return { path, text: await readIfThere(path) };
}

function serversOf(client: McpClient, text: string): Record<string, unknown> {
  try {
    return client.format === "json"
      ? readJsonServers(text, client.key)
      : readTomlServers(text, client.key);
  } catch (error) {
    throw unusable(client, error);
  }
}

function unusable(client: McpClient, error: unknown): CliError {
  const reason = oneLine(error instanceof Error ? error.message.split("\n")[0]! : String(error));
  return new CliError(EXIT.failure, `${client.path} was left unchanged: ${reason}`, {
    hint: "Run berth pull --print to see what to add",
  });
}

/** Writes the file, keeping who may read it; what was there is kept beside it. */
async function replaceFile(path: string, before: string | null, after: string): Promise<void> {
  if (before === null) return await writeWhole(path, after, { mode: 0o600 });
  const mode = (await Deno.stat(path)).mode ?? 0o600;
  await writeWhole(`${path}.berth-backup`, before, { mode: mode & 0o777 });
  await writeWhole(path, after, { mode: mode & 0o777 });
}

function edit(
  client: McpClient,
  text: string,
  change: { name: string; entry: Record<string, unknown> | null; inputs: ClientQuestion[] },
): string {
  try {
    if (client.format === "toml") return editToml(text, client.key, change);
    const edited = editJson(text, client.key, change);
    return client.asks ? editInputs(edited, questionPrefix(change.name), change.inputs) : edited;
  } catch (error) {
    throw unusable(client, error);
  }
}

/** Whether an entry leads to the server, in whichever form. */
function leadsTo(entry: unknown, target: ServerTarget, name: string): boolean {
  const { url, serverUrl, httpUrl, args } = entry as Record<string, unknown>;
  if ([url, serverUrl, httpUrl].includes(target.url)) return true;
  const last = Array.isArray(args) ? args : [];
  const at = last.indexOf("connect");
  return at >= 0 && last[at + 1] === name;
}

const HEADERS = ["headers", "http_headers"];
const VALUES = [...HEADERS, "env"];

/** What `present` holds for the server's variables, in whichever form. */
function presentValues(present: unknown, { variables }: ServerTarget): Record<string, string> {
  const all = Object.assign({}, ...VALUES.map((key) => Object(present)[key]));
  const pairs = variables.map(({ name }) => [name, all[name] ?? all[headerOf(name)]]);
  return Object.fromEntries(
    pairs.filter(([, value]) => typeof value === "string" && !value.startsWith("${input:")),
  );
}

/** Values that were entered before stay, where none are entered now. */
function entryBeside(
  client: McpClient,
  target: ServerTarget,
  present: unknown,
): Record<string, unknown> {
  const values = { ...presentValues(present, target), ...target.values };
  const entry = entryOf(client, { ...target, values });
  const fitting = Object.hasOwn(entry, "command") ? ["env"] : HEADERS;
  const kept = fitting.filter((key) => typeof Object(present)[key] === "object")
    .map((key) => [key, { ...Object(present)[key], ...entry[key] as object | undefined }]);
  return { ...entry, ...Object.fromEntries(kept) };
}

/** Names of the variables for which a client would have no value. */
export async function missingIn(
  client: McpClient,
  { name, target }: { name: string; target: ServerTarget },
): Promise<string[]> {
  if (client.asks) return [];
  const present = serversOf(client, (await readFile(client)).text ?? "")[name] ?? {};
  const values = leadsTo(present, target, name) ? presentValues(present, target) : {};
  return target.variables.map((variable) => variable.name)
    .filter((each) => !Object.hasOwn(values, each) && !Object.hasOwn(target.values, each));
}

/** An entry for people who decide about it: values of headers and variables are nobody's business. */
function shownEntry(entry: unknown): string {
  const text = JSON.stringify(
    entry,
    (key, value) =>
      VALUES.includes(key) && typeof value === "object" && value !== null
        ? Object.fromEntries(Object.keys(value).map((name) => [name, "…"]))
        : value,
  );
  return oneLine(text, 200);
}

/** Adds the server under `name`; asks before it replaces another entry of that name. */
export async function addToClient(
  cli: Cli,
  client: McpClient,
  { name, target, yes }: { name: string; target: ServerTarget; yes: boolean | undefined },
): Promise<Configured> {
  const { path, text } = await readFile(client);
  const servers = serversOf(client, text ?? "");
  const present = Object.hasOwn(servers, name) ? servers[name] : undefined;
  const entry = entryBeside(client, target, leadsTo(present ?? {}, target, name) && present);
  if (JSON.stringify(present) === JSON.stringify(entry)) return "unchanged";
  if (present !== undefined) {
    const shown = shownEntry(present);
    const question = `${client.label} already has "${name}": ${shown}\nReplace it?`;
    if (!await cli.ensure(question, yes)) return "kept";
  }
  await replaceFile(
    path,
    text,
    edit(client, text ?? "", { name, entry, inputs: clientQuestions(client, target) }),
  );
  return present === undefined ? "added" : "replaced";
}

/** Takes the server out; asks before it removes an entry that leads elsewhere. */
export async function removeFromClient(
  cli: Cli,
  client: McpClient,
  options: { name: string; server: string; target: ServerTarget; yes: boolean | undefined },
): Promise<Configured> {
  const { name, server, target, yes } = options;
  const { path, text } = await readFile(client);
  if (text === null) return "absent";
  const servers = serversOf(client, text);
  if (!Object.hasOwn(servers, name)) return "absent";
  if (!leadsTo(servers[name], target, server)) {
    const shown = shownEntry(servers[name]);
    const question =
      `${client.label} has "${name}", but with another address: ${shown}\nRemove it?`;
    if (!await cli.ensure(question, yes)) return "kept";
  }
  await replaceFile(path, text, edit(client, text, { name, entry: null, inputs: [] }));
  return "removed";
}
