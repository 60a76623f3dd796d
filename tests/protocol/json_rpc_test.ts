import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DEPTH_MAX, parseJson } from "../../src/protocol/json.ts";
import { readMessage } from "../../src/protocol/json_rpc.ts";
import { RawJson } from "../../src/protocol/raw_json.ts";
import { initializeResult } from "../../src/protocol/mcp.ts";
import { valueOf } from "../helpers/plain_json.ts";
import { hasBatches, negotiate, REVISIONS } from "../../src/protocol/revisions.ts";

function parse(text: string) {
  return parseJson(new TextEncoder().encode(text));
}

async function reason(text: string): Promise<string> {
  const parsed = await parse(text);
  return parsed.ok ? "" : parsed.reason;
}

Deno.test("parseJson() reads UTF-8 JSON and says why it cannot", async () => {
  for (const text of ['{"a":["é\\n"]}', '\ufeff{"a":["é\\n"]}', '\n{ "a"\r\n: ["é\\n"]\t}\n']) {
    const parsed = await parse(text);
    assert(parsed.ok);
    assertEquals(parsed.value.value(), { a: ["é\n"] });
  }
  assertStringIncludes(await reason("{"), "not JSON");
  assertStringIncludes(await reason(""), "not JSON");
  const bytes = new Uint8Array([0x22, 0xc3, 0x28, 0x22]);
  assertEquals(await parseJson(bytes), { ok: false, reason: "The body is not UTF-8" });
});

Deno.test("parseJson() bounds nesting, brackets in strings not counted", async () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assertEquals(await reason(nested(DEPTH_MAX)), "");
  assertStringIncludes(await reason(nested(DEPTH_MAX + 1)), "deeper than 128");
  assertStringIncludes(await reason('{"a":'.repeat(200) + "1" + "}".repeat(200)), "deeper");
  assertEquals(await reason(`["${"[{".repeat(500)}"]`), "");
  assertEquals(await reason(`["\\"${"[".repeat(500)}"]`), "");
  assertStringIncludes(await reason(`["\\\\",${"[".repeat(500)}`), "deeper");
  assertEquals(await reason(`[${"[],".repeat(10_000)}[]]`), "");
});

Deno.test("parseJson() ends for 4 MiB of brackets", async () => {
  assert((await reason("[".repeat(4 * 1024 * 1024))) !== "");
  assert((await reason("]".repeat(4 * 1024 * 1024))) !== "");
});

/** What a message says, its texts as values. */
function read(message: unknown) {
  const { ...members } = readMessage(RawJson.of(message));
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, valueOf(value)] as const),
  );
}

Deno.test("readMessage() tells requests, notifications and responses apart", () => {
  const rpc = { jsonrpc: "2.0" };
  assertEquals(read({ ...rpc, id: 1, method: "ping" }), {
    kind: "request",
    id: 1,
    method: "ping",
    params: {},
  });
  assertEquals(read({ ...rpc, method: "x", params: { a: 1 } }), {
    kind: "notification",
    method: "x",
    params: { a: 1 },
  });
  assertEquals(read({ ...rpc, id: "a", result: null }), {
    kind: "response",
    id: "a",
    result: null,
  });
  assertEquals(read({ ...rpc, id: 1, error: { code: -1, message: "m" } }), {
    kind: "response",
    id: 1,
    error: { code: -1, message: "m" },
  });
});

Deno.test("readMessage() says what is no message", () => {
  for (const value of [[], null, 1, "x", true, {}]) assertEquals(read(value)["kind"], "invalid");
});

Deno.test("readMessage() takes the last of two members of one name, as all who read JSON", () => {
  const text = '{"jsonrpc":"1","jsonrpc":"2.0","id":1,"id":2,"method":"a","m\\u0065thod":"b"}';
  const message = readMessage(RawJson.checked(new TextEncoder().encode(text)));
  assert(message.kind === "request");
  assertEquals([message.id, message.method], [2, "b"]);
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
