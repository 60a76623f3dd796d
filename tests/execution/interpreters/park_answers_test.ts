import { assertEquals, assertThrows } from "@std/assert";
import { startInterpreter } from "../../../src/execution/interpreters/interpreter.ts";
import type { Slot, SlotCommand, SlotOwner } from "../../../src/execution/interpreters/slot.ts";
import type { SlotMessage } from "../../../src/execution/interpreters/slot.ts";
import { sessionInput } from "../../helpers/interpreter.ts";
import { inputOf } from "../../helpers/plain_json.ts";

const OPENED = {
  kind: "loaded",
  info: { name: "x", version: "1", instructions: null, capabilities: {} },
};
const OPTIONS = {
  loadDeadlineMs: 60_000,
  interruptGraceMs: 60_000,
  closeGraceMs: 60_000,
  memoryMb: 256,
  image: null,
  onCallbackError() {},
};

/** An interpreter that is being parked, by a host that this test plays. */
async function parking() {
  let owner: SlotOwner | null = null;
  const say = (message: unknown, body = new Uint8Array(0)) =>
    owner!.onMessage(message as SlotMessage, body);
  const kills: string[] = [];
  const slot: Slot = {
    pid: 1,
    isAlone: true,
    attach: (given) => owner = given,
    send({ type }: SlotCommand) {
      if (type !== "open") return;
      const body = new TextEncoder().encode(JSON.stringify(OPENED));
      queueMicrotask(() => say({ type: "opened", slot: 1 }, body));
    },
    killHost(reason, message) {
      kills.push(reason);
      owner!.onGone(reason, message);
      return Promise.resolve();
    },
  };
  const interpreter = await startInterpreter(slot, inputOf(sessionInput("")), OPTIONS);
  assertEquals(interpreter.load.kind, "loaded");
  const outcome = interpreter.park({ soonMs: 1000, maxBytes: 100 });
  return { interpreter, outcome, say, kills };
}

Deno.test("only what a parked session is answers to parking", async () => {
  const lies: [message: unknown, body?: Uint8Array<ArrayBuffer>][] = [
    [{ type: "result", slot: 1, call: 1 }, new Uint8Array(3)],
    [{ type: "result", slot: 1, call: 0 }],
    [{ type: "opened", slot: 1 }],
    [{ type: "woke", slot: 1 }],
    [{ type: "parked", slot: 1, due_ms: 999 }, new Uint8Array(3)],
    [{ type: "parked", slot: 1, due_ms: null }, new Uint8Array(100 + 300 * 1024)],
  ];
  for (const [message, body] of lies) {
    const { outcome, say, interpreter } = await parking();
    assertThrows(() => say(message, body), Error);
    await interpreter.close();
    assertEquals((await outcome).kind, "ended");
  }
});

Deno.test("a second answer to parking is none", async () => {
  const { outcome, say, interpreter } = await parking();
  say({ type: "stays", slot: 1, reason: "file" });
  assertThrows(() => say({ type: "parked", slot: 1, due_ms: null }, new Uint8Array(3)));
  assertEquals(await outcome, { kind: "stays", reason: "file" });
  await interpreter.close();
});
