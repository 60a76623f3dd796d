/**
 * `berth shell`: one session, many calls.
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { CliError, EXIT, type ExitCode, usageError } from "../failure.ts";
import { parseObject, parsePairs, splitWords } from "../mcp/arguments.ts";
import { environmentOf, type EnvironmentOptions } from "../mcp/environment.ts";
import type { Client, Tool } from "../mcp/sdk.ts";
import { withSession } from "../mcp/session.ts";
import { callTool, findTool, listTools, propertiesOf, signatureOf } from "../mcp/tools.ts";
import { plural } from "../../text/plural.ts";
import { oneLine } from "../output/terminal_text.ts";
import { reportFailure } from "../report_failure.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { historyPath } from "../settings/paths.ts";
import { showResult, toolText } from "./call.ts";

const MAX_HISTORY = 500;
const WORDS = ["tools", "help", "exit"];
const HELP = `TOOL name=value …   call a tool; quote values that contain spaces
TOOL {"name": …}    call a tool with JSON arguments
tools [TOOL]        list the tools, or show one
exit                end the session (Ctrl-D)
`;

/** What the word at the end of `line` may become: a tool, then its parameters. */
export function completions(tools: Tool[], line: string): [string[], string] {
  const word = /\S*$/.exec(line)![0];
  const before = line.slice(0, line.length - word.length).trim();
  if (before === "") {
    const names = [...tools.map(({ name }) => name), ...WORDS];
    return [names.filter((name) => name.startsWith(word)).map((name) => `${name} `), word];
  }
  const [first] = before.split(/\s+/);
  if (first === "tools") {
    return [tools.map(({ name }) => name).filter((name) => name.startsWith(word)), word];
  }
  const tool = tools.find(({ name }) => name === first);
  const names = tool === undefined ? [] : Object.keys(propertiesOf(tool));
  const left = names.filter((name) => !before.includes(` ${name}=`));
  return [left.map((name) => `${name}=`).filter((text) => text.startsWith(word)), word];
}

async function runLine(cli: Cli, client: Client, tools: Tool[], line: string): Promise<void> {
  const [first, ...rest] = splitWords(line);
  if (first === undefined) return;
  if (first === "help" || first === "?") return cli.context.out(HELP);
  if (first === "tools") {
    if (rest[0] !== undefined) return cli.context.out(toolText(cli, findTool(tools, rest[0])));
    return cli.output.table({ tools }, () => ({
      head: ["TOOL", "PARAMETERS", "DESCRIPTION"],
      rows: tools.map((tool) => [
        oneLine(tool.name, 60),
        signatureOf(tool),
        oneLine(tool.description ?? "", 300),
      ]),
    }));
  }
  const tool = findTool(tools, first);
  const after = line.slice(line.indexOf(first) + first.length).trim();
  const input = after.startsWith("{")
    ? parseObject(after, "The text after the tool name")
    : parsePairs(rest, propertiesOf(tool));
  showResult(cli, first, await callTool(cli, client, first, input), "tools");
}

/** Reads the history; a broken one is no reason to fail. */
async function readHistory(cli: Cli): Promise<string[]> {
  const text = await readIfThere(historyPath(cli.context)).catch(() => null);
  return text?.split("\n").filter((line) => line !== "") ?? [];
}

/** Opens a session and runs what is typed, line by line. */
export async function shell(
  cli: Cli,
  name: string,
  options: EnvironmentOptions = {},
): Promise<ExitCode> {
  const { context, output } = cli;
  const terminal = context.terminals.in;
  if (terminal && !cli.asks) throw usageError("berth shell requires an interactive terminal");
  let worst: ExitCode = EXIT.ok;
  const history = terminal ? await readHistory(cli) : [];
  const environment = await environmentOf(cli, options);
  const work = async (client: Client) => {
    const tools = await listTools(cli, client);
    if (terminal) {
      output.note(`${name}: ${plural(tools.length, "tool")}. Type "help" for commands.`);
    }
    const lines = context.lines({
      prompt: `${output.errStyle.cyan(name)}> `,
      complete: (line) => completions(tools, line),
      history: [...history],
    });
    for await (const line of lines) {
      const text = line.trim();
      if (text === "exit" || text === "quit") break;
      if (text === "" || text.startsWith("#")) continue;
      history.unshift(text);
      try {
        await runLine(cli, client, tools, text);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        worst = reportFailure(context, cli.options, error) as ExitCode;
        if (error.exit === EXIT.unreachable) throw error;
      }
    }
  };
  await withSession(cli, name, work, environment);
  if (terminal) {
    const text = `${history.slice(0, MAX_HISTORY).join("\n")}\n`;
    await writeWhole(historyPath(context), text, { mode: 0o600, folderMode: 0o700 });
  }
  // A person has seen what failed; a script asks for the exit code.
  return terminal ? EXIT.ok : worst;
}
