import { assert, assertEquals, assertMatch } from "@std/assert";
import { RawJson } from "../../../src/protocol/raw_json.ts";
import { boundedListing } from "../../../src/execution/interpreters/listing.ts";

function listed(key: string, entries: unknown) {
  return { kind: "result" as const, result: RawJson.of({ [key]: entries }) };
}

function tools(count: number, schemaBytes: number) {
  return Array.from({ length: count }, (_, i) => ({
    name: `tool-${i}`,
    inputSchema: { type: "object", description: "x".repeat(schemaBytes) },
  }));
}

Deno.test("boundedListing() passes on what is within the limits, and what is no list", () => {
  const outcomes = [
    listed("tools", tools(1000, 100)),
    listed("tools", tools(1, 250 * 1024)),
    listed("tools", "no list"),
    { kind: "result" as const, result: RawJson.of(null) },
    { kind: "error" as const, code: 1, message: "x" },
  ];
  for (const outcome of outcomes) assertEquals(boundedListing("tools/list", outcome), outcome);
  const many = listed("tools", tools(5000, 1));
  assertEquals(boundedListing("tools/call", many), many);
});

Deno.test("boundedListing() names the limit that a list is over", () => {
  const cases: [method: string, key: string, entries: unknown[], message: RegExp][] = [
    ["tools/list", "tools", tools(1001, 1), /lists too many tools: the limit is 1000 per page/],
    ["tools/list", "tools", tools(1, 300 * 1024), /\("tool-0"\) of 301 KiB: .* is 256 KiB/],
    ["tools/list", "tools", tools(20, 250 * 1024), /tools of 5 MiB: the limit is 4 MiB per page/],
    ["prompts/list", "prompts", tools(1001, 1), /too many prompts/],
    ["resources/list", "resources", Array(1001).fill(null), /too many resources/],
    ["resources/templates/list", "resourceTemplates", Array(1001).fill(1), /resource templates/],
    ["tools/list", "tools", ["x".repeat(300 * 1024)], /unnamed/],
  ];
  for (const [method, key, entries, message] of cases) {
    const outcome = boundedListing(method, listed(key, entries));
    assert(outcome.kind === "error", method);
    assertMatch(outcome.message, message);
    assertEquals((outcome.data as { reason: string }).reason, "list_too_large");
  }
});

Deno.test("boundedListing() refuses a result with two lists; an entry with two names has none", () => {
  function read(text: string) {
    const result = RawJson.checked(new TextEncoder().encode(text));
    return boundedListing("tools/list", { kind: "result", result });
  }
  for (const text of ['{"tools":[],"tools":[1]}', '{"tools":[],"t\\u006fols":[1]}']) {
    const outcome = read(text);
    assert(outcome.kind === "error");
    assertMatch(outcome.message, /list of tools twice/);
  }
  const large = "x".repeat(300 * 1024);
  const outcome = read(`{"tools":[{"name":"a","name":"b","description":"${large}"}]}`);
  assert(outcome.kind === "error");
  assertMatch(outcome.message, /unnamed/);
});
