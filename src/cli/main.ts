import { deprecatedRun } from "./commands/run.ts";
import { terminalContext } from "./terminal.ts";
import { VERSION } from "./version.ts";
import { loader } from "./lazy.ts";
import { isPath } from "./scan/target.ts";

const load = loader<{
  "program": typeof import("./program.ts");
  "scan/ahead": typeof import("./scan/ahead.ts");
}>();

const context = terminalContext(Deno.env);
const [first] = Deno.args;

// What needs no command line is answered without loading one.
if (Deno.args.length === 1 && (first === "--version" || first === "-V" || first === "version")) {
  context.out(`${VERSION}\n`);
} else if (first === "run") {
  deprecatedRun(context);
} else {
  // The analysers take as long to start as the command line does.
  if (first === "scan" && Deno.args.some(isPath)) {
    (await load("scan/ahead")).startAhead(context.env);
  }
  const { runCli } = await load("program");
  Deno.exit(await runCli(Deno.args, context));
}
