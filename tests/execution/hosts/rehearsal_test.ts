import { assert, assertEquals } from "@std/assert";
import { createHost } from "../../../src/execution/hosts/host.ts";
import { startHost } from "../../../src/execution/hosts/process.ts";
import { startInterpreter } from "../../../src/execution/interpreters/interpreter.ts";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";
import { callTool, server, sessionInput, testInterpreter } from "../../helpers/interpreter.ts";
import { PATIENCE_MS } from "../../helpers/patience.ts";
import { inputOf, plainSession } from "../../helpers/plain_json.ts";

const LIMITS = { memoryMb: 256, heapMb: 256, dataMb: null, walls: NO_WALLS };

const SOURCE = server(`
import gc, os, sys, threading

@tool
def traces() -> str:
    import asyncio, json
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk("/")
                   for name in names if not folder.startswith(("/proc", "/dev")))
    return json.dumps({
        "files": files,
        "folders": sorted(folder for folder, _, _ in os.walk("/")),
        "modules": sorted(sys.modules),
        "tasks": len(asyncio.all_tasks()),
        "rehearsed": "rehearsal" in repr([o for o in gc.get_objects() if isinstance(o, dict)
                                          and "rehearsal" in list(o.values())]),
        "path": sys.path,
        "environment": dict(os.environ),
    })
`);

/**
 * What a session sees of its interpreter in a host that was told whether it waits, and that it
 * probably needs the images `begun`, one after the other.
 */
async function traces(
  waits: boolean,
  begun: (string | null)[] = [],
): Promise<Record<string, unknown>> {
  const interpreter = await testInterpreter();
  const host = createHost({
    ...LIMITS,
    interpreter: interpreter.folder,
    cache: interpreter.cache,
    bootTimeoutMs: PATIENCE_MS,
  }, () => {});
  try {
    const slot = await host.boot(["pydantic"], waits);
    // A second interpreter boots after or beside the rehearsal.
    if (waits) await host.boot();
    for (const image of begun) {
      slot.send({ type: "begin", image });
      // Takes longer than to begin.
      await host.boot();
    }
    const session = plainSession(
      await startInterpreter(slot, inputOf(sessionInput(SOURCE)), {
        loadDeadlineMs: PATIENCE_MS,
        interruptGraceMs: PATIENCE_MS,
        closeGraceMs: PATIENCE_MS,
        memoryMb: 256,
        image: null,
        onCallbackError: () => {},
      }),
    );
    return JSON.parse(await callTool(session, "traces"));
  } finally {
    await host.kill("closed", "");
  }
}

Deno.test("a rehearsal starts its server and has every call answered", async () => {
  const { folder, cache } = await testInterpreter();
  const said = Promise.withResolvers<string>();
  const host = startHost({
    ...LIMITS,
    interpreter: folder,
    cache,
    limits: { head: 1 << 20, body: 1 << 20 },
    module: new URL("../../fixtures/rehearsing_host.ts", import.meta.url),
  }, (message) => said.resolve("message" in message ? message.message : message.type));
  host.exited.then(({ stderr }) => said.reject(new Error(stderr)));
  assertEquals(await said.promise, "rehearsal: true");
  await host.kill();
});

Deno.test("a session in a host that has rehearsed finds no trace of it", async () => {
  const plain = await traces(false);
  const rehearsed = await traces(true);
  assert((plain["modules"] as string[]).length > 100);
  assertEquals(rehearsed, plain);
  assertEquals(rehearsed["rehearsed"], false);
});

Deno.test("a session that began before its server was known, rightly or not, is like any other", async () => {
  const plain = await traces(false);
  assertEquals(await traces(false, [null]), plain);
  assertEquals(await traces(false, ["pydantic"]), plain);
  assertEquals(await traces(false, ["pydantic", "httpx", null]), plain);
});
