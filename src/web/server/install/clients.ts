/**
 * What the pages say of each MCP client: what goes into which file, or which command or link adds
 * the server.
 *
 * @module
 */
import { headerOf } from "../../../keys/variables.ts";
import { isPulled, type KnownClient } from "../../../mcp_clients/names.ts";
import { answerOf, type AskedVariable, questionsOf } from "../../../mcp_clients/questions.ts";
import { addressEntry, CLIENT_TABLE, type ClientFacts } from "../../../mcp_clients/table.ts";

/** A client, or a way to call the server without one. */
export type ClientId = KnownClient | "address" | "http";

/** How one client is told of a server. */
export interface ClientEntry {
  id: ClientId;
  label: string;
  /** An address that makes the client add it by itself. */
  link: string | null;
  /** A command that adds it. */
  command: string | null;
  /** Where the snippet goes. */
  where: string;
  snippet: string;
  /** Where the values of variables come from; null for a server that takes none. */
  values: string | null;
  /** What the user does afterwards. */
  next: string | null;
}

/** A server, and what its clients have to send. */
export interface ClientInput {
  name: string;
  url: string;
  /** Whether every call takes a token: for what is no client that signs in. */
  needsToken: boolean;
  /** Variables that the server is to be given. */
  variables?: readonly AskedVariable[];
}

/** What stands where the user enters a value. */
const BLANK = "…";

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

type Variables = NonNullable<ClientInput["variables"]>;

function headersOf(
  variables: Variables,
  valueOf: (variable: string) => string,
): Record<string, string> {
  return Object.fromEntries(variables.map(({ name }) => [headerOf(name), valueOf(name)]));
}

/** For a client that starts programs: one that is given the values in its environment. */
function remoteEntry(url: string, variables: Variables): Record<string, unknown> {
  const args = variables.flatMap(({ name }) => ["--header", `${headerOf(name)}:\${${name}}`]);
  return {
    command: "npx",
    args: ["-y", "mcp-remote", url, ...args],
    ...(variables.length === 0
      ? {}
      : { env: Object.fromEntries(variables.map(({ name }) => [name, BLANK])) }),
  };
}

/** The entry of a client that connects by itself, with references to values where it knows such. */
function entryFor(
  facts: ClientFacts,
  { name, url }: ClientInput,
  variables: Variables,
): Record<string, unknown> {
  if (facts.starts) return remoteEntry(url, variables);
  if (facts.referring !== undefined) {
    const referring = facts.referring(headersOf(variables, (variable) => variable));
    return { ...addressEntry(facts, url, {}), ...referring };
  }
  const valueOf = facts.asks
    ? (variable: string) => answerOf(name, variable)
    : facts.reference ?? (() => BLANK);
  return addressEntry(facts, url, headersOf(variables, valueOf));
}

/** A TOML value on one line; every text of JSON is one of TOML. */
function tomlValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${quoted(key)} = ${tomlValue(one)}`);
  return `{ ${pairs.join(", ")} }`;
}

function snippetOf(
  facts: ClientFacts,
  { name }: ClientInput,
  { entry, variables }: { entry: Record<string, unknown>; variables: Variables },
): string {
  const members = Object.entries(entry);
  if (facts.format === "toml") {
    const lines = members.map(([key, value]) => `${key} = ${tomlValue(value)}`);
    return [`[${facts.key}.${name}]`, ...lines].join("\n");
  }
  if (facts.format === "yaml") {
    // Every value of JSON is one of YAML.
    const lines = members.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return [`${facts.key}:`, `  ${name}:`, ...lines].join("\n");
  }
  const inputs = facts.asks && variables.length > 0 ? { inputs: questionsOf(name, variables) } : {};
  const servers = { ...inputs, [facts.key]: { [name]: entry } };
  return json(facts.within === undefined ? servers : { [facts.within]: servers });
}

/** The link, unless values would have to be in it. */
function linkOf(
  facts: ClientFacts,
  { name }: ClientInput,
  { entry, variables }: { entry: Record<string, unknown>; variables: Variables },
): string | null {
  if (facts.link === undefined) return null;
  if (variables.length === 0) return facts.link(name, entry);
  if (facts.asks) return facts.link(name, { ...entry, inputs: questionsOf(name, variables) });
  return facts.reference === undefined ? null : facts.link(name, entry);
}

/** Where the values come from, in a sentence. */
function valuesOf(facts: ClientFacts): string {
  if (facts.asks) return `${facts.label} asks for the values when it starts the server`;
  if (facts.reference !== undefined || facts.referring !== undefined) {
    return `${facts.label} reads the values from its environment`;
  }
  return `Replace each ${BLANK} by the value`;
}

function clientEntry(id: KnownClient, input: ClientInput): ClientEntry {
  const facts = CLIENT_TABLE[id];
  const { name, url, variables = [] } = input;
  const parts = { entry: entryFor(facts, input, variables), variables };
  const shell = headersOf(variables, (variable) => `$${variable}`);
  return {
    id,
    label: facts.label,
    link: linkOf(facts, input, parts),
    command: facts.command?.(name, url, shell) ?? null,
    where: facts.starts ? `${facts.place}; needs Node` : facts.place,
    snippet: snippetOf(facts, input, parts),
    values: variables.length === 0 ? null : valuesOf(facts),
    next: facts.next,
  };
}

/** For clients that take an address and nothing else. */
function addressOnly({ url, variables = [] }: ClientInput): ClientEntry {
  const headers = variables.map(({ name }) => `${headerOf(name)}: ${BLANK}`);
  return {
    id: "address",
    label: "Address only",
    link: null,
    command: null,
    where: "For any client of Streamable HTTP",
    snippet: [url, ...headers].join("\n"),
    values: variables.length === 0 ? null : "Send each value in its header",
    next: null,
  };
}

/** A call without a client that signs in. */
function plainHttp({ url, needsToken, variables = [] }: ClientInput): ClientEntry {
  return {
    id: "http",
    label: "Plain HTTP",
    link: null,
    command: null,
    where: "In a terminal",
    snippet: [
      `curl -s ${quoted(url)} \\`,
      '  -H "Content-Type: application/json" -H "Mcp-Session-Id: my-session" \\',
      ...(needsToken ? ['  -H "Authorization: Bearer $BERTH_TOKEN" \\'] : []),
      ...variables.map(({ name }) => `  -H "${headerOf(name)}: $${name}" \\`),
      `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
    ].join("\n"),
    values: variables.length === 0 ? null : "The shell reads the values from its environment",
    next: null,
  };
}

/** The clients, as lists for a choice have them. */
export const CLIENT_CHOICES: readonly (readonly [id: ClientId, label: string])[] = [
  ...Object.entries(CLIENT_TABLE).map(([id, { label }]) => [id as KnownClient, label] as const),
  ["address", "Address only"],
  ["http", "Plain HTTP"],
];

/**
 * What `id` is told of the server `name` (lowercase words) at `url`. Where running it takes a token,
 * clients sign in by what the endpoint's 401 names: an `Authorization` of their configuration, though
 * it hold no token, would keep them from it.
 */
export function entryOfClient(id: ClientId, input: ClientInput): ClientEntry {
  if (id === "address") return addressOnly(input);
  if (id === "http") return plainHttp(input);
  return clientEntry(id, input);
}

/** The command that tells the client on the user's machine; null where `berth pull` cannot. */
export function pullCommand(id: ClientId, name: string): string | null {
  return isPulled(id) ? `berth pull ${name} --client ${id}` : null;
}
