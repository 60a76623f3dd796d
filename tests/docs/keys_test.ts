/** The examples of docs/keys.md. */
import { assert, assertEquals } from "@std/assert";
import { createProgram } from "../../src/cli/program.ts";
import { terminalContext } from "../../src/cli/terminal.ts";
import { UpdateServer } from "../../src/registry/schema.ts";
import { blocksOf } from "./guides/guide.ts";

Deno.test("the commands of docs/keys.md exist", async () => {
  const blocks = (await blocksOf("docs/keys.md")).filter(({ language }) => language === "sh");
  const { berth } = createProgram(terminalContext(Deno.env), { exit: 0, command: "" });
  for (const line of blocks.flatMap(({ code }) => code.trim().split("\n"))) {
    const [program, ...words] = line.replace(/\s+#.*$/, "").split(/\s+/);
    assertEquals(program, "berth");
    const command = berth.commands.find((one) => one.name() === words[0])!;
    const inner = command.commands.find((one) =>
      [one.name(), ...one.aliases()].includes(words[1]!)
    );
    assert(command.commands.length === 0 || inner !== undefined, line);
    const options = (inner ?? command).options.flatMap(({ short, long }) => [short, long]);
    for (const word of words.filter((one) => one.startsWith("-"))) {
      assert(options.includes(word), `${line}: ${word}`);
    }
  }
});

Deno.test("the declaration that docs/keys.md shows is valid", async () => {
  const [declared] = (await blocksOf("docs/keys.md")).filter(({ language }) => language === "json");
  assertEquals(UpdateServer.safeParse(JSON.parse(declared!.code)).error, undefined);
});
