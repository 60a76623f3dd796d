import { assertEquals } from "@std/assert";
import { setupProgress } from "../../src/setup/progress.ts";

function shown(terminal: boolean): string {
  let text = "";
  const { log, progress } = setupProgress({ terminal, write: (part) => text += part });
  log("fetching 8 packages from the Python package index");
  for (let done = 1; done <= 8; done++) progress(done, 8);
  log("making the snapshot");
  return text;
}

Deno.test("setup writes its progress over itself on a terminal", () => {
  const text = shown(true);
  const lines = text.split("\n");
  assertEquals(lines.length, 3);
  assertEquals(lines[1]!.match(/\[Ksetup: [█░]{24} \d of 8 packages/g)?.length, 8);
  assertEquals(lines[1]!.endsWith("\r\x1b[Ksetup: making the snapshot"), true);
});

Deno.test("setup writes a plain line at each quarter elsewhere", () => {
  assertEquals(
    shown(false),
    [
      "setup: fetching 8 packages from the Python package index",
      "setup: 2 of 8 packages",
      "setup: 4 of 8 packages",
      "setup: 6 of 8 packages",
      "setup: 8 of 8 packages",
      "setup: making the snapshot",
      "",
    ].join("\n"),
  );
});
