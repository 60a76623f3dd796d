/**
 * `berth tools` and `berth call`.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { readAll } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { parseObject, parsePairs } from "../mcp/arguments.ts";
import { contentText, structuredText, type ToolResult } from "../mcp/result.ts";
import { environmentOf, type EnvironmentOptions } from "../mcp/environment.ts";
import type { Client, Tool } from "../mcp/sdk.ts";
import { withSession } from "../mcp/session.ts";
import { callTool, findTool, listTools, propertiesOf, signatureOf } from "../mcp/tools.ts";
import { oneLine, safe } from "../output/terminal_text.ts";

/** A tool with its parameters, for people. */
export function toolText(cli: Cli, tool: Tool): string {
  const { bold, dim } = cli.output.style;
  const required = tool.inputSchema.required ?? [];
  const lines = Object.entries(propertiesOf(tool)).map(([name, property]) => {
    const { type, description, default: fallback } = property as Record<string, unknown>;
    const kind = type === undefined ? "" : ` ${dim(oneLine(String(type), 40))}`;
    const optional = required.includes(name) ? "" : dim(
      fallback === undefined ? " (optional)" : ` (default ${oneLine(JSON.stringify(fallback))})`,
    );
    const text = description === undefined ? "" : `  ${oneLine(String(description), 300)}`;
    return `  ${oneLine(name, 60)}${kind}${optional}${text}\n`;
  });
  const about = tool.description === undefined ? "" : `${safe(tool.description).trim()}\n`;
  return `${bold(oneLine(tool.name))}\n${about}${lines.join("")}`;
}

/** Lists the tools of a running server, or shows one with its parameters. */
export async function tools(
  cli: Cli,
  name: string,
  toolName: string | undefined,
  options: EnvironmentOptions = {},
): Promise<void> {
  const environment = await environmentOf(cli, options);
  const work = (client: Client) => listTools(cli, client);
  const found = await withSession(cli, name, work, environment);
  if (toolName !== undefined) {
    const tool = findTool(found, toolName);
    return cli.output.data(tool, () => toolText(cli, tool));
  }
  cli.output.table({ tools: found }, () => ({
    head: ["TOOL", "PARAMETERS", "DESCRIPTION"],
    rows: found.map((tool) => [
      oneLine(tool.name, 60),
      signatureOf(tool),
      oneLine(tool.description ?? "", 300),
    ]),
  }));
  if (found.length === 0) cli.output.note(`${name} has no tools`);
}

/**
 * Shows what a tool answered.
 *
 * @param help What shows the tool's parameters, as it is typed.
 * @throws {CliError} "tool" when it is an error.
 */
export function showResult(cli: Cli, toolName: string, result: ToolResult, help: string): void {
  if (cli.output.json) cli.output.data(result, () => "");
  if (result.isError) {
    const text = contentText(result).trim() || "no text";
    const [first = "", ...rest] = text.split("\n");
    throw new CliError(EXIT.tool, `"${oneLine(toolName, 60)}" returned an error: ${first}`, {
      lines: rest,
      hint: `See its parameters with ${help} ${oneLine(toolName, 60)}`,
    });
  }
  if (cli.output.json) return;
  const content = contentText(result);
  const structured = structuredText(result);
  // Piped, the content alone; where there is none, what is structured.
  const both = cli.context.terminals.out || content === "";
  cli.context.out(both ? content + structured : content);
}

export interface CallOptions extends EnvironmentOptions {
  arg?: string[] | undefined;
  argsJson?: string | undefined;
}

async function inputOf(
  cli: Cli,
  tool: Tool,
  from: string | undefined,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  if (from !== undefined && from !== "-") {
    throw usageError(
      `Unexpected argument "${from}"`,
      'Pass arguments as --arg name=value, or "-" to read JSON from standard input',
    );
  }
  return {
    ...(from === "-" ? parseObject(await readAll(cli.context), "Standard input") : {}),
    ...(options.argsJson === undefined ? {} : parseObject(options.argsJson, "--args-json")),
    ...parsePairs(options.arg ?? [], propertiesOf(tool)),
  };
}

/** Calls a tool in a session of its own. */
export async function call(
  cli: Cli,
  name: string,
  toolName: string,
  from: string | undefined,
  options: CallOptions,
): Promise<void> {
  const environment = await environmentOf(cli, options);
  const work = async (client: Client) => {
    const tool = findTool(await listTools(cli, client), toolName);
    const input = await inputOf(cli, tool, from, options);
    return await callTool(cli, client, toolName, input);
  };
  const result = await withSession(cli, name, work, environment);
  showResult(cli, toolName, result, `berth tools ${name}`);
}
