/**
 * JavaScript that a session reaches from Python changes what Berth's own code in the same worker
 * uses: built-ins, prototypes, the way messages go. Whatever becomes of that session, a session of
 * another user runs on. One of the same user, in the same host, runs on as well or is told that the
 * host ended, and hears nothing that was forged.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { ServerLog } from "../../src/execution/interpreters/types.ts";
import { callTool, openTestHosts, sessionInput } from "../helpers/interpreter.ts";
import { createRing } from "../../workers/wire/ring.ts";
import { ANYTHING } from "../execution/hostile/arena.ts";

/** Has the next text that Berth encodes become something else. */
const encoding = (make: string) => `
  const encode = TextEncoder.prototype.encode;
  TextEncoder.prototype.encode = function (text) {
    const bytes = encode.call(this, text);
    return (${make})(bytes);
  };`;

const RING_BYTES = createRing().byteLength;
/** Finds the memory of the mail when Berth's own code uses it. */
const FIND_MAIL = `
  const real = { load: Atomics.load, store: Atomics.store, notify: Atomics.notify };
  const found = new Set();
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  const { set } = typed;
  typed.set = function (from, ...rest) {
    for (const { buffer } of [this, from]) {
      if (buffer instanceof SharedArrayBuffer && buffer.byteLength === ${RING_BYTES}) found.add(buffer);
    }
    return set.call(this, from, ...rest);
  };
  globalThis.foundMail = () => String(found.size);`;
/** Does `harm` to that memory. */
const mailMemory = (harm: string) =>
  `${FIND_MAIL}
  setTimeout(() => {
    for (const memory of found) { const words = new Int32Array(memory, 0, 4); ${harm} }
  }, 100);`;

const FORGED = `{ kind: "result", result: { content: [{ type: "text", text: "forged" }] } }`;
/** A worker may still have some ways to send; each is tried. */
const SENDS = `
  const ways = [globalThis.postMessage, Object.getPrototypeOf(globalThis)?.postMessage,
    Object.getPrototypeOf(Object.getPrototypeOf(globalThis) ?? {})?.postMessage,
    globalThis.Deno?.core?.ops?.op_worker_post_message].filter((each) => typeof each === "function");
  const bytes = new TextEncoder().encode(JSON.stringify(${FORGED}));
  const post = (message, transfer = []) => {
    for (const way of ways) try { way.call(globalThis, message, transfer); } catch {}
  };`;

