/** Declarations that were valid once. */
import { assertEquals } from "@std/assert";
import { storedConfiguration } from "../../src/keys/stored_variables.ts";
import { variablesOf } from "../../src/keys/variables.ts";

const STORED: [what: string, stored: unknown, names: string[]][] = [
  ["a wildcard that is refused now", [{ name: "A_KEY", hosts: ["*.github.io"] }], ["A_KEY"]],
  ["a name of the sandbox", [{ name: "PYTHONPATH" }, { name: "MODE" }], ["MODE"]],
  ["a default without the format", [{ name: "A", format: "number", default: "many" }], ["A"]],
  ["a default that is no choice", [{ name: "A", default: "c", choices: ["a"] }], ["A"]],
  ["members that are gone", [{ name: "A", colour: "red", hint: 3 }], ["A"]],
  ["a format that is gone", [{ name: "A", format: "colour" }], ["A"]],
  ["two of one name", [{ name: "A" }, { name: "A" }], ["A"]],
  ["texts that are too long now", [{ name: "A", description: "x".repeat(5000) }], ["A"]],
  ["entries that are no objects", [null, 1, "A", [], { name: "A" }], ["A"]],
  ["entries without a name", [{}, { name: 7 }, { name: "" }], []],
  ["no list at all", { name: "A" }, []],
];

for (const [what, stored, names] of STORED) {
  Deno.test(`a stored declaration with ${what} is read`, () => {
    const configuration = storedConfiguration(stored)!;
    assertEquals(configuration.map(({ name }) => name), names);
    // Pages and sessions make this of it.
    assertEquals(variablesOf(configuration, []).length, names.length);
  });
}

Deno.test("a server without a declaration has none", () => {
  assertEquals([storedConfiguration(null), storedConfiguration(undefined)], [null, null]);
});

Deno.test("a secret that was a placeholder stays one, whatever became of its hosts", () => {
  const stored = [
    { name: "A_KEY", hosts: ["*.github.io"] },
    { name: "B_KEY", hosts: "api.example.com" },
    { name: "C_KEY", hosts: [] },
    // A name that no rule of names takes for a secret's any more.
    { name: "REGION", hosts: ["api.example.com"] },
    { name: "D_KEY", hosts: ["api.example.com"], default: "x", format: "colour" },
  ];
  const variables = variablesOf(storedConfiguration(stored), []);
  assertEquals(
    variables.map(({ name, secret, delivery }) => [name, secret, delivery]),
    ["A_KEY", "B_KEY", "C_KEY", "REGION", "D_KEY"].map((name) => [name, true, "placeholder"]),
  );
  assertEquals(variables.map(({ hosts }) => hosts), [
    ["*.github.io"],
    [],
    [],
    ["api.example.com"],
    ["api.example.com"],
  ]);
});

Deno.test("what was no secret stays none, and what the code computed with stays so", () => {
  const stored = [{ name: "API_KEY", default: "public" }, { name: "REGION", exposed: true }];
  const variables = variablesOf(storedConfiguration(stored), []);
  assertEquals(variables.map(({ secret, exposed }) => [secret, exposed]), [
    [false, false],
    [true, true],
  ]);
});
