/**
 * How MCP clients are told of a server at an address: for the pages and for `berth pull`. Facts of
 * their makers' documentation, in one table.
 *
 * @module
 */
import type { KnownClient } from "./names.ts";

/** Headers of an entry, by name. */
export type Headers = Readonly<Record<string, string>>;

/** One row of the table: file, format, entry, and the shorter ways beside it. */
export interface ClientFacts {
  label: string;
  /** Where its configuration is, for people. */
  place: string;
  format: "json" | "toml" | "yaml";
  /** The member that holds the servers by name. */
  key: string;
  /** The member in which that one is, where it is not at the top. */
  within?: string;
  /** The entry of a server. */
  entry(url: string, headers: Headers): Record<string, unknown>;
  /**
   * How a header's value refers to a variable of the client's environment; absent where the value
   * itself must be in the file.
   */
  reference?(variable: string): string;
  /** Members for headers whose values come from variables, where they differ from other headers. */
  referring?(variables: Headers): Record<string, unknown>;
  /** Whether it asks for values by itself, and keeps the answers. */
  asks?: true;
  /** Whether it takes only programs that it starts. */
  starts?: true;
  /** Whether entries name their kind of transport. */
  typed?: true;
  /** Members that each entry has, whatever its transport. */
  always?: Readonly<Record<string, unknown>>;
  /** An address that makes the client add a server by itself. */
  link?(name: string, entry: Record<string, unknown>): string;
  /** A command that adds it; `headers` are texts for a shell, within double quotes. */
  command?(name: string, url: string, headers: Headers): string;
  /** What the user does afterwards. */
  next: string;
}

function withHeaders(entry: Record<string, unknown>, headers: Headers, member = "headers") {
  return Object.keys(headers).length === 0 ? entry : { ...entry, [member]: headers };
}

function plain(url: string, headers: Headers): Record<string, unknown> {
  return withHeaders({ url }, headers);
}

function typedHttp(url: string, headers: Headers): Record<string, unknown> {
  return withHeaders({ type: "http", url }, headers);
}

function flags(headers: Headers, flag: string): string {
  return Object.entries(headers).map(([name, value]) => ` ${flag} "${name}: ${value}"`).join("");
}

function encoded(value: unknown): string {
  return encodeURIComponent(btoa(JSON.stringify(value)));
}

const RESTART = "Restart the application";
const NEW_SESSION = "Type /mcp in a new session";

