import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";
import { NO_WALLS, type Walls } from "../../../src/sandbox/walls.ts";
import { HostReply } from "../../../workers/analysis/messages.ts";
import type { HostProcess } from "../../../src/scan/analysis/process.ts";
import { startUntried } from "../../../src/scan/analysis/untried.ts";

const program = fileURLToPath(new URL("./fake_host.ts", import.meta.url));

/** Walls of which one cannot be raised. */
const BROKEN: Walls = { ...NO_WALLS, enter: () => ({ prefix: ["false"], leave() {} }) };

/** What a request ends with: its result, or how the process came to its end. */
function answer(host: HostProcess, order = "work"): Promise<unknown> {
  const content = new TextEncoder().encode(order);
  return new Promise((resolve) => {
    host.listen({
      onReply(given) {
        const reply = HostReply.parse(given);
        if (reply.type === "done") resolve(reply.result);
      },
      onEnd: resolve,
    });
    const files = [{ path: "a.py", size: content.length }];
    const asked = { lang: "python", entrypoint: "a.py", options: {}, threads: 1, files };
    host.send({ type: "run", id: 1, analyser: "quality", ...asked }, [content]);
  });
}

Deno.test("a process whose walls work is used as it is", async () => {
  let asked = 0;
  const host = startUntried({ program, walls: NO_WALLS }, () => {
    asked++;
    return Promise.resolve({ program, walls: NO_WALLS });
  });
  try {
    assertMatch(JSON.stringify(await answer(host)), /"served":1,"files":\["a\.py"\]/);
    assertEquals(asked, 0);
  } finally {
    await host.kill();
  }
});

Deno.test("where a wall cannot be raised, a process behind those that can is sent the same", async () => {
  const host = startUntried(
    { program, walls: BROKEN },
    () => Promise.resolve({ program, walls: NO_WALLS }),
  );
  try {
    assertEquals(host.alive, true);
    assertMatch(JSON.stringify(await answer(host)), /"served":1,"files":\["a\.py"\]/);
    assertEquals(host.alive, true);
  } finally {
    await host.kill();
  }
  assertEquals(host.alive, false);
});

Deno.test("a process that ends later is not replaced", async () => {
  let asked = 0;
  const host = startUntried({ program, walls: NO_WALLS }, () => {
    asked++;
    return Promise.resolve({ program, walls: NO_WALLS });
  });
  assertMatch(String(await answer(host, "crash")), /exit code 7/);
  assertEquals([host.alive, asked], [false, 0]);
});

Deno.test("whoever waits hears when no process can be started at all", async () => {
  const tries = [
    () => Promise.reject(new Error("nothing works")),
    () => Promise.resolve({ program, walls: BROKEN }),
  ];
  for (const [i, tried] of tries.entries()) {
    const host = startUntried({ program, walls: BROKEN }, tried);
    assertMatch(String(await answer(host)), i === 0 ? /nothing works/ : /exit code 1/);
    assertEquals(host.alive, false);
    await host.kill();
  }
});

Deno.test("kill() leaves nothing behind, whether or not another was about to start", async () => {
  const trying = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const host = startUntried({ program, walls: BROKEN }, async () => {
    trying.resolve();
    await go.promise;
    return { program, walls: NO_WALLS };
  });
  await trying.promise;
  const killed = host.kill();
  go.resolve();
  await killed;
  assertEquals(host.alive, false);
});
