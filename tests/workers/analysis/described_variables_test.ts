/** What texts of a repository say of its variables. */
import { assertEquals } from "@std/assert";
import { describedVariables } from "../../../workers/analysis/audit/variables/described.ts";

function described(path: string, text: string) {
  const found = describedVariables(new Map([[path, new TextEncoder().encode(text)]]));
  return [...found.values()].map(({ name, description }) => [name, description]);
}

function ofCells(name: string, description: string) {
  return described(
    "README.md",
    `# Weather\n\n| Variable | Description |\n| --- | --- |\n| ${name} | ${description} |\n`,
  );
}

const NAMES: [form: string, cell: string][] = [
  ["as code", "`DB_POOL_SIZE`"],
  ["as plain text", "DB_POOL_SIZE"],
  ["with escaped underscores", "DB\\_POOL\\_SIZE"],
  ["in bold", "**DB_POOL_SIZE**"],
  ["as code in bold", "**`DB_POOL_SIZE`**"],
  ["in underlined emphasis", "_DB_POOL_SIZE_"],
  ["as a link", "[`DB_POOL_SIZE`](#pool)"],
];

for (const [form, cell] of NAMES) {
  Deno.test(`a name with underscores in a README's table is read ${form}`, () => {
    assertEquals(ofCells(cell, "Size"), [["DB_POOL_SIZE", "Size"]]);
  });
}

const DESCRIPTIONS: [what: string, cell: string, plain: string][] = [
  [
    "underscores of names",
    "Overrides DB_HOST and max_pool_size",
    "Overrides DB_HOST and max_pool_size",
  ],
  ["underscores of code", "Set `_private_` or `__all__`", "Set _private_ or __all__"],
  ["lone stars", "One of 2 * 3 or *", "One of 2 * 3 or *"],
];

for (const [what, cell, plain] of DESCRIPTIONS) {
  Deno.test(`a description keeps ${what}`, () => {
    assertEquals(ofCells("`A_KEY`", cell), [["A_KEY", plain]]);
  });
}

Deno.test("a description loses the marks of emphasis and links", () => {
  assertEquals(ofCells("`A_KEY`", "**The** _only_ *key*, from [the page](https://a.example)"), [
    ["A_KEY", "The only key, from the page"],
  ]);
});

Deno.test("a comment in an example file keeps the names in it", () => {
  assertEquals(described(".env.example", "# Used with DB_USER and *always* set\nDB_PASSWORD=\n"), [
    ["DB_PASSWORD", "Used with DB_USER and always set"],
  ]);
});
