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

Deno.test("hosts that the scan proposes decide nothing until they are declared", () => {
  const hosts = ["api.example.com", "*.github.io", "not a host"];
  const found = [{ name: "API_KEY", required: true, hosts }, {
    name: "REGION",
    required: false,
    hosts,
  }];
  const scanned = variablesOf(null, found);
  assertEquals(
    scanned.map(({ hosts, proposed_hosts, delivery }) => [hosts, proposed_hosts, delivery]),
    [[[], ["api.example.com"], "plain"], [[], [], "plain"]],
  );
  const declared = variablesOf([{ name: "API_KEY", hosts: ["b.example.com"] }], found);
  assertEquals([declared[0]!.hosts, declared[0]!.proposed_hosts], [["b.example.com"], []]);
  assertEquals(variablesOf([{ name: "API_KEY" }], found)[0]!.proposed_hosts, ["api.example.com"]);
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
  ["hosts that anyone can get", [{ name: "A_KEY", hosts: ["*.github.io"] }]],
  ["hosts below a public suffix", [{ name: "A_KEY", hosts: ["*.co.uk:8443"] }]],
  ["a wildcard inside", [{ name: "A_KEY", hosts: ["api.*.com"] }]],
  ["a default that is no number", [{ name: "A", format: "number", default: "many" }]],
  ["a default that is no URL", [{ name: "A", format: "url", default: "nowhere" }]],
  ["a default that is neither true nor false", [
    { name: "A", format: "boolean", default: "maybe" },
  ]],
  ["a choice that is no number", [{ name: "A", format: "number", choices: ["1", "two"] }]],
  ["a setting that the code computes with as a secret", [{ name: "REGION", exposed: true }]],
  ...["PATH", "HOME", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "DYLD_LIBRARY_PATH"].map(
    (name): [string, unknown] => [`the sandbox's own name ${name}`, [{ name }]],
  ),
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

for (const value of ["…", "...", "${input:berth-weather-A_KEY}", "${env:A_KEY}", "${A_KEY}"]) {
  Deno.test(`the placeholder ${value} is no value`, () => {
    assertEquals(valueFault(undefined, value), "is a placeholder that was not filled in");
  });
}

Deno.test("a value may contain what a placeholder consists of", () => {
  for (const value of ["a…", "....", "https://a.example/${id}", "${a}-${b}"]) {
    assertEquals(valueFault(undefined, value), null);
  }
});

Deno.test("what the sandbox has by itself is not proposed", () => {
  assertEquals(variablesOf(null, [{ name: "HOME", required: true }]), []);
});

Deno.test("what has a web address as its default is proposed as a URL", () => {
  const found = variablesOf(null, [
    { name: "API_URL", required: false, default: "https://api.example.com/v1" },
    { name: "LABEL", required: false, default: "http" },
  ]);
  assertEquals(found.map(({ format }) => format), ["url", "text"]);
});