/** The clients, in the order in which pages show them. */
export const CLIENT_TABLE: Readonly<Record<KnownClient, ClientFacts>> = {
  "claude-code": {
    label: "Claude Code",
    place: "~/.claude.json",
    format: "json",
    key: "mcpServers",
    entry: typedHttp,
    reference: (variable) => `\${${variable}}`,
    typed: true,
    command: (name, url, headers) =>
      `claude mcp add --transport http ${name} "${url}"${flags(headers, "--header")}`,
    next: NEW_SESSION,
  },
  "claude": {
    label: "Claude Desktop",
    place: "claude_desktop_config.json (Settings > Developer > Edit Config)",
    format: "json",
    key: "mcpServers",
    entry: plain,
    starts: true,
    next: RESTART,
  },
  "vscode": {
    label: "VS Code",
    place: "mcp.json (MCP: Open User Configuration), or .vscode/mcp.json in a project",
    format: "json",
    key: "servers",
    entry: typedHttp,
    asks: true,
    typed: true,
    link: (name, entry) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`,
    next: 'Start it from "MCP: List Servers"',
  },
  "cursor": {
    label: "Cursor",
    place: "~/.cursor/mcp.json",
    format: "json",
    key: "mcpServers",
    entry: plain,
    reference: (variable) => `\${env:${variable}}`,
    link: (name, entry) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}` +
      `&config=${encoded(entry)}`,
    next: "Enable the server in the settings",
  },
  "codex": {
    label: "Codex",
    place: "~/.codex/config.toml",
    format: "toml",
    key: "mcp_servers",
    entry: (url, headers) => withHeaders({ url }, headers, "http_headers"),
    referring: (variables) => withHeaders({}, variables, "env_http_headers"),
    next: "Start a new session",
  },
  "gemini": {
    label: "Gemini CLI",
    place: "~/.gemini/settings.json",
    format: "json",
    key: "mcpServers",
    // Its "url" is for servers of the older transport.
    entry: (url, headers) => withHeaders({ httpUrl: url }, headers),
    reference: (variable) => `$${variable}`,
    command: (name, url, headers) =>
      `gemini mcp add --scope user --transport http ${name} "${url}"${flags(headers, "--header")}`,
    next: NEW_SESSION,
  },
  "windsurf": {
    label: "Windsurf",
    place: "~/.codeium/windsurf/mcp_config.json",
    format: "json",
    key: "mcpServers",
    entry: (url, headers) => withHeaders({ serverUrl: url }, headers),
    reference: (variable) => `\${env:${variable}}`,
    next: "Refresh the list of servers",
  },
  "zed": {
    label: "Zed",
    place: "settings.json (zed: open settings file)",
    format: "json",
    key: "context_servers",
    entry: plain,
    next: "Check it under Settings > AI > MCP Servers",
  },
  "jetbrains": {
    label: "JetBrains",
    place: "Settings > Tools > AI Assistant > Model Context Protocol (MCP) > Add > As JSON",
    format: "json",
    key: "mcpServers",
    entry: plain,
    next: "Apply the settings",
  },
  "copilot": {
    label: "Copilot CLI",
    place: "~/.copilot/mcp-config.json",
    format: "json",
    key: "mcpServers",
    entry: typedHttp,
    typed: true,
    // Without it, none of the tools is offered.
    always: { tools: ["*"] },
    next: "Type /mcp show in a new session",
  },
  "lmstudio": {
    label: "LM Studio",
    place: "~/.lmstudio/mcp.json (Program > Install > Edit mcp.json)",
    format: "json",
    key: "mcpServers",
    entry: plain,
    link: (name, entry) =>
      `lmstudio://add_mcp?name=${encodeURIComponent(name)}&config=${encoded(entry)}`,
    next: "Turn the server on in the tab Program",
  },
  "goose": {
    label: "Goose",
    place: "~/.config/goose/config.yaml",
    format: "yaml",
    key: "extensions",
    entry: (uri, headers) =>
      withHeaders({ type: "streamable_http", enabled: true, uri, timeout: 300 }, headers),
    link: (name, { uri }) => {
      const parameters = { url: String(uri), type: "streamable_http", id: name, name };
      const pairs = Object.entries({ ...parameters, description: name })
        .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
      return `goose://extension?${pairs.join("&")}`;
    },
    next: "Start a new session",
  },
  "cline": {
    label: "Cline",
    place: "cline_mcp_settings.json (MCP Servers > Configure)",
    format: "json",
    key: "mcpServers",
    entry: (url, headers) => withHeaders({ type: "streamableHttp", url }, headers),
    next: "Check it in the list of MCP servers",
  },
  "kiro": {
    label: "Kiro",
    place: "~/.kiro/settings/mcp.json",
    format: "json",
    key: "mcpServers",
    entry: plain,
    reference: (variable) => `\${${variable}}`,
    next: "Check it under MCP Servers",
  },
  "opencode": {
    label: "opencode",
    place: "~/.config/opencode/opencode.json",
    format: "json",
    key: "servers",
    within: "mcp",
    entry: (url, headers) => withHeaders({ type: "remote", url }, headers),
    reference: (variable) => `{env:${variable}}`,
    next: "Type /mcps in a new session",
  },
};

/** The entry of a server, with what each entry of the client has. */
export function addressEntry(
  { entry, always }: Pick<ClientFacts, "entry" | "always">,
  url: string,
  headers: Headers,
): Record<string, unknown> {
  return { ...entry(url, headers), ...always };
}
