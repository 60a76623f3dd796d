import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { PATIENCE_MS } from "../../../src/execution/limits.ts";
import type { PlainOutcome } from "../../helpers/plain_json.ts";
import type { FakeSession } from "../fake_hosts.ts";
import {
  eventsOf,
  get,
  harness,
  INITIALIZE,
  json,
  type Options,
  post,
  remove,
  rpc,
  settle,
} from "../harness.ts";

const STREAM = { headers: { accept: "application/json, text/event-stream" } };
const CALL = rpc("tools/call", { name: "x", _meta: { progressToken: "p" } }, 7);
const DONE: PlainOutcome = { kind: "result", result: { content: [] } };

/** A server whose one call is held until the test lets it go. */
async function held(options: Options = {}) {
  const calls: PromiseWithResolvers<PlainOutcome>[] = [];
  const started: PromiseWithResolvers<void>[] = [];
  const all = await harness({
    ...options,
    server: {
      ...options.server,
      answer(method) {
        if (method !== "tools/call") return { kind: "result", result: {} };
        const call = Promise.withResolvers<PlainOutcome>();
        calls.push(call);
        started.shift()?.resolve();
        return call.promise;
      },
    },
  });
  await json(await all.send(post(INITIALIZE)), 200);
  const session = all.hosts.sessions[0]!;
  return {
    ...all,
    session,
    /** Sends a call and waits until the code has it. */
    callHeld(message: unknown = CALL, given: Parameters<typeof post>[1] = STREAM) {
      const begun = Promise.withResolvers<void>();
      started.push(begun);
      const response = all.send(post(message, given));
      return begun.promise.then(() => ({ response }));
    },
    finish: (outcome: PlainOutcome = DONE) => calls.shift()!.resolve(outcome),
  };
}

function say(session: FakeSession, text: string, requestId: string | number | null = 7) {
  session.input.onLog({ level: "info", logger: "stdout", text, requestId });
}

Deno.test("a call of which nothing is said before its result is answered with JSON", async () => {
  const { callHeld, finish } = await held();
  const { response } = await callHeld();
  finish();
  assertEquals((await response).headers.get("content-type"), "application/json");
  assertEquals((await json(await response, 200)).id, 7);
});

Deno.test("what is said before the result opens a stream that begins with an empty event and ends with the result", async () => {
  const { callHeld, finish, session } = await held();
  const { response } = await callHeld();
  say(session, "one");
  const { headers, status } = await response;
  assertEquals([status, headers.get("content-type")], [200, "text/event-stream"]);
  const events = eventsOf(await response);
  const first = await events.next();
  assertEquals([first?.retry, first?.message], [1000, undefined]);
  assertMatch(first!.id!, /^[0-9a-f]{8}-\w+-0$/);
  const params = { level: "info", logger: "stdout", data: "one" };
  assertEquals((await events.next())?.message, {
    jsonrpc: "2.0",
    method: "notifications/message",
    params,
  });
  finish();
  const rest = await events.rest();
  assertEquals(rest.map(({ message }) => [message.id, message.result]), [[7, { content: [] }]]);
});

Deno.test("a client that takes JSON only gets JSON whatever is said", async () => {
  const { callHeld, finish, session } = await held();
  const { response } = await callHeld(CALL, { headers: { accept: "application/json" } });
  say(session, "one");
  session.input.onCloseStream(7, 10);
  finish();
  assertEquals((await json(await response, 200)).id, 7);
});

Deno.test("a long call becomes a stream, so that it survives a lost connection", async () => {
  const { callHeld, finish, clock, send } = await held();
  const { response } = await callHeld();
  await clock.advance(PATIENCE_MS);
  const events = eventsOf(await response);
  const first = await events.next();
  // The client goes away: the call is not cancelled, and its result waits.
  await events.leave();
  finish();
  await settle();
  const resumed = eventsOf(await send(get("s1", { "last-event-id": first!.id! })));
  const rest = await resumed.rest();
  assertEquals(rest.map(({ message }) => message?.id), [undefined, 7]);
});

Deno.test("older revisions get no empty event, and no stream closed early", async () => {
  const { callHeld, finish, session, send } = await held();
  await json(await send(post(rpc("initialize", { protocolVersion: "2025-06-18" }))), 200);
  const { response } = await callHeld();
  session.input.onCloseStream(7, 10);
  say(session, "one");
  const events = eventsOf(await response);
  assertEquals((await events.next())?.message.params.data, "one");
  finish();
  assertEquals((await events.rest()).map(({ message }) => message.id), [7]);
});

