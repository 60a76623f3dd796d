import { assert, assertEquals } from "@std/assert";
import { ruleRows, rulesDocument } from "../../helpers/rules_document.ts";

const root = new URL("../../../", import.meta.url);

Deno.test("docs/rules.md lists the rules as the code has them", async () => {
  assertEquals(
    await Deno.readTextFile(new URL("docs/rules.md", root)) === rulesDocument(),
    true,
    "Run deno run -A tests/helpers/rules_document.ts",
  );
});

Deno.test("every rule has a severity, a remedy and, where it is about security, a weakness", () => {
  for (const { id, severity, cwe, fix } of ruleRows()) {
    assert(severity !== "" && fix.length > 5, id);
    if (/^(py|mcp|source|S\d|PLE)/.test(id)) assert(cwe !== null, id);
  }
});

Deno.test("docs/rules.md knows every rule that the source names", async () => {
  const known = new Set(ruleRows().map(({ id }) => id));
  const unknown = new Set<string>();
  async function look(folder: URL): Promise<void> {
    for await (const entry of Deno.readDir(folder)) {
      const at = new URL(entry.name + (entry.isDirectory ? "/" : ""), folder);
      if (entry.isDirectory) await look(at);
      else if (entry.name.endsWith(".ts")) {
        const text = await Deno.readTextFile(at);
        for (const [, id] of text.matchAll(/"((?:py|js|go|rust|mcp|source)\/[a-z0-9-]+)"/g)) {
          if (!known.has(id!)) unknown.add(id!);
        }
      }
    }
  }
  for (const folder of ["workers/analysis/audit/", "workers/analysis/code/", "src/scan/"]) {
    await look(new URL(folder, root));
  }
  assertEquals([...unknown], []);
});
