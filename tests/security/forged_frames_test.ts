import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ServerLog } from "../../src/execution/interpreters/types.ts";
import { createFrameReader, encodeFrame, type Frame } from "../../workers/wire/frames.ts";
import {
  FROM_INTERPRETER,
  type FromInterpreter,
  readPosted,
  TO_INTERPRETER,
  type ToInterpreter,
} from "../../workers/session/messages.ts";
import { createTurns } from "../../workers/session/turns.ts";
import {
  callTool,
  openTestHosts,
  server,
  sessionInput,
  until,
  watchEnd,
} from "../helpers/interpreter.ts";
import { ANYTHING } from "../execution/hostile/arena.ts";

function growable(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length, { maxByteLength: 1 << 20 }));
}

function resizable(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length, { maxByteLength: 1 << 20 }));
}

/** Bytes that do not belong to whoever looks at them alone. */
const MOVING: [what: string, bytes: () => Uint8Array][] = [
  ["shared memory that grows", () => growable(8)],
  ["a fixed view of shared memory that grows", () => growable(8).subarray(0, 4)],
  ["shared memory", () => new Uint8Array(new SharedArrayBuffer(8))],
  ["memory that is resized", () => resizable(8)],
];
const BYTES = new Uint8Array([1, 2, 3]);

const HONEST = [
  { type: "booted" },
  { type: "opened", body: BYTES },
  { type: "result", call: 1, body: BYTES },
  { type: "waiting", call: 0 },
  { type: "event", body: BYTES },
  { type: "ask", request: 1, body: BYTES },
  { type: "http", request: 1, call: null, meta: "{}", has_body: false, body: new Uint8Array(0) },
  { type: "http", request: 2, call: 0, meta: "{}", has_body: true, body: BYTES },
  { type: "package", request: 1, name: "pydantic" },
  { type: "idle" },
  { type: "prepared", parts: [{ name: "snapshot", bytes: 3 }], body: BYTES },
  { type: "stays", reason: "file" },
  { type: "parked", due_ms: null, body: BYTES },
  { type: "woke" },
  { type: "fatal", message: "over" },
];

/** What the host makes of what a worker posts; null where it is no message. */
function read(posted: unknown): Record<string, unknown> | null {
  const found = readPosted(FROM_INTERPRETER, posted);
  return found === null ? null : { ...found.message, body: found.body };
}

Deno.test("a worker's message is read field by field into one of the host's own", () => {
  for (const message of HONEST) {
    assertEquals(read(structuredClone(message)), { body: new Uint8Array(0), ...message });
  }
  const whole = new Uint8Array([1, 2, 3, 4]);
  const event = readPosted(FROM_INTERPRETER, { type: "event", body: whole.subarray(1, 2) });
  assert(event?.message.type === "event");
  whole.fill(9);
  assertEquals([[...event.body], event.body.buffer.byteLength], [[2], 1]);
});

Deno.test("a worker's bytes in memory that it may change or lengthen are no message", () => {
  for (const [what, bytes] of MOVING) {
    for (const honest of HONEST) {
      for (const [name, value] of Object.entries(honest)) {
        if (value !== BYTES) continue;
        assertEquals(read({ ...honest, [name]: bytes() }), null, what);
      }
    }
  }
});

