import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  pageOf as pageOfText,
  type PageRequest,
  pageRequest as pageRequestOf,
} from "../../src/protocol/pages.ts";
import { RawJson } from "../../src/protocol/raw_json.ts";
import { valueOf } from "../helpers/plain_json.ts";

// The same values in every run.
fc.configureGlobal({ seed: 20260501 });

const METHOD = "tools/list";

type Params = Record<string, unknown>;

function pageOf(method: string, result: unknown, page: PageRequest, size?: number): Params {
  return valueOf(pageOfText(method, RawJson.of(result), page, size)) as Params;
}

function pageRequest(method: string, params: unknown): PageRequest {
  return pageRequestOf(method, RawJson.of(params));
}

function names(result: Params): string[] {
  return (result["tools"] as { name: string }[]).map(({ name }) => name);
}

function list(tools: string[]): Params {
  return { tools: tools.map((name) => ({ name })), _meta: { kept: true } };
}

/** All pages of what `lists` gives, one list a request. */
function walk(lists: Iterable<string[]>, size: number): string[] {
  const seen: string[] = [];
  let cursor: unknown;
  for (const tools of lists) {
    const request = pageRequest(METHOD, cursor === undefined ? {} : { cursor });
    assert(request.kind === "first" || request.kind === "after");
    const page = pageOf(METHOD, list(tools), request, size);
    seen.push(...names(page));
    cursor = page["nextCursor"];
    if (cursor === undefined) break;
  }
  return seen;
}

function* always(tools: string[]) {
  for (;;) yield tools;
}

Deno.test("pageOf() gives every entry once, in order, whatever the size", () => {
  fc.assert(fc.property(
    fc.uniqueArray(fc.string(), { maxLength: 40 }),
    fc.integer({ min: 1, max: 12 }),
    (tools, size) => assertEquals(walk(always(tools), size), tools),
  ));
});

Deno.test("pageOf() leaves alone what fits, and what is no list", () => {
  const whole = list(["a", "b"]);
  assertEquals(pageOf(METHOD, whole, { kind: "first" }, 2), whole);
  for (const odd of [{}, { tools: null }, { tools: "x" }, { prompts: [1, 2, 3] }]) {
    assertEquals(pageOf(METHOD, odd, { kind: "first" }, 1), odd);
  }
  assertEquals(pageOf("tools/call", whole, { kind: "first" }, 1), whole);
});

Deno.test("pageOf() neither repeats nor hides an entry when the list changes between pages", () => {
  // One before the cursor goes, one after it comes.
  assertEquals(walk([["a", "b", "c", "d"], ["b", "c", "d", "e"], ["b", "c", "d", "e"]], 2), [
    "a",
    "b",
    "c",
    "d",
    "e",
  ]);
  // The very entry that the page ended with goes.
  assertEquals(walk([["a", "b", "c"], ["a", "c"]], 2), ["a", "b", "c"]);
  // Everything goes.
  assertEquals(walk([["a", "b", "c"], []], 2), ["a", "b"]);
});

Deno.test("pageOf() comes to an end when entries have one name", () => {
  assertEquals(walk(always(["a", "a", "a", "a", "a"]), 2), ["a", "a", "a", "a", "a"]);
});

Deno.test("pageOf() takes entries of any shape", () => {
  const result = { tools: [null, 5, "x", {}] };
  const page = pageOf(METHOD, result, { kind: "first" }, 2);
  const next = pageRequest(METHOD, { cursor: page["nextCursor"] });
  assertEquals(pageOf(METHOD, result, next, 10)["tools"], ["x", {}]);
});

Deno.test("pageRequest() takes a cursor of its method only, and never throws", () => {
  const { nextCursor } = pageOf(METHOD, list(["a", "b"]), { kind: "first" }, 1);
  assertEquals(pageRequest(METHOD, { cursor: nextCursor }).kind, "after");
  assertEquals(pageRequest("prompts/list", { cursor: nextCursor }).kind, "bad");
  assertEquals(pageRequest(METHOD, { cursor: null }).kind, "first");
  for (const cursor of [5, {}, [], true, "berth.", "berth.x", "berth.bnVsbA", "berth.W10"]) {
    assertEquals(pageRequest(METHOD, { cursor }).kind, "bad", JSON.stringify(cursor));
  }
  assertEquals(pageRequest(METHOD, { cursor: "2" }).kind, "foreign");
  fc.assert(fc.property(fc.string(), (text) => {
    pageRequest(METHOD, { cursor: `berth.${text}` });
  }));
});
