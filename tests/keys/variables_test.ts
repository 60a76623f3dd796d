import { assertEquals } from "@std/assert";
import { Configuration, valueFault, variablesOf } from "../../src/keys/variables.ts";

Deno.test("what an author declares counts, and the scan's word where nothing is declared", () => {
  const found = [{ name: "API_KEY", required: true }, { name: "REGION", required: false }];
  const scanned = variablesOf(null, found);
  assertEquals(scanned.map(({ name, secret, from }) => [name, secret, from]), [
    ["API_KEY", true, "scan"],
    ["REGION", false, "scan"],
  ]);
  const declared = variablesOf([{ name: "TOKEN", hosts: ["api.example.com"] }], found);
  assertEquals(declared.map(({ name, delivery, from }) => [name, delivery, from]), [
    ["TOKEN", "placeholder", "author"],
  ]);
  assertEquals(variablesOf([], found), []);
});

Deno.test("the code gets a secret without hosts, and one that it computes with", () => {
  const variables = variablesOf([
    { name: "A_TOKEN" },
    { name: "B_TOKEN", hosts: ["b.example.com"] },
    { name: "C_TOKEN", hosts: ["c.example.com"], exposed: true },
  ], []);
  assertEquals(variables.map(({ delivery }) => delivery), ["plain", "placeholder", "plain"]);
});

Deno.test("what the scan found is cut to what is valid", () => {
  const found = variablesOf(null, [
    { name: "A", required: false, description: "x\u202ey", default: "1" },
    { name: "1A", required: true },
    { name: "B_KEY", required: true, default: "abc" },
  ]);
  assertEquals(found.map(({ name, description, default: value }) => [name, description, value]), [
    ["A", null, null],
    ["B_KEY", null, null],
  ]);
});

const REFUSED: [text: string, configuration: unknown][] = [
  ["a name with a hyphen", [{ name: "A-B" }]],
  ["two of one name", [{ name: "A" }, { name: "A" }]],
  ["a default of a secret", [{ name: "API_KEY", default: "x" }]],
  ["hosts of what is no secret", [{ name: "REGION", hosts: ["example.com"] }]],
  ["a default that is no choice", [{ name: "MODE", default: "c", choices: ["a", "b"] }]],
  ["a host that is an address with a path", [{ name: "A_KEY", hosts: ["example.com/a"] }]],
  ["all hosts", [{ name: "A_KEY", hosts: ["*"] }]],
  ["all hosts of a top-level domain", [{ name: "A_KEY", hosts: ["*.com"] }]],
  ["a wildcard inside", [{ name: "A_KEY", hosts: ["api.*.com"] }]],
  ["an unknown member", [{ name: "A", value: "x" }]],
];

for (const [text, configuration] of REFUSED) {
  Deno.test(`a declaration with ${text} is refused`, () => {
    assertEquals(Configuration.safeParse(configuration).success, false);
  });
}

Deno.test("a value is held against choices, format and length, and never shown", () => {
  const of = (format: "text" | "number" | "boolean" | "url", choices: string[] = []) => ({
    format,
    choices,
    delivery: "plain" as const,
  });
  assertEquals(valueFault(of("number"), "12.5"), null);
  assertEquals(valueFault(of("number"), "s3cret"), "must be a number");
  assertEquals(valueFault(of("boolean"), "yes"), null);
  assertEquals(valueFault(of("url"), "nowhere"), "must be a URL");
  assertEquals(valueFault(of("text", ["a", "b"]), "c"), "must be a or b");
  assertEquals(valueFault(undefined, "x".repeat(16_385)), "must have at most 16384 characters");
  assertEquals(valueFault(undefined, ""), "must not be empty");
  const [hidden] = variablesOf([{ name: "API_KEY", hosts: ["api.example.com"] }], []);
  const short = "must have at least 8 characters: a shorter one cannot be hidden from the code";
  assertEquals(valueFault(hidden, "s3cret7"), short);
  assertEquals(valueFault(hidden, "s3cret78"), null);
});