Deno.test("a stream closed early is taken up where it was left, in one place", async () => {
  const { callHeld, finish, session, send } = await held();
  const { response } = await callHeld();
  session.input.onCloseStream(7, 250);
  const first = await eventsOf(await response).rest();
  assertEquals(first.map(({ retry }) => retry), [1000, 250]);
  say(session, "missed");
  const again = eventsOf(await send(get("s1", { "last-event-id": first[0]!.id! })));
  assertEquals((await again.next())?.message, undefined);
  assertEquals((await again.next())?.message.params.data, "missed");
  // A second reader takes over: no message goes to two.
  const third = eventsOf(await send(get("s1", { "last-event-id": first[0]!.id! })));
  assertEquals(await again.next(), null);
  finish();
  const rest = await third.rest();
  assertEquals(rest.map(({ message }) => message?.id ?? message?.params.data), [
    undefined,
    "missed",
    7,
  ]);
  // Of a stream that is over, the same is still to be had.
  const fourth = eventsOf(await send(get("s1", { "last-event-id": rest[1]!.id! })));
  assertEquals((await fourth.rest()).map(({ message }) => message?.id), [undefined, 7]);
});

Deno.test("events of one session have ids of their own, by stream, and resuming one replays no other", async () => {
  const { callHeld, finish, session, send } = await held();
  const ids: string[] = [];
  for (const id of ["a", "b"]) {
    const { response } = await callHeld(rpc("tools/call", {}, id));
    say(session, `of ${id}`, id);
    finish();
    const events = await eventsOf(await response).rest();
    assertEquals(events.map(({ message }) => message?.params?.data ?? message?.id), [
      undefined,
      `of ${id}`,
      id,
    ]);
    ids.push(...events.map((event) => event.id!));
  }
  assertEquals(new Set(ids).size, 6);
  const resumed = await eventsOf(await send(get("s1", { "last-event-id": ids[0]! }))).rest();
  assertEquals(resumed.map(({ message }) => message?.params?.data ?? message?.id), [
    undefined,
    "of a",
    "a",
  ]);
});

for (
  const lie of ["", "1", "x-0-1", "00000000-0-0", "no such event", "-", `${"9".repeat(400)}-1`]
) {
  Deno.test(`GET refuses the Last-Event-ID "${lie.slice(0, 20)}"`, async () => {
    const { send } = await held();
    const body = await json(await send(get("s1", { "last-event-id": lie })), 400);
    assertEquals(body.error.code, -32600);
  });
}

Deno.test("GET refuses an id of an event that is still to come", async () => {
  const { send, callHeld, session, finish } = await held();
  const { response } = await callHeld();
  say(session, "one");
  finish();
  const events = await eventsOf(await response).rest();
  const later = events.at(-1)!.id!.replace(/\d+$/, "99");
  await json(await send(get("s1", { "last-event-id": later })), 400);
});

Deno.test("GET refuses ids of a session that the id had before", async () => {
  const { send, session } = await held();
  say(session, "one", null);
  const events = eventsOf(await send(get("s1")));
  const { id } = (await events.next())!;
  await events.leave();
  assertEquals((await send(remove("s1"))).status, 204);
  await json(await send(post(INITIALIZE)), 200);
  await json(await send(get("s1", { "last-event-id": id! })), 400);
});

Deno.test("GET carries what belongs to no request, also what was said before, and no responses", async () => {
  const { send, session, callHeld, finish } = await held();
  say(session, "early", null);
  const response = await send(get("s1"));
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const events = eventsOf(response);
  assertEquals((await events.next())?.message, undefined);
  assertEquals((await events.next())?.message.params.data, "early");
  say(session, "late", "of no request");
  assertEquals((await events.next())?.message.params.data, "late");
  const called = await callHeld();
  finish();
  await json(await called.response, 200);
  await send(remove("s1"));
  assertEquals(await events.rest(), []);
});

Deno.test("a second GET stream is 409 while one is open, and continues where the last ended", async () => {
  const { send, session } = await held();
  const events = eventsOf(await send(get("s1")));
  say(session, "one", null);
  await events.next();
  await events.next();
  await json(await send(get("s1")), 409);
  await events.leave();
  await settle();
  say(session, "two", null);
  const again = eventsOf(await send(get("s1")));
  await again.next();
  assertEquals((await again.next())?.message.params.data, "two");
  await again.leave();
});

