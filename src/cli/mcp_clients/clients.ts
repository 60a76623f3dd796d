/**
 * The MCP clients that `berth pull` knows: where their configuration is on this machine, and how a
 * server looks in it.
 *
 * @module
 */
import { join } from "node:path";
import { headerOf } from "../../keys/variables.ts";
import { PULLED_CLIENTS, type PulledClient } from "../../mcp_clients/names.ts";
import {
  answerOf,
  type AskedVariable,
  type ClientQuestion,
  questionsOf,
} from "../../mcp_clients/questions.ts";
import { addressEntry, CLIENT_TABLE, type ClientFacts } from "../../mcp_clients/table.ts";
import type { CliContext } from "../context.ts";
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
  variables: AskedVariable[];
  values: Readonly<Record<string, string>>;
  /** Whether the registry keeps values for the user: only who signs in gets them. */
  isKept: boolean;
}

/** Facts of the table, with the paths that this machine has for them. */
export interface McpClient extends ClientFacts {
  name: PulledClient;
  format: "json" | "toml";
  /** Its configuration file. */
  path: string;
  /** What is there when the client is installed. */
  marks: string[];
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

function headersOf(variables: readonly string[], valueOf: (variable: string) => string) {
  return Object.fromEntries(variables.map((name) => [headerOf(name), valueOf(name)]));
}

/** Questions that the client asks, beside the entry. */
export function clientQuestions(
  { asks }: Pick<McpClient, "asks">,
  { name, variables }: ServerTarget,
): ClientQuestion[] {
  return asks ? questionsOf(name, variables) : [];
}

/** Whether the values that an entry needs come from the user's sign-in, which `berth connect` has. */
function needsSignIn(
  { asks, starts }: Pick<McpClient, "asks" | "starts">,
  { isKept, variables, values }: ServerTarget,
): boolean {
  return starts === true || isKept ||
    !asks && variables.some(({ name }) => !Object.hasOwn(values, name));
}

/** An entry that starts `berth connect`. */
function bridge(target: ServerTarget, isAsked: boolean) {
  const env = isAsked
    ? Object.fromEntries(target.variables.map(({ name }) => [name, answerOf(target.name, name)]))
    : { ...target.values };
  const { command, args } = target;
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

/** The client's entry: a bridge where it takes the user's sign-in, else the address. */
export function entryOf(client: McpClient, target: ServerTarget): Record<string, unknown> {
  const isAsked = client.asks === true;
  if (needsSignIn(client, target)) {
    const type = client.typed ? { type: "stdio" } : {};
    return { ...type, ...bridge(target, isAsked), ...client.always };
  }
  const { name, values, url } = target;
  const headers = isAsked
    ? headersOf(target.variables.map((one) => one.name), (each) => answerOf(name, each))
    : headersOf(Object.keys(values), (each) => values[each]!);
  return addressEntry(client, url, headers);
}

interface Folders {
  home: string;
  data: string;
  zed: string;
  codex: string;
}

/** A client's file, and what is there when it is installed. */
type Place = [path: string, ...marks: string[]];

const PLACES: Record<PulledClient, (folders: Folders) => Place> = {
  "vscode": ({ data }) => [join(data, "Code", "User", "mcp.json"), join(data, "Code")],
  "claude": ({ data }) => [
    join(data, "Claude", "claude_desktop_config.json"),
    join(data, "Claude"),
  ],
  "claude-code": ({ home }) => [
    join(home, ".claude.json"),
    join(home, ".claude.json"),
    join(home, ".claude"),
  ],
  "cursor": ({ home }) => [join(home, ".cursor", "mcp.json"), join(home, ".cursor")],
  "windsurf": ({ home }) => [
    join(home, ".codeium", "windsurf", "mcp_config.json"),
    join(home, ".codeium", "windsurf"),
  ],
  "codex": ({ codex }) => [join(codex, "config.toml"), codex],
  "gemini": ({ home }) => [join(home, ".gemini", "settings.json"), join(home, ".gemini")],
  "zed": ({ zed }) => [join(zed, "settings.json"), zed],
  "lmstudio": ({ home }) => [join(home, ".lmstudio", "mcp.json"), join(home, ".lmstudio")],
  "copilot": ({ home }) => [join(home, ".copilot", "mcp-config.json"), join(home, ".copilot")],
  "kiro": ({ home }) => [join(home, ".kiro", "settings", "mcp.json"), join(home, ".kiro")],
};

export function knownClients(context: CliContext): McpClient[] {
  const home = homeOf(context);
  const folders = {
    home,
    data: applicationData(context),
    zed: zedFolder(context),
    codex: context.env("CODEX_HOME") ?? join(home, ".codex"),
  };
  return PULLED_CLIENTS.map((name) => {
    const [path, ...marks] = PLACES[name](folders);
    const { format, ...facts } = CLIENT_TABLE[name];
    // What `berth pull` changes is of one of two formats.
    return { ...facts, name, path, marks, format: format === "toml" ? "toml" : "json" };
  });
}

/** Whether the client is on this machine. */
export async function isInstalled({ marks }: McpClient): Promise<boolean> {
  const found = await Promise.all(marks.map((path) => Deno.lstat(path).catch(() => null)));
  return found.some((info) => info !== null);
}
