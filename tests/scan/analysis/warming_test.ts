import { assert } from "@std/assert";
import { startHost } from "../../../src/scan/analysis/process.ts";
import { BRIEF, warmUp, WHOLE } from "../../../src/scan/analysis/warming.ts";
import { LANGUAGES } from "../../../src/scan/schema.ts";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";

Deno.test("warmUp() loads all that scans of every language may load", async () => {
  const host = startHost({ walls: NO_WALLS });
  try {
    const watch = { deadlineMs: 120_000, fileMs: 120_000, memoryBytes: 2 ** 31 };
    for (const lang of LANGUAGES) assert(await warmUp(host, lang, WHOLE, watch), lang);
  } finally {
    await host.kill();
  }
});

Deno.test("a process that must release memory keeps working", async () => {
  const host = startHost({ walls: NO_WALLS });
  try {
    const watch = { deadlineMs: 120_000, fileMs: 120_000, memoryBytes: 2 ** 31 };
    for (let round = 0; round < 3; round++) {
      assert(await warmUp(host, "python", BRIEF, watch), String(round));
      host.trim();
    }
    assert(host.alive);
  } finally {
    await host.kill();
  }
});