Deno.test("a worker's message with a wrong number, shape or size is no message", () => {
  const numbers = [0, -1, 1.5, NaN, Infinity, 2 ** 53, 1e300, "1", 1n, [1], {}, true, undefined];
  for (const number of numbers) {
    const wrong = [
      { type: "result", call: number, body: BYTES },
      { type: "ask", request: number, body: BYTES },
      { type: "http", request: number, call: null, meta: "{}", has_body: true, body: BYTES },
      { type: "package", request: number, name: "pydantic" },
      ...(number === 0 ? [] : [
        { type: "waiting", call: number },
        { type: "http", request: 1, call: number, meta: "{}", has_body: true, body: BYTES },
        { type: "prepared", parts: [{ name: "a", bytes: number }], body: BYTES },
      ]),
    ];
    for (const message of wrong) {
      assertEquals(read(message), null, `${message.type} ${String(number)}`);
    }
  }
  const others: unknown[] = [
    ...[null, undefined, 1, "booted", [], new Map([["type", "booted"]]), BYTES, {
      type: "toString",
    }],
    ...[{ type: "__proto__" }, { type: ["booted"] }, { type: { toString: 1 } }, {
      type: "unknown",
    }],
    Object.assign([], { type: "booted" }),
    Object.assign(new Date(), { type: "booted" }),
    { type: "booted", session: 2 },
    { type: "opened" },
    { type: "opened", body: null },
    { type: "opened", body: [1, 2, 3] },
    { type: "opened", body: BYTES.buffer },
    { type: "opened", body: new Uint16Array(2) },
    { type: "opened", body: { length: 2, buffer: new ArrayBuffer(2) } },
    { type: "opened", body: new Uint8Array(8 * 2 ** 20 + 1025) },
    { type: "booted", body: BYTES },
    ...["{}\n", "é", "a".repeat(60_001), { length: 1 }].map((meta) => (
      { type: "http", request: 1, call: null, meta, has_body: true, body: BYTES }
    )),
    { type: "http", request: 1, call: null, meta: "{}", has_body: 1, body: BYTES },
    { type: "package", request: 1, name: "a".repeat(129) },
    ...[
      { length: 1, 0: { name: "a", bytes: 3 } },
      new Array(257).fill({ name: "a", bytes: 3 }),
      new Array(1),
      [{ name: "a", bytes: 3, more: 1 }],
    ].map((parts) => ({ type: "prepared", parts, body: BYTES })),
    { type: "fatal", message: { toString: 1 } },
    { type: "fatal", message: "a".repeat(3001) },
  ];
  for (const [i, message] of others.entries()) {
    assertEquals(read(message), null, `message ${i}`);
  }
});

Deno.test("a session may use only numbers that were given to it, each once", () => {
  const result = (call: number) => ({ type: "result", call }) as const;
  const ask = (request: number) => ({ type: "ask", request }) as const;
  const turns = createTurns("run");
  const take = (message: FromInterpreter) =>
    turns.take(FROM_INTERPRETER[message.type].turn, message);
  const give = (message: ToInterpreter) => turns.give(TO_INTERPRETER[message.type].turn, message);
  // Before it is in use it may only boot.
  for (const early of [result(1), ask(1), { type: "event" } as const]) {
    assertEquals(take(early), false);
  }
  assertEquals(take({ type: "booted" }), true);
  assertEquals(take({ type: "booted" }), false);
  give({ type: "open", options: "", files: [], image: null });
  assertEquals(take(result(1)), false);
  assertEquals(take({ type: "opened" }), true);
  assertEquals(take({ type: "opened" }), false);
  give({ type: "call", call: 1 });
  assertEquals(take({ type: "waiting", call: 1 }), true);
  assertEquals(take({ type: "waiting", call: 1 }), false);
  assertEquals(take({ type: "waiting", call: 2 }), false);
  assertEquals(take(result(1)), true);
  assertEquals(take(result(1)), false);
  for (let request = 1; request <= 8; request++) assertEquals(take(ask(request)), true);
  assertEquals(take(ask(9)), false);
  give({ type: "ask_done", request: 3 });
  assertEquals(take(ask(2)), false);
  assertEquals(take(ask(3)), true);
  assertEquals(take({ type: "prepared", parts: [] }), false);
  assertEquals(take({ type: "idle" }), false);
  for (const parking of [{ type: "stays", reason: "file" }, { type: "parked", due_ms: null }]) {
    const { type } = parking as FromInterpreter;
    assertEquals(turns.take(FROM_INTERPRETER[type].turn, { type }), false);
    give({ type: "park", soon_ms: 1, max_bytes: 1 });
    assertEquals(turns.take(FROM_INTERPRETER[type].turn, { type }), true);
    assertEquals(turns.take(FROM_INTERPRETER[type].turn, { type }), false);
  }
  give({ type: "end" });
  assertEquals(take({ type: "idle" }), true);
});

Deno.test("a frame is as long as its length says, whatever becomes of the memory it was made from", () => {
  for (const size of [8, 100_000]) {
    const memories = [
      new SharedArrayBuffer(size, { maxByteLength: 2 * size }),
      new ArrayBuffer(size, { maxByteLength: 2 * size }),
    ];
    for (const memory of memories) {
      const pieces = encodeFrame({ honest: true }, new Uint8Array(memory));
      const several = encodeFrame({}, new Uint8Array(1), new Uint8Array(memory));
      if (memory instanceof SharedArrayBuffer) memory.grow(2 * size);
      else memory.resize(2 * size);
      new Uint8Array(memory).fill(7);
      const frames: Frame[] = [];
      const read = createFrameReader({ head: 1000, body: size }, (frame) => frames.push(frame));
      for (const piece of pieces) read(piece);
      assertEquals(frames.map(({ body }) => body.length), [size]);
      assertEquals(frames[0]!.body.every((byte) => byte === 0), true);
      assertEquals(several.reduce((sum, { length }) => sum + length, 0), 8 + 2 + 1 + size);
    }
  }
});

