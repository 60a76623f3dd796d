/**
 * A call of a tool as others make it: from a terminal, and with the SDKs.
 *
 * @module
 */
import { headerOf } from "../../keys/variables.ts";
import { numberText } from "./exact_values.ts";

/** Arguments that are longer are no example to copy. */
const ARGUMENTS_MAX = 20_000;

/** A tool with its arguments, and what a caller from elsewhere has to send. */
export interface CopiedCall {
  server: string;
  /** The execution address. */
  url: string;
  tool: string;
  args: unknown;
  needsToken: boolean;
  /** Names of variables that the server is to be given. */
  variables: readonly string[];
}

/** Text for a terminal or a program, to be copied. */
export interface CallSnippet {
  id: string;
  label: string;
  text: string;
}

/** `text` as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function curl({ url, tool, args, needsToken, variables }: CopiedCall): string {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: tool, arguments: args },
  };
  return [
    `curl -s ${shellWord(url)} \\`,
    '  -H "Content-Type: application/json" -H "Mcp-Session-Id: my-session" \\',
    ...(needsToken ? ['  -H "Authorization: Bearer $BERTH_TOKEN" \\'] : []),
    ...variables.map((name) => `  -H "${headerOf(name)}: $${name}" \\`),
    `  -d ${shellWord(JSON.stringify(message))}`,
  ].join("\n");
}

function berthCall({ server, tool, args, variables }: CopiedCall): string {
  const values = variables.map((name) => ` --env ${name}`).join("");
  return `berth call ${server} ${shellWord(tool)} --args-json ${shellWord(JSON.stringify(args))}` +
    values;
}

/** A JSON value as Python writes it. */
export function pythonText(value: unknown, indent = ""): string {
  const number = numberText(value);
  if (number !== null) return number;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((item) => pythonText(item, inner))]
    : [
      "{",
      "}",
      Object.entries(value).map(([key, item]) =>
        `${JSON.stringify(key)}: ${pythonText(item, inner)}`
      ),
    ];
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}

interface SdkHeader {
  name: string;
  /** Fixed text before the value. */
  prefix: string;
  variable: string;
}

function sdkHeaders({ needsToken, variables }: CopiedCall): SdkHeader[] {
  return [
    ...(needsToken ? [{ name: "Authorization", prefix: "Bearer ", variable: "BERTH_TOKEN" }] : []),
    ...variables.map((name) => ({ name: headerOf(name), prefix: "", variable: name })),
  ];
}

function python(call: CopiedCall): string {
  const headers = sdkHeaders(call).map(({ name, prefix, variable }) => {
    const plus = prefix === "" ? "" : `${JSON.stringify(prefix)} + `;
    return `${JSON.stringify(name)}: ${plus}os.environ[${JSON.stringify(variable)}]`;
  });
  const given = headers.length === 0 ? "" : `, headers={${headers.join(", ")}}`;
  return [
    "import asyncio",
    ...(headers.length === 0 ? [] : ["import os"]),
    "",
    "from mcp import ClientSession",
    "from mcp.client.streamable_http import streamablehttp_client",
    "",
    "",
    "async def main():",
    `    async with streamablehttp_client(${
      JSON.stringify(call.url)
    }${given}) as (read, write, _):`,
    "        async with ClientSession(read, write) as session:",
    "            await session.initialize()",
    `            arguments = ${pythonText(call.args, "            ")}`,
    `            print(await session.call_tool(${JSON.stringify(call.tool)}, arguments))`,
    "",
    "",
    "asyncio.run(main())",
  ].join("\n");
}

function typescript(call: CopiedCall): string {
  const headers = sdkHeaders(call).map(({ name, prefix, variable }) =>
    `${JSON.stringify(name)}: \`${prefix}\${process.env.${variable}}\``
  );
  const given = headers.length === 0
    ? ""
    : `, {\n  requestInit: { headers: { ${headers.join(", ")} } },\n}`;
  const message = { name: call.tool, arguments: call.args };
  return [
    'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
    "import { StreamableHTTPClientTransport } from",
    '  "@modelcontextprotocol/sdk/client/streamableHttp.js";',
    "",
    'const client = new Client({ name: "my-client", version: "1.0.0" });',
    `const url = new URL(${JSON.stringify(call.url)});`,
    `await client.connect(new StreamableHTTPClientTransport(url${given}));`,
    `console.log(await client.callTool(${JSON.stringify(message, null, 2)}));`,
    "await client.close();",
  ].join("\n");
}

/** The call in each form; none where its arguments are long. */
export function callSnippets(call: CopiedCall): CallSnippet[] {
  if (JSON.stringify(call.args).length > ARGUMENTS_MAX) return [];
  return [
    { id: "curl", label: "curl", text: curl(call) },
    { id: "berth", label: "berth call", text: berthCall(call) },
    { id: "python", label: "Python SDK", text: python(call) },
    { id: "typescript", label: "TypeScript SDK", text: typescript(call) },
  ];
}
