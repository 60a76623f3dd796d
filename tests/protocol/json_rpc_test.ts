import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DEPTH_MAX, parseJson } from "../../src/protocol/json.ts";
import { readMessage } from "../../src/protocol/json_rpc.ts";
import { initializeResult } from "../../src/protocol/mcp.ts";
import { hasBatches, negotiate, REVISIONS } from "../../src/protocol/revisions.ts";

function parse(text: string) {
  return parseJson(new TextEncoder().encode(text));
}

function reason(text: string): string {
  const parsed = parse(text);
  return parsed.ok ? "" : parsed.reason;
}

Deno.test("parseJson() reads UTF-8 JSON and says why it cannot", () => {
  assertEquals(parse('{"a":["é\\n"]}'), { ok: true, value: { a: ["é\n"] } });
  assertStringIncludes(reason("{"), "not JSON");
  assertStringIncludes(reason(""), "not JSON");
  assertEquals(parseJson(new Uint8Array([0x22, 0xc3, 0x28, 0x22])).ok, false);
});

Deno.test("parseJson() bounds nesting, brackets in strings not counted", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert(parse(nested(DEPTH_MAX)).ok);
  assertStringIncludes(reason(nested(DEPTH_MAX + 1)), "deeper than 128");
  assertStringIncludes(reason('{"a":'.repeat(200) + "1" + "}".repeat(200)), "deeper");
  assert(parse(`["${"[{".repeat(500)}"]`).ok);
  assert(parse(`["\\"${"[".repeat(500)}"]`).ok);
  assertStringIncludes(reason(`["\\\\",${"[".repeat(500)}`), "deeper");
  assert(parse(`[${"[],".repeat(10_000)}[]]`).ok);
});

Deno.test("parseJson() ends for 4 MiB of brackets", () => {
  assert(!parse("[".repeat(4 * 1024 * 1024)).ok);
  assert(!parse("]".repeat(4 * 1024 * 1024)).ok);
});

Deno.test("readMessage() tells requests, notifications and responses apart", () => {
  const rpc = { jsonrpc: "2.0" };
  assertEquals(readMessage({ ...rpc, id: 1, method: "ping" }), {
    kind: "request",
    id: 1,
    method: "ping",
    params: {},
  });
  assertEquals(readMessage({ ...rpc, method: "x", params: { a: 1 } }), {
    kind: "notification",
    method: "x",
    params: { a: 1 },
  });
  assertEquals(readMessage({ ...rpc, id: "a", result: null }), {
    kind: "response",
    id: "a",
    result: null,
  });
  assertEquals(readMessage({ ...rpc, id: 1, error: { code: -1, message: "m" } }), {
    kind: "response",
    id: 1,
    error: { code: -1, message: "m" },
  });
});

Deno.test("readMessage() takes nothing from a prototype", () => {
  assertEquals(
    readMessage(Object.create({ jsonrpc: "2.0", id: 1, method: "ping" })).kind,
    "invalid",
  );
  assertEquals(readMessage([]).kind, "invalid");
  for (const value of [null, 1, "x", true, {}]) assertEquals(readMessage(value).kind, "invalid");
});

Deno.test("negotiate() echoes known revisions and offers the newest otherwise", () => {
  for (const revision of REVISIONS) assertEquals(negotiate(revision), revision);
  for (const asked of [undefined, "", "2024-11-05", "2026-07-28", "__proto__"]) {
    assertEquals(negotiate(asked), "2025-11-25");
  }
  assertEquals(REVISIONS.filter(hasBatches), ["2025-03-26"]);
});

Deno.test("initializeResult() adds logging and leaves absent instructions out", () => {
  const info = { name: "n", version: "1", instructions: null, capabilities: { tools: {} } };
  assertEquals(initializeResult("2025-11-25", info), {
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: "n", version: "1" },
  });
  const icons = [{ src: "https://example.com/icon.png" }];
  const face = { title: "N", description: null, website_url: "https://example.com", icons };
  assertEquals(initializeResult("2025-11-25", { ...info, ...face }).serverInfo, {
    name: "n",
    version: "1",
    title: "N",
    websiteUrl: "https://example.com",
    icons,
  });
});
