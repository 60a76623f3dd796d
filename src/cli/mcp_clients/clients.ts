/**
 * The MCP clients that `berth pull` knows: where their configuration is, and how a server looks in
 * it. Facts of their makers' documentation, in one table.
 *
 * @module
 */
import { join } from "node:path";
import { headerOf } from "../../keys/variables.ts";
import { oneLine } from "../output/terminal_text.ts";
import type { CliContext } from "../context.ts";
import { CLIENT_NAMES, type ClientName } from "../definitions/choices.ts";
import { homeOf } from "../settings/paths.ts";

/** A server, as entries of clients need it. */
export interface ServerTarget {
  /** Execution address with the server's name. */
  url: string;
  /** Command that bridges to it, for clients that start their servers. */
  command: string;
  args: string[];
  /** Name of the server. */
  name: string;
  /** Variables that it takes, and what the user entered for them. */
  variables: { name: string; description: string | null; secret: boolean }[];
  values: Readonly<Record<string, string>>;
  /** Whether the registry keeps values for the user: only who signs in gets them. */
  isKept: boolean;
}

/** A question that VS Code asks, and whose answer it keeps. */
export interface ClientQuestion {
  type: "promptString";
  id: string;
  description: string;
  password: boolean;
}

export interface McpClient {
  name: ClientName;
  label: string;
  /** Its configuration file. */
  path: string;
  /** What is there when the client is installed. */
  marks: string[];
  format: "json" | "toml";
  /** The member that holds the servers by name. */
  key: string;
  entry(target: ServerTarget): Record<string, unknown>;
  /** What the client asks for by itself, beside the entry. */
  inputs?(target: ServerTarget): ClientQuestion[];
  /** Whether the entry always names a program of this machine. */
  starts?: true;
  /** Whether entries name their kind of transport. */
  typed?: true;
  /** What the user does afterwards. */
  next: string;
}

/** Where applications of a desktop keep their settings. */
function applicationData(context: CliContext): string {
  const home = homeOf(context);
  if (context.os === "darwin") return join(home, "Library", "Application Support");
  if (context.os === "windows") return context.env("APPDATA") ?? join(home, "AppData", "Roaming");
  const configured = context.env("XDG_CONFIG_HOME");
  return configured?.startsWith("/") ? configured : join(home, ".config");
}

/** Zed keeps its settings below the home folder on a Mac too. */
function zedFolder(context: CliContext): string {
  if (context.os === "windows") return join(applicationData(context), "Zed");
  if (context.os === "darwin") return join(homeOf(context), ".config", "zed");
  return join(applicationData(context), "zed");
}

/** Beginning of the ids of a server's questions. */
export function questionPrefix(server: string): string {
  return `berth-${server}-`;
}

function headers({ values }: ServerTarget) {
  const pairs = Object.entries(values).map(([name, value]) => [headerOf(name), value]);
  return pairs.length === 0 ? {} : { headers: Object.fromEntries(pairs) };
}

function questions({ name, variables }: ServerTarget): ClientQuestion[] {
  return variables.map((variable) => ({
    type: "promptString",
    id: questionPrefix(name) + variable.name,
    description: oneLine(variable.description ?? variable.name, 100),
    password: variable.secret,
  }));
}

function inputOf(target: ServerTarget, variable: string): string {
  return `\${input:${questionPrefix(target.name)}${variable}}`;
}

function asked(target: ServerTarget) {
  const pairs = target.variables.map(({ name }) => [headerOf(name), inputOf(target, name)]);
  return pairs.length === 0 ? {} : { headers: Object.fromEntries(pairs) };
}

/** Whether the values that an entry needs come from the user's sign-in, which `berth connect` has. */
export function needsSignIn(
  { inputs }: Pick<McpClient, "inputs">,
  { isKept, variables, values }: ServerTarget,
): boolean {
  return isKept ||
    inputs === undefined && variables.some(({ name }) => !Object.hasOwn(values, name));
}