Deno.test("messages of a request go to the GET stream when its client takes JSON only", async () => {
  const { send, session, callHeld, finish } = await held();
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const { response } = await callHeld(CALL, {});
  say(session, "of 7");
  assertEquals((await events.next())?.message.params.data, "of 7");
  finish();
  await json(await response, 200);
  await events.leave();
});

Deno.test("a stream in silence says that it is still there", async () => {
  const { send, clock } = await held();
  const reader = (await send(get("s1"))).body!.getReader();
  await reader.read();
  const read = reader.read();
  await settle();
  await clock.advance(15_000);
  assertEquals(new TextDecoder().decode((await read).value), ":\n\n");
  await reader.cancel();
});

Deno.test("an open GET stream is no activity, and ends with its session", async () => {
  const { send, clock, hosts } = await held({ idleSeconds: 60 });
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const rest = events.rest();
  await clock.advance(61_000);
  assert(hosts.sessions[0]!.closed);
  assertEquals(await rest, []);
});

Deno.test("hanging up ends what clients only listen on, and no call", async () => {
  const { send, sessions, callHeld, finish } = await held();
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const called = await callHeld();
  sessions.hangUp();
  // All that still comes is when to come back.
  for (const event of await events.rest()) assertEquals(event.message, undefined);
  finish();
  await json(await called.response, 200);
});

Deno.test("the end of a session while a call streams is its response", async () => {
  const { send, session, callHeld, finish } = await held();
  const { response } = await callHeld();
  say(session, "one");
  const events = eventsOf(await response);
  const removed = send(remove("s1"));
  await settle();
  finish({ kind: "ended", reason: "closed", message: "" });
  const rest = await events.rest();
  assertEquals(rest.at(-1)?.message.error.data.ended, "closed");
  assertEquals((await removed).status, 204);
});

Deno.test("events are kept within the node's bound; what is no longer kept is 400", async () => {
  const { send, session, callHeld, finish, clock } = await held({ eventBytes: 4000 });
  const { response } = await callHeld();
  await clock.advance(PATIENCE_MS);
  const events = eventsOf(await response);
  const first = await events.next();
  await events.leave();
  for (let i = 0; i < 10; i++) say(session, "x".repeat(1000));
  finish();
  await settle();
  const refused = await json(await send(get("s1", { "last-event-id": first!.id! })), 400);
  assertMatch(refused.error.message, /no longer stored/);
});

Deno.test("a batch of 2025-03-26 is one stream when something is said before its results", async () => {
  const { send, session, callHeld, finish } = await held();
  await json(await send(post(rpc("initialize", { protocolVersion: "2025-03-26" }))), 200);
  const { response } = await callHeld([rpc("ping", {}, "p"), CALL]);
  say(session, "one");
  finish();
  const events = await eventsOf(await response).rest();
  assertEquals(events.map(({ message }) => message.id ?? message.params.data), ["p", "one", 7]);
  assertNotEquals(events[0]!.id, events[1]!.id);
});

Deno.test("a client that takes streams only gets one, for every answer", async () => {
  const { send } = await held();
  const response = await send(post(rpc("ping"), { headers: { accept: "text/event-stream" } }));
  const events = await eventsOf(response).rest();
  assertEquals(events.map(({ message }) => message?.result), [undefined, {}]);
});

Deno.test("a client that is connected gets everything, also when the node has no room to keep it", async () => {
  const { send, session, callHeld, finish } = await held({ eventBytes: 10 });
  const { response } = await callHeld();
  for (let i = 0; i < 5; i++) say(session, `line ${i}`);
  finish();
  const events = await eventsOf(await response).rest();
  assertEquals(events.slice(1, 6).map(({ message }) => message.params.data), [
    "line 0",
    "line 1",
    "line 2",
    "line 3",
    "line 4",
  ]);
  assertEquals(events[6]?.message.id, 7);
  // Nothing of it was kept.
  await json(await send(get("s1", { "last-event-id": events[1]!.id! })), 400);
});

Deno.test("of what nobody listens to, the last is kept", async () => {
  const { send, session } = await held();
  for (let i = 0; i < 40; i++) say(session, `${i} ${"x".repeat(50_000)}`, null);
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const first = (await events.next())!.message.params.data as string;
  const number = Number(first.split(" ")[0]);
  assert(number > 15 && number < 39, first.slice(0, 10));
  for (let i = number + 1; i < 40; i++) {
    assertEquals((await events.next())?.message.params.data.split(" ")[0], String(i));
  }
  await events.leave();
});
