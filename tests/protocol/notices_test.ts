import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { LOGGING_LEVELS } from "../../src/protocol/mcp.ts";
import { isUrgentEnough, readNotice as readText } from "../../src/protocol/notices.ts";
import { RawJson } from "../../src/protocol/raw_json.ts";
import { textOf } from "../helpers/plain_json.ts";

// The same values in every run.
fc.configureGlobal({ seed: 20260501 });

const readNotice = (method: string, params: unknown) => readText(method, textOf(params));

Deno.test("readNotice() knows the notifications that a server may send", () => {
  assertEquals(readNotice("notifications/progress", { progressToken: "t", progress: 0.5 }), {
    kind: "progress",
    token: "t",
    progress: 0.5,
  });
  assertEquals(readNotice("notifications/message", { level: "alert", data: [1] }), {
    kind: "message",
    level: "alert",
  });
  for (const what of ["tools", "resources", "prompts"]) {
    const method = `notifications/${what}/list_changed`;
    assertEquals(readNotice(method, undefined), { kind: "list_changed" });
    assertEquals(readNotice(method, {}), { kind: "list_changed" });
    assertEquals(readNotice(method, [1]), null);
  }
  assertEquals(readNotice("notifications/resources/updated", { uri: "a://b" }), {
    kind: "updated",
    uri: "a://b",
  });
  assertEquals(readNotice("notifications/elicitation/complete", { elicitationId: "e" }), {
    kind: "elicitation",
  });
});

Deno.test("readNotice() drops what is malformed, a client's, or nothing of MCP", () => {
  for (
    const [method, params] of [
      ["notifications/progress", { progressToken: 1.5, progress: 1 }],
      ["notifications/progress", { progressToken: "t", progress: "1" }],
      ["notifications/progress", { progressToken: "t", progress: NaN }],
      ["notifications/message", { level: "loud", data: 1 }],
      ["notifications/resources/updated", { uri: 5 }],
      ["notifications/cancelled", { requestId: 1 }],
      ["notifications/initialized", {}],
      ["notifications/tasks/status", {}],
      ["tools/call", {}],
      ["toString", {}],
    ] as const
  ) assertEquals(readNotice(method, params), null, method);
  fc.assert(fc.property(fc.string(), fc.jsonValue(), (method, params) => {
    readNotice(method, params);
  }));
});

Deno.test("isUrgentEnough() lets a level and all above it pass, and all without one", () => {
  for (const [rank, level] of LOGGING_LEVELS.entries()) {
    assertEquals(isUrgentEnough(level, null), true);
    for (const [at, wanted] of LOGGING_LEVELS.entries()) {
      assertEquals(isUrgentEnough(level, wanted), rank >= at);
    }
  }
});

Deno.test("readNotice() keeps tokens of any size, and refuses members that are there twice", () => {
  const read = (method: string, text: string) =>
    readText(`notifications/${method}`, RawJson.checked(new TextEncoder().encode(text)));
  assertEquals(read("progress", '{"progressToken":9007199254740993,"progress":1}'), {
    kind: "progress",
    token: 9007199254740993n,
    progress: 1,
  });
  assertEquals(read("progress", '{"progressToken":1,"progress":1e400}'), null);
  assertEquals(read("progress", '{"progressToken":1,"progressToken":2,"progress":1}'), null);
  assertEquals(read("message", '{"level":"debug","data":1,"\\u006cevel":"error"}'), null);
  assertEquals(read("resources/updated", '{"uri":"a:","uri":"b:"}'), null);
});
