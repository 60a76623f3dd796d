/**
 * How MCP clients are told of a server: what goes into which file, or which command.
 *
 * @module
 */
import { headerOf, type Variable } from "../../keys/variables.ts";

export interface ClientEntry {
  id: string;
  label: string;
  /** Where the snippet goes. */
  where: string;
  snippet: string;
  /** An address that makes the client add it by itself. */
  link: string | null;
}

/** A server, and what its clients have to send. */
export interface ClientInput {
  name: string;
  url: string;
  /** Whether every call takes a token: for what is no client that signs in. */
  needsToken: boolean;
  /** Variables that the server is to be given; they come from the environment of the client. */
  variables?: readonly Pick<Variable, "name" | "description" | "secret">[];
}

/** Id of the entry that is a call by hand, and no client. */
export const PLAIN_HTTP = "http";

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

type Variables = NonNullable<ClientInput["variables"]>;

/** A header for each variable, whose value is written as the client writes references. */
function headersOf(variables: Variables, reference: (name: string) => string) {
  if (variables.length === 0) return {};
  return {
    headers: Object.fromEntries(variables.map(({ name }) => [headerOf(name), reference(name)])),
  };
}

function inputId(server: string, variable: string): string {
  return `berth-${server}-${variable}`;
}

/** VS Code asks for them, and keeps them. */
function inputsOf(server: string, variables: Variables) {
  if (variables.length === 0) return {};
  return {
    inputs: variables.map(({ name, description, secret }) => ({
      type: "promptString",
      id: inputId(server, name),
      description: description?.split("\n")[0] ?? name,
      password: secret,
    })),
  };
}

/** For a program that is given the values in its environment. */
function remoteEntry(url: string, variables: Variables) {
  const args = variables.flatMap(({ name }) => ["--header", `${headerOf(name)}:\${${name}}`]);
  return {
    command: "npx",
    args: ["-y", "mcp-remote", url, ...args],
    ...(variables.length === 0
      ? {}
      : { env: Object.fromEntries(variables.map(({ name }) => [name, "…"])) }),
  };
}

function codeSnippet(name: string, url: string, variables: Variables): string {
  const headers = headersOf(variables, (each) => `\${input:${inputId(name, each)}}`);
  return json({
    ...inputsOf(name, variables),
    servers: { [name]: { type: "http", url, ...headers } },
  });
}

function codexSnippet(name: string, url: string, variables: Variables): string {
  const pairs = variables.map((one) => `${quoted(headerOf(one.name))} = ${quoted(one.name)}`);
  return [
    `[mcp_servers.${name}]`,
    `url = ${quoted(url)}`,
    ...(pairs.length === 0 ? [] : [`env_http_headers = { ${pairs.join(", ")} }`]),
  ].join("\n");
}

/** A call without a client that signs in. */
function plainHttp({ url, needsToken }: ClientInput, variables: Variables): ClientEntry {
  return {
    id: PLAIN_HTTP,
    label: "Plain HTTP",
    where: "In a terminal",
    snippet: [
      `curl -s ${quoted(url)} \\`,
      '  -H "Content-Type: application/json" -H "Mcp-Session-Id: my-session" \\',
      ...(needsToken ? ['  -H "Authorization: Bearer $BERTH_TOKEN" \\'] : []),
      ...variables.map(({ name }) => `  -H "${headerOf(name)}: $${name}" \\`),
      `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'`,
    ].join("\n"),
    link: null,
  };
}

/**
 * The clients, for the server `name` (lowercase words) at `url`. Where running it takes a token,
 * they sign in by what the endpoint's 401 names: an `Authorization` of their configuration, though
 * it hold no token, would keep them from it.
 */
export function clientEntries(input: ClientInput): ClientEntry[] {
  const { name, url, variables = [] } = input;
  const environment = headersOf(variables, (each) => `\${env:${each}}`);
  const cursor = btoa(json({ url, ...environment }));
  const code = encodeURIComponent(JSON.stringify({ name, type: "http", url }));
  const flags = variables.map((each) => ` --header "${headerOf(each.name)}: $${each.name}"`);
  return [
    {
      id: "claude-code",
      label: "Claude Code",
      where: "In a terminal",
      snippet: `claude mcp add --transport http ${name} "${url}"${flags.join("")}`,
      link: null,
    },
    {
      id: "claude-desktop",
      label: "Claude Desktop",
      where: "claude_desktop_config.json (needs Node)",
      snippet: json({ mcpServers: { [name]: remoteEntry(url, variables) } }),
      link: null,
    },
    {
      id: "cursor",
      label: "Cursor",
      where: "~/.cursor/mcp.json",
      snippet: json({ mcpServers: { [name]: { url, ...environment } } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}` +
        `&config=${encodeURIComponent(cursor)}`,
    },
    {
      id: "vscode",
      label: "VS Code",
      where: ".vscode/mcp.json",
      snippet: codeSnippet(name, url, variables),
      // What it would ask for has no place in such an address.
      link: variables.length === 0 ? `vscode:mcp/install?${code}` : null,
    },
    {
      id: "windsurf",
      label: "Windsurf",
      where: "~/.codeium/windsurf/mcp_config.json",
      snippet: json({ mcpServers: { [name]: { serverUrl: url, ...environment } } }),
      link: null,
    },
    {
      id: "codex",
      label: "Codex",
      where: "~/.codex/config.toml",
      snippet: codexSnippet(name, url, variables),
      link: null,
    },
    {
      id: "gemini",
      label: "Gemini CLI",
      where: "~/.gemini/settings.json",
      snippet: json({
        mcpServers: { [name]: { httpUrl: url, ...headersOf(variables, (each) => `$${each}`) } },
      }),
      link: null,
    },
    {
      id: "zed",
      label: "Zed",
      where: "~/.config/zed/settings.json",
      snippet: json({
        context_servers: { [name]: { url, ...headersOf(variables, () => "…") } },
      }),
      link: null,
    },
    plainHttp(input, variables),
  ];
}
