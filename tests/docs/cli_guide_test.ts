/** What the guides say of `berth`: commands and options that exist, recipes that parse. */
import { assert, assertEquals } from "@std/assert";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { load } from "js-yaml";
import { splitWords } from "../../src/cli/mcp/arguments.ts";
import { createProgram } from "../../src/cli/program.ts";
import { EXIT } from "../../src/cli/failure.ts";

const GUIDES = ["README.md", "docs/cli.md", "docs/ci.md", "docs/tokens.md", "docs/sign-in.md"];

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
}

function program(): CommandUnknownOpts {
  const context = { out() {}, err() {} } as never;
  return createProgram(context, { exit: 0, command: "" }).berth as unknown as CommandUnknownOpts;
}

/** Lines of code blocks that call `berth`, without what is before and after the call. */
function callsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```(?:sh|console|yaml)\n([^]*?)```/g)].map(([, code]) => code!);
  return blocks.flatMap((code) => code.split("\n"))
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) =>
      [...line.matchAll(/(?:^|[\s(|])berth ([^|#;)&<>]+)/g)].map(([, call]) => call!.trim())
    );
}

function fault(root: CommandUnknownOpts, call: string): string | null {
  let command = root;
  for (const word of splitWords(call)) {
    if (word.startsWith("-") && word !== "-") {
      const known = [...command.options, ...root.options]
        .some(({ long, short }) => long === word || short === word) || word === "--help";
      if (!known) return `there is no option ${word}`;
      continue;
    }
    const next = command.commands
      .find((one) => one.name() === word || one.aliases().includes(word));
    if (next !== undefined) command = next;
    else if (command === root) return `there is no command ${word}`;
  }
  return null;
}

Deno.test("guides name only commands and options of berth that exist", async () => {
  const root = program();
  for (const path of GUIDES) {
    for (const call of callsIn(await read(path))) {
      assertEquals(fault(root, call), null, `${path}: berth ${call}`);
    }
  }
});

Deno.test("the guide has every command, and every exit code", async () => {
  const guide = await read("docs/cli.md");
  for (const command of program().commands) {
    const name = command.name();
    if (["help", "run", "version", "__complete", "self-install"].includes(name)) continue;
    assert(guide.includes(`berth ${name}`) || guide.includes(`\`${name}\``), `No ${name}`);
  }
  for (const code of Object.values(EXIT)) assert(guide.includes(`\n| ${code} `), `No ${code}`);
});

Deno.test("the recipes are YAML with the steps that they explain", async () => {
  const recipes = [...(await read("docs/ci.md")).matchAll(/```yaml\n([^]*?)```/g)]
    .map(([, text]) => load(text!));
  assertEquals(recipes.length, 2);
  const [github, gitlab] = recipes as [
    { jobs: { scan: { steps: { run?: string }[] } } },
    { berth: { script: string[] } },
  ];
  const { steps } = github.jobs.scan;
  assert(steps.some(({ run }) => run?.startsWith("berth scan . --fail-on high")));
  assert(gitlab.berth.script.includes("berth validate ."));
});
