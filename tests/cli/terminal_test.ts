/** The command line's own reading, in a pseudo-terminal. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { runInTerminal } from "../helpers/cli_process.ts";

const PROBE = fileURLToPath(new URL("../helpers/terminal_probe.ts", import.meta.url));

async function probe(steps: [string, string][]) {
  const home = await Deno.makeTempDir({ prefix: "berth-test-" });
  try {
    return await runInTerminal([Deno.execPath(), "run", "-A", "--no-check", PROBE], steps, {
      home,
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

Deno.test("questions and lines share a terminal, also a question between two lines", async () => {
  const { code, screen } = await probe([
    ["First? ", "one\r"],
    ["> ", "ask\r"],
    ["Sure? ", "two\r"],
    ["<one|two>", "three\r"],
    ["<line three>", "end\r"],
    ["<done>", ""],
  ]);
  assertEquals(code, 7, screen);
});

Deno.test("Ctrl-C empties the line first and ends at an empty one; Ctrl-D ends too", async () => {
  const cancelled = await probe([
    ["First? ", "one\r"],
    ["> ", "half\x03"],
    ["> ", "whole\r"],
    ["<line whole>", "\x03"],
    ["<done>", ""],
  ]);
  assertEquals(cancelled.code, 7);
  assertEquals(cancelled.screen.includes("<line half>"), false);
  const { screen } = await probe([["First? ", "one\r"], ["> ", "\x04"], ["<done>", ""]]);
  assertStringIncludes(screen, "<done>");
});