const ATTACKS: Record<string, string> = {
  "the prototype of all objects has a type and a body": `
    for (const name of ["type", "call", "slot", "body", "request", "meta"]) {
      Object.defineProperty(Object.prototype, name, {
        configurable: true, get() { return name === "type" ? "result" : 1; }, set() {} });
    }`,
  "all objects say what they are as JSON": `
    Object.prototype.toJSON = () => (${FORGED});
    Array.prototype.toJSON = () => "forged";`,
  "arrays and their iterators are replaced": `
    for (const name of ["map", "push", "slice", "join", "filter", "includes", "flatMap"]) {
      Array.prototype[name] = () => ["forged"];
    }
    Array.prototype[Symbol.iterator] = function* () { yield "forged"; };`,
  "tables are replaced": `
    Map.prototype.get = () => () => ({ type: "fatal" });
    Map.prototype.set = () => { throw new Error("forged"); };
    Map.prototype.has = () => true;
    Set.prototype.has = () => true;`,
  "JSON is replaced": `
    JSON.parse = () => (${FORGED});
    JSON.stringify = () => '{"kind":"result","result":{"content":[{"type":"text","text":"forged"}]}}';`,
  "decoding is replaced": `TextDecoder.prototype.decode = () => '{"method":"forged"}';`,
  "typed arrays are replaced": `
    const typed = Object.getPrototypeOf(Uint8Array.prototype);
    for (const name of ["buffer", "byteLength", "byteOffset", "length"]) {
      Object.defineProperty(typed, name, { configurable: true, get: () => 1 });
    }
    typed.subarray = typed.slice = typed.set = () => new Uint8Array(new SharedArrayBuffer(8));`,
  "promises are replaced": `
    Promise.prototype.then = function () { return this; };
    Promise.resolve = () => ({ then() {} });`,
  "traces of errors run code": `
    Error.prepareStackTrace = () => { throw new Error("forged"); };
    Error.stackTraceLimit = Infinity;
    null.forged;`,
  "messages are heard by another": `
    globalThis.onmessage = () => {};
    globalThis.addEventListener?.("message", (event) => event.stopImmediatePropagation(), true);
    globalThis.dispatchEvent?.(new MessageEvent("message", { data: { type: "end" } }));`,
  "messages are sent out of turn": `${SENDS}
    for (const message of [{ type: "booted" }, { type: "opened", body: bytes },
      { type: "result", call: 1, body: bytes }, { type: "result", slot: 1, call: 1, body: bytes },
      { type: "idle" }, { type: "prepared", parts: [], body: bytes }, { type: "__proto__" },
      { type: "event", slot: 1, body: bytes }]) post(message);`,
  "messages carry what others own": `${SENDS}
    const channel = typeof MessageChannel === "function" ? new MessageChannel() : null;
    post({ type: "event", body: bytes }, [bytes.buffer, bytes.buffer]);
    if (channel) post({ type: "event", body: channel.port1 }, [channel.port1]);
    if (channel) { channel.port2.postMessage({ type: "result", call: 1 }); channel.port2.start(); }`,
  "heads are huge": `${SENDS}
    post({ type: "http", request: 1, call: null, meta: "a".repeat(5e7), has_body: false, body: bytes });
    post({ type: "fatal".padEnd(1e6, "x") });
    post({ type: "package", request: 1, name: "a".repeat(1e6) });`,
  "messages are deep and wide": encoding(`() => {
    let deep = [];
    for (let i = 0; i < 1e4; i++) deep = [deep, deep.length];
    return deep; }`),
  "bytes are a list of many": encoding("() => new Array(1e6).fill({})"),
  "bytes are in the memory of WebAssembly": encoding(`(bytes) => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 10, shared: true });
    const view = new Uint8Array(memory.buffer, 0, bytes.length);
    view.set(bytes);
    queueMicrotask(() => { memory.grow(5); new Uint8Array(memory.buffer).fill(7); });
    return view; }`),
  "bytes are a view of other numbers": encoding("(bytes) => new Uint16Array(bytes)"),
  "bytes are a view into larger memory": encoding(`(bytes) => {
    const all = new Uint8Array(bytes.length + 1000).fill(34);
    all.set(bytes, 500);
    return all.subarray(500, 500 + bytes.length); }`),
  "bytes have their own length": encoding(`(bytes) => {
    Object.defineProperty(bytes, "length", { value: 4 });
    return bytes; }`),
  "other workers are started": `
    for (const name of ["Worker", "SharedWorker"]) {
      try { new globalThis[name]("data:text/javascript,postMessage({type:'idle'})", { type: "module" }); }
      catch {}
    }`,
  "broadcasts are sent": `
    if (typeof BroadcastChannel === "function") new BroadcastChannel("berth").postMessage(${FORGED});`,
  "numbers and texts are replaced": `
    Number.isInteger = Number.isSafeInteger = () => true;
    String.prototype.slice = String.prototype.padEnd = () => "forged";
    Math.min = Math.max = () => Infinity;`,
  "interrupts are cleared": `
    Atomics.load = () => 0; Atomics.store = () => 0; Atomics.wait = () => "ok";`,
  "the memory of its mail has counts that cannot be": mailMemory(`
    for (const count of [2 ** 30, -1, 40_000]) {
      real.store(words, 0, count); real.store(words, 1, -count); real.notify(words, 0); }`),
  "the memory of its mail is full of what is no message": mailMemory(`
    new Uint8Array(words.buffer, 16).fill(34);
    real.store(words, 0, real.load(words, 0) + 32_000); real.notify(words, 0);`),
  "the memory of its mail has forged messages": mailMemory(`
    const bytes = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
    let at = real.load(words, 0);
    for (const head of [{ type: "result", call: 99 }, { type: "result", slot: 1, call: 1 },
      { type: "end" }, { type: "booted" }, { type: "idle" }]) {
      const [text, body] = [bytes(JSON.stringify(head)), bytes(JSON.stringify(${FORGED}))];
      const frame = new Uint8Array([text.length, 0, 0, 0, body.length, 0, 0, 0, ...text, ...body]);
      const ring = new Uint8Array(words.buffer, 16);
      for (const byte of frame) ring[at++ & (ring.length - 1)] = byte;
    }
    real.store(words, 0, at); real.notify(words, 0);`),
  "the memory of its mail says that all was received": mailMemory(`
    for (let i = 0; i < 50; i++) real.store(words, 2, i);`),
  "timers are replaced": `
    globalThis.setTimeout = globalThis.setInterval = (f) => f();
    globalThis.queueMicrotask = () => {};`,
};

/** What a session is told whose host another session of its user took down. */
const TOLD = /^\[ended: crashed\] The session was ended: another session of yours/;

Deno.test("what a session does to JavaScript harms only itself (full profile)", async (t) => {
  await using hosts = await openTestHosts();
  const logs: ServerLog[] = [];
  const open = (client: string) =>
    hosts.open(sessionInput(ANYTHING, {
      client,
      profile: "full",
      onLog: (log) => logs.push(log),
      onEnd: () => {},
    }));
  const stranger = await open("user stranger");
  let [neighbour, attacker] = [await open("user test"), await open("user test")];
  assertEquals(stranger.pid === neighbour.pid, false);
  for (const [what, code] of Object.entries(ATTACKS)) {
    await t.step(what, async () => {
      assertEquals([attacker.load.kind, attacker.pid], ["loaded", neighbour.pid]);
      const slow = callTool(neighbour, "py", {
        code: "import time; time.sleep(0.3); out = 'honest'",
      });
      const over = Promise.allSettled([
        callTool(attacker, "js", { code }),
        callTool(attacker, "quick"),
      ]);
      const soon = Promise.withResolvers<void>();
      const timer = setTimeout(soon.resolve, 2000);
      await Promise.race([over, soon.promise]);
      clearTimeout(timer);
      assertMatch(await slow, new RegExp(`^honest$|${TOLD.source}`));
      const [same, other] = [await callTool(neighbour, "quick"), await callTool(stranger, "quick")];
      assertMatch(same, new RegExp(`^quick$|${TOLD.source}|^\\[ended`));
      assertEquals(other, "quick");
      await attacker.close();
      await over;
      if (same !== "quick") {
        await neighbour.close();
        neighbour = await open("user test");
      }
      attacker = await open("user test");
    });
  }
  assertEquals(logs.map(({ text }) => text).filter((text) => text.includes("forged")), []);
});

Deno.test("a session can find the memory of its mail: what is done to that above is real", async () => {
  await using hosts = await openTestHosts();
  const session = await hosts.open(sessionInput(ANYTHING, { profile: "full" }));
  await callTool(session, "js", { code: FIND_MAIL });
  await callTool(session, "quick");
  assertEquals(await callTool(session, "js", { code: "return globalThis.foundMail();" }), "2");
});
