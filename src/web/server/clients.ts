/**
 * How MCP clients are told of a server: what goes into which file, or which command.
 *
 * @module
 */

export interface ClientEntry {
  id: string;
  label: string;
  /** Where the snippet goes. */
  where: string;
  snippet: string;
  /** An address that makes the client add it by itself. */
  link: string | null;
}

/** Id of the entry that is a call by hand, and no client. */
export const PLAIN_HTTP = "http";

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** A call without a client that signs in. */
function plainHttp(url: string, needsToken: boolean): ClientEntry {
  return {
    id: PLAIN_HTTP,
    label: "Plain HTTP",
    where: "In a terminal",
    snippet: [
      `curl -s ${quoted(url)} \\`,
      '  -H "Content-Type: application/json" -H "Mcp-Session-Id: my-session" \\',
      ...(needsToken ? ['  -H "Authorization: Bearer $BERTH_TOKEN" \\'] : []),
      `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
    ].join("\n"),
    link: null,
  };
}

/**
 * The clients, for the server `name` (lowercase words) at `url`. Where running it takes a token,
 * they sign in by what the endpoint's 401 names: an `Authorization` of their configuration, though
 * it hold no token, would keep them from it.
 *
 * @param needsToken Whether every call takes a token: for what is no client that signs in.
 */
export function clientEntries(
  { name, url, needsToken }: { name: string; url: string; needsToken: boolean },
): ClientEntry[] {
  const cursor = btoa(json({ url }));
  const code = encodeURIComponent(JSON.stringify({ name, type: "http", url }));
  return [
    {
      id: "claude-code",
      label: "Claude Code",
      where: "In a terminal",
      snippet: `claude mcp add --transport http ${name} "${url}"`,
      link: null,
    },
    {
      id: "claude-desktop",
      label: "Claude Desktop",
      where: "claude_desktop_config.json (needs Node)",
      snippet: json({
        mcpServers: {
          [name]: { command: "npx", args: ["-y", "mcp-remote", url] },
        },
      }),
      link: null,
    },
    {
      id: "cursor",
      label: "Cursor",
      where: "~/.cursor/mcp.json",
      snippet: json({ mcpServers: { [name]: { url } } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}` +
        `&config=${encodeURIComponent(cursor)}`,
    },
    {
      id: "vscode",
      label: "VS Code",
      where: ".vscode/mcp.json",
      snippet: json({ servers: { [name]: { type: "http", url } } }),
      link: `vscode:mcp/install?${code}`,
    },
    {
      id: "windsurf",
      label: "Windsurf",
      where: "~/.codeium/windsurf/mcp_config.json",
      snippet: json({ mcpServers: { [name]: { serverUrl: url } } }),
      link: null,
    },
    {
      id: "codex",
      label: "Codex",
      where: "~/.codex/config.toml",
      snippet: `[mcp_servers.${name}]\nurl = ${quoted(url)}`,
      link: null,
    },
    {
      id: "gemini",
      label: "Gemini CLI",
      where: "~/.gemini/settings.json",
      snippet: json({ mcpServers: { [name]: { httpUrl: url } } }),
      link: null,
    },
    {
      id: "zed",
      label: "Zed",
      where: "~/.config/zed/settings.json",
      snippet: json({ context_servers: { [name]: { url } } }),
      link: null,
    },
    plainHttp(url, needsToken),
  ];
}
