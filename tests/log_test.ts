import { assertEquals, assertStringIncludes } from "@std/assert";
import { createLineWriter, createLogger, type LogFormat, type LogLevel } from "../src/log.ts";

function capture(format: LogFormat, level: LogLevel = "info") {
  const lines: string[] = [];
  const log = createLogger({
    level,
    format,
    write: (line) => lines.push(line),
    now: () => new Date("2026-01-02T03:04:05Z"),
  });
  return { log, lines };
}

Deno.test("createLogger() writes one JSON object a line with bound fields", () => {
  const { log, lines } = capture("json");
  log.child({ request_id: "r1" }).info("request", { status: 200 });
  assertEquals(JSON.parse(lines[0]!), {
    time: "2026-01-02T03:04:05.000Z",
    level: "info",
    event: "request",
    request_id: "r1",
    status: 200,
  });
});

Deno.test("createLogger() leaves out events below its level", () => {
  const { log, lines } = capture("text", "warn");
  log.info("quiet");
  log.warn("loud");
  assertEquals(lines.length, 1);
});

Deno.test("createLogger() lets no logged text start a new line or drive a terminal", () => {
  for (const format of ["json", "text"] as const) {
    const { log, lines } = capture(format);
    log.info("evil\nevent", { path: "a\r\nb\u001b[2J\u202e", "key\n": 1 });
    for (const character of ["\n", "\r", "\u001b", "\u202e"]) {
      assertEquals(lines[0]!.includes(character), false);
    }
  }
});

Deno.test("createLogger() writes an error with its chain of causes", () => {
  const { log, lines } = capture("json");
  log.error("failed", { error: new Error("outer", { cause: new Error("inner") }) });
  assertStringIncludes(lines[0]!, "outer");
  assertEquals(JSON.parse(lines[0]!).error.cause.message, "inner");
});

Deno.test("createLogger() survives fields that JSON cannot hold", () => {
  const { log, lines } = capture("json");
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  log.info("odd", { big: 12n, cycle, missing: undefined });
  log.info("odd", { nested: { big: 12n } });
  assertEquals(lines.length, 2);
  assertEquals(JSON.parse(lines[0]!).big, "12");
  assertStringIncludes(JSON.parse(lines[0]!).cycle, "Circular");
});

Deno.test("createLineWriter() writes a line at once, and those that follow closely together", async () => {
  const written: string[] = [];
  let onWritten = () => {};
  const lines = createLineWriter((text) => {
    written.push(text);
    onWritten();
  });
  lines.write("first");
  assertEquals(written, ["first\n"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  onWritten = resolve;
  lines.write("second");
  lines.write("third");
  await promise;
  assertEquals(written, ["first\n", "second\nthird\n"]);
  lines.write("fourth");
  lines.flush();
  assertEquals(written.join(""), "first\nsecond\nthird\nfourth\n");
  lines.flush();
  assertEquals(written.includes(""), false);
});
