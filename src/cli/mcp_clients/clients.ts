/**
 * The MCP clients that `berth pull` knows: where their configuration is, and how a server looks in
 * it. Facts of their makers' documentation, in one table.
 *
 * @module
 */
import { join } from "node:path";
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
  /** Whether the entry names a program of this machine. */
  starts?: true;
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
    entry: ({ url }) => ({ type: "http", url }),
    next: 'Start it from "MCP: List Servers"',
  }),
  "claude": ({ data }) => ({
    label: "Claude Desktop",
    path: join(data, "Claude", "claude_desktop_config.json"),
    marks: [join(data, "Claude")],
    format: "json",
    key: "mcpServers",
    // Its configuration file takes only servers that it starts.
    entry: ({ command, args }) => ({ command, args }),
    starts: true,
    next: RESTART,
  }),
  "claude-code": ({ home }) => ({
    label: "Claude Code",
    path: join(home, ".claude.json"),
    marks: [join(home, ".claude.json"), join(home, ".claude")],
    format: "json",
    key: "mcpServers",
    entry: ({ url }) => ({ type: "http", url }),
    next: "Type /mcp in a new session",
  }),
  "cursor": ({ home }) => ({
    label: "Cursor",
    path: join(home, ".cursor", "mcp.json"),
    marks: [join(home, ".cursor")],
    format: "json",
    key: "mcpServers",
    entry: ({ url }) => ({ url }),
    next: "Enable the server in the settings",
  }),
  "windsurf": ({ home }) => ({
    label: "Windsurf",
    path: join(home, ".codeium", "windsurf", "mcp_config.json"),
    marks: [join(home, ".codeium", "windsurf")],
    format: "json",
    key: "mcpServers",
    entry: ({ url }) => ({ serverUrl: url }),
    next: "Refresh the list of servers",
  }),
  "codex": ({ codex }) => ({
    label: "Codex",
    path: join(codex, "config.toml"),
    marks: [codex],
    format: "toml",
    key: "mcp_servers",
    entry: ({ url }) => ({ url }),
    next: "Start a new session",
  }),
  "gemini": ({ home }) => ({
    label: "Gemini CLI",
    path: join(home, ".gemini", "settings.json"),
    marks: [join(home, ".gemini")],
    format: "json",
    key: "mcpServers",
    // Its "url" is for servers of the older transport.
    entry: ({ url }) => ({ httpUrl: url }),
    next: "Type /mcp in a new session",
  }),
  "zed": ({ zed }) => ({
    label: "Zed",
    path: join(zed, "settings.json"),
    marks: [zed],
    format: "json",
    key: "context_servers",
    entry: ({ url }) => ({ url }),
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