/** An entry that starts `berth connect`. */
function bridge(target: ServerTarget, isAsked: boolean) {
  const env = isAsked
    ? Object.fromEntries(target.variables.map(({ name }) => [name, inputOf(target, name)]))
    : { ...target.values };
  const { command, args } = target;
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** The client's entry: a bridge where it takes the user's sign-in, else the address. */
export function entryOf(client: McpClient, target: ServerTarget): Record<string, unknown> {
  if (!needsSignIn(client, target)) return client.entry(target);
  const type = client.typed ? { type: "stdio" } : {};
  return { ...type, ...bridge(target, client.inputs !== undefined) };
}

const RESTART = "Restart the application";

interface Folders {
  home: string;
  data: string;
  zed: string;
  codex: string;
}

const CLIENTS: Record<ClientName, (folders: Folders) => Omit<McpClient, "name">> = {
  "vscode": ({ data }) => ({
    label: "VS Code",
    path: join(data, "Code", "User", "mcp.json"),
    marks: [join(data, "Code")],
    format: "json",
    key: "servers",
    entry: (target) => ({ type: "http", url: target.url, ...asked(target) }),
    inputs: questions,
    typed: true,
    next: 'Start it from "MCP: List Servers"',
  }),
  "claude": ({ data }) => ({
    label: "Claude Desktop",
    path: join(data, "Claude", "claude_desktop_config.json"),
    marks: [join(data, "Claude")],
    format: "json",
    key: "mcpServers",
    // Its configuration file takes only servers that it starts.
    entry: (target) => bridge(target, false),
    starts: true,
    next: RESTART,
  }),
  "claude-code": ({ home }) => ({
    label: "Claude Code",
    path: join(home, ".claude.json"),
    marks: [join(home, ".claude.json"), join(home, ".claude")],
    format: "json",
    key: "mcpServers",
    entry: (target) => ({ type: "http", url: target.url, ...headers(target) }),
    typed: true,
    next: "Type /mcp in a new session",
  }),
  "cursor": ({ home }) => ({
    label: "Cursor",
    path: join(home, ".cursor", "mcp.json"),
    marks: [join(home, ".cursor")],
    format: "json",
    key: "mcpServers",
    entry: (target) => ({ url: target.url, ...headers(target) }),
    next: "Enable the server in the settings",
  }),
  "windsurf": ({ home }) => ({
    label: "Windsurf",
    path: join(home, ".codeium", "windsurf", "mcp_config.json"),
    marks: [join(home, ".codeium", "windsurf")],
    format: "json",
    key: "mcpServers",
    entry: (target) => ({ serverUrl: target.url, ...headers(target) }),
    next: "Refresh the list of servers",
  }),
  "codex": ({ codex }) => ({
    label: "Codex",
    path: join(codex, "config.toml"),
    marks: [codex],
    format: "toml",
    key: "mcp_servers",
    entry: (target) => {
      const { headers: http_headers } = headers(target) as { headers?: object };
      return { url: target.url, ...(http_headers === undefined ? {} : { http_headers }) };
    },
    next: "Start a new session",
  }),
  "gemini": ({ home }) => ({
    label: "Gemini CLI",
    path: join(home, ".gemini", "settings.json"),
    marks: [join(home, ".gemini")],
    format: "json",
    key: "mcpServers",
    // Its "url" is for servers of the older transport.
    entry: (target) => ({ httpUrl: target.url, ...headers(target) }),
    next: "Type /mcp in a new session",
  }),
  "zed": ({ zed }) => ({
    label: "Zed",
    path: join(zed, "settings.json"),
    marks: [zed],
    format: "json",
    key: "context_servers",
    entry: (target) => ({ url: target.url, ...headers(target) }),
    next: "Check it under Settings > AI > MCP Servers",
  }),
};

export function knownClients(context: CliContext): McpClient[] {
  const home = homeOf(context);
  const folders = {
    home,
    data: applicationData(context),
    zed: zedFolder(context),
    codex: context.env("CODEX_HOME") ?? join(home, ".codex"),
  };
  return CLIENT_NAMES.map((name) => ({ name, ...CLIENTS[name](folders) }));
}

/** Whether the client is on this machine. */
export async function isInstalled({ marks }: McpClient): Promise<boolean> {
  const found = await Promise.all(marks.map((path) => Deno.lstat(path).catch(() => null)));
  return found.some((info) => info !== null);
}
