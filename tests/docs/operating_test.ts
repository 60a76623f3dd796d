import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

Deno.test("SECURITY.md names tests that exist, for each attempt", async () => {
  const text = await read("SECURITY.md");
  const begin = text.indexOf("### What an attacker may try");
  const section = text.slice(begin, text.indexOf("### Out of scope"));
  const rows = section.split("\n").filter((line) => /^\| (?!attempt|---)/.test(line));
  assert(rows.length > 25, String(rows.length));
  for (const row of rows) {
    const cell = row.split("|").at(-2)!;
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    assert(names.length > 0, row);
    for (const name of names) {
      const path = name.replace(/^H\//, "tests/execution/hostile/");
      await Deno.stat(new URL(path, ROOT)).catch(() => {
        throw new Error(`SECURITY.md names ${path}, which is not there`);
      });
    }
  }
});

Deno.test("what is in deploy/ starts Berth as the task does, with variables that there are", async () => {
  const { tasks } = JSON.parse(await read("deno.json"));
  const permissions = tasks.start.command.match(/--allow-\w+/g).join(" ");
  const [unit, container, compose] = await Promise.all(
    ["berth.service", "Containerfile", "compose.yaml"].map((name) => read(`deploy/${name}`)),
  );
  for (const setting of tasks.start.command.match(/[A-Z][A-Z_0-9]+=\w+/g)) {
    assertStringIncludes(unit!, setting);
    assertStringIncludes(container!, setting);
  }
  assertStringIncludes(unit!, `deno run --frozen ${permissions} main.ts`);
  assertStringIncludes(container!.replaceAll(/[",\[\]]/g, ""), `${permissions} main.ts`);
  const version = /deno@(\d+\.\d+\.\d+)/.exec(await read("README.md"))?.[1];
  for (const text of [container!, await read("docs/operating.md")]) {
    assertEquals(/deno@(\d+\.\d+\.\d+)/.exec(text)?.[1], version);
  }
  const known = await read(".env.example");
  const block = /environment:\n((?: {6}\S.*\n)+)/.exec(compose!)![1]!;
  for (const [, name] of block.matchAll(/^ {6}(\w+):/gm)) assertStringIncludes(known, `${name}=`);
});

Deno.test("the unit and the compose file leave the same capabilities, but one", async () => {
  const unit = /^CapabilityBoundingSet=(.*)$/m.exec(await read("deploy/berth.service"))![1]!;
  const compose = /cap_add: \[(SETUID.*)\]/.exec(await read("deploy/compose.yaml"))![1]!;
  const ofUnit = unit.split(" ").map((name) => name.replace("CAP_", ""));
  assertEquals(ofUnit.filter((name) => name !== "SYS_ADMIN"), compose.split(", "));
});