/** JavaScript by which a session's own messages become `make(bytes)`, from the next one on. */
function poster(make: string): string {
  return `
    const encode = TextEncoder.prototype.encode;
    const honest = (text) => encode.call(new TextEncoder(), text);
    TextEncoder.prototype.encode = function (text) {
      const bytes = honest(text);
      return (${make})(bytes, honest);
    };
    return "armed";`;
}

/** A frame of session 1 behind the attacker's own, in memory that grows until it is read. */
const GROWS = `(bytes, honest) => {
  const head = honest(JSON.stringify({ type: "result", slot: 1, call: 1 }));
  const body = honest(JSON.stringify({ kind: "result", result: {
    content: [{ type: "text", text: "forged" }], isError: false } }));
  const event = honest(JSON.stringify({ type: "event", slot: 1 }));
  const log = honest(JSON.stringify({
    type: "log", level: "info", logger: "forged", text: "forged" }));
  const size = 200000;
  const total = size + 16 + event.length + log.length + head.length + body.length;
  const memory = new SharedArrayBuffer(size, { maxByteLength: total });
  const view = new Uint8Array(memory);
  view.fill(32);
  view.set(bytes);
  (async () => {
    for (let i = 0; i < 50 && memory.byteLength < total; i++) await null;
    memory.grow(total);
    let at = size;
    for (const [h, b] of [[event, log], [head, body]]) {
      const lengths = new DataView(memory, at, 8);
      lengths.setUint32(0, h.length, true);
      lengths.setUint32(4, b.length, true);
      view.set(h, at + 8);
      view.set(b, at + 8 + h.length);
      at += 8 + h.length + b.length;
    }
  })();
  return view;
}`;

const ATTACKS: [what: string, make: string][] = [
  ["a frame behind its own, in memory that grows", GROWS],
  [
    "shared memory",
    "(bytes) => { const v = new Uint8Array(new SharedArrayBuffer(bytes.length)); v.set(bytes); return v; }",
  ],
  [
    "memory that is resized",
    "(bytes) => { const v = new Uint8Array(new ArrayBuffer(bytes.length, { maxByteLength: 1 << 20 })); v.set(bytes); return v; }",
  ],
  ["a text", "(bytes) => 'text'"],
  ["an object that says it has a length", "(bytes) => ({ length: bytes.length })"],
];

/** Lets JavaScript in; nothing in it is refused for its own sake. */
const SCRIPTED = server(`
from pyodide.code import run_js
@tool
def quick() -> str:
    return "quick"
@tool
def js(code: str) -> str:
    return str(run_js("(() => {" + code + "})()"))
`);

for (const profile of ["restricted", "full"] as const) {
  Deno.test(`a session cannot forge what another one says (${profile} profile)`, async (t) => {
    for (const [what, make] of ATTACKS) {
      await t.step(what, async () => {
        await using hosts = await openTestHosts();
        const logs: ServerLog[] = [];
        const victim = await hosts.open(
          sessionInput(ANYTHING, { onLog: (log) => logs.push(log), onEnd: () => {} }),
        );
        assertEquals(victim.load.kind, "loaded");
        const { ended, onEnd } = watchEnd();
        const attacker = await hosts.open(sessionInput(SCRIPTED, { profile, onEnd }));
        // What the profile refuses cannot attack at all.
        if (attacker.load.kind === "refused") return;
        assertEquals(attacker.pid, victim.pid);

        const slow = callTool(victim, "py", {
          code: "import time; time.sleep(1); out = 'honest'",
        });
        await callTool(attacker, "js", { code: poster(make) });
        const own = await callTool(attacker, "quick");
        assertMatch(own, /^\[ended: crashed\]/);
        assertEquals(await ended, "crashed");
        assertEquals(await slow, "honest");
        assertEquals(await callTool(victim, "quick"), "quick");
        assertEquals(logs.filter(({ logger }) => logger === "forged"), []);
        await until(() => hosts.stats().sessions === 1);
      });
    }
  });
}
