/** Reads lines as `berth shell` does, and asks in between. Run in a pseudo-terminal. */
import { terminalContext } from "../../src/cli/terminal.ts";

const context = terminalContext(Deno.env);
const first = await context.ask("First? ");
const lines = context.lines({ prompt: "> ", complete: () => [[], ""], history: [] });
for await (const line of lines) {
  if (line === "ask") context.out(`<${first}|${await context.ask("Sure? ")}>\n`);
  else if (line === "end") break;
  else context.out(`<line ${line}>\n`);
}
context.out("<done>\n");
Deno.exit(7);
