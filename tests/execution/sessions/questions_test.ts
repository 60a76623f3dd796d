import { assertEquals, assertMatch } from "@std/assert";
import type { AskOutcome } from "../../../workers/session/bodies.ts";
import { QUESTION_MAX_MS } from "../../../src/execution/limits.ts";
import type { PlainQuestion } from "../../helpers/plain_json.ts";
import type { FakeSession } from "../fake_hosts.ts";
import { eventsOf, get, harness, json, post, remove, rpc, settle } from "../harness.ts";

const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };
const STREAM = { headers: { accept: "application/json, text/event-stream" } };
const SAMPLE: Partial<PlainQuestion> = {
  method: "sampling/createMessage",
  params: { messages: [], maxTokens: 5 },
};
const SAMPLED = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" };

/** A session whose call asks what the test wants, and gives what came of it as its result. */
async function asking(
  question: Partial<PlainQuestion>,
  capabilities: unknown = CAPABILITIES,
  signal: AbortSignal = new AbortController().signal,
) {
  const outcomes: AskOutcome[] = [];
  const all = await harness({
    server: {
      async answer(method, _params, { requestId }, session) {
        if (method !== "tools/call") return { kind: "result", result: {} };
        const outcome = await ask(session, { requestId, ...question }, signal);
        outcomes.push(outcome);
        return { kind: "result", result: { outcome } };
      },
    },
  });
  await json(
    await all.send(post(rpc("initialize", { protocolVersion: "2025-11-25", capabilities }))),
    200,
  );
  return { ...all, outcomes, session: all.hosts.sessions[0]! };
}

function ask(session: FakeSession, question: Partial<PlainQuestion>, signal?: AbortSignal) {
  return session.input.ask({
    method: "ping",
    params: {},
    requestId: null,
    timeoutMs: null,
    ...question,
  }, signal ?? new AbortController().signal);
}

async function answer(send: (request: Request) => Promise<Response>, message: unknown) {
  const response = await send(post(message));
  assertEquals([response.status, await response.text()], [202, ""]);
}

Deno.test("a question goes out on the stream of its request, and the client's answer comes back", async () => {
  const { send } = await asking(SAMPLE);
  const events = eventsOf(await send(post(rpc("tools/call", {}, 7), STREAM)));
  await events.next();
  const { message } = (await events.next())!;
  assertEquals([message.method, message.params], ["sampling/createMessage", SAMPLE.params]);
  await answer(send, { jsonrpc: "2.0", id: message.id, result: SAMPLED });
  const [last] = await events.rest();
  assertEquals(last?.message.result.outcome, { kind: "result", result: SAMPLED });
});

Deno.test("an error of the client goes to the code as it is", async () => {
  const { send, outcomes } = await asking(SAMPLE);
  const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
  await events.next();
  const { id } = (await events.next())!.message;
  const error = { code: -1, message: "User rejected", data: { why: "busy" } };
  await answer(send, { jsonrpc: "2.0", id, error });
  await events.rest();
  assertEquals(outcomes, [{ kind: "error", ...error }]);
});

const LIES: [name: string, result: unknown][] = [
  ["nothing of a sampling result", {}],
  ["a number", 5],
  ["null", null],
  ["a list", []],
  ["a block of no known kind", { ...SAMPLED, content: { type: "script" } }],
  ["another role", { ...SAMPLED, role: "system" }],
];

for (const [name, result] of LIES) {
  Deno.test(`an answer that is ${name} reaches the code as an error`, async () => {
    const { send, outcomes } = await asking(SAMPLE);
    const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
    await events.next();
    const { id } = (await events.next())!.message;
    await answer(send, { jsonrpc: "2.0", id, result });
    await events.rest();
    assertEquals(outcomes[0]?.kind, "error");
    assertMatch((outcomes[0] as { message: string }).message, /is invalid/);
  });
}

Deno.test("answers to no open question change nothing, also when they come twice", async () => {
  const { send, outcomes } = await asking(SAMPLE);
  const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
  await events.next();
  const { id } = (await events.next())!.message;
  for (const other of [id + 1, String(id), null, "x", 0, -1]) {
    await answer(send, { jsonrpc: "2.0", id: other, result: SAMPLED });
  }
  assertEquals(outcomes, []);
  await answer(send, { jsonrpc: "2.0", id, result: SAMPLED });
  await answer(send, { jsonrpc: "2.0", id, error: { code: 1, message: "changed my mind" } });
  await events.rest();
  assertEquals(outcomes, [{ kind: "result", result: SAMPLED }]);
});

Deno.test("another session's answer is not taken", async () => {
  const { send, outcomes } = await asking(SAMPLE);
  await json(await send(post(rpc("initialize", {}), { session: "s2" })), 200);
  const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
  await events.next();
  const { id } = (await events.next())!.message;
  const foreign = post({ jsonrpc: "2.0", id, result: SAMPLED }, { session: "s2" });
  assertEquals((await send(foreign)).status, 202);
  assertEquals(outcomes, []);
  await answer(send, { jsonrpc: "2.0", id, result: SAMPLED });
  await events.rest();
});

for (
  const [method, capabilities] of [
    ["sampling/createMessage", { elicitation: {}, roots: {} }],
    ["elicitation/create", { sampling: {} }],
    ["roots/list", {}],
  ] as const
) {
  Deno.test(`${method} is an error at once when the client did not declare it`, async () => {
    const { send, outcomes } = await asking({ ...SAMPLE, method }, capabilities);
    await json(await send(post(rpc("tools/call"), STREAM)), 200);
    assertEquals((outcomes[0] as { code: number }).code, -32601);
  });
}

Deno.test("a client that can read no stream cannot be asked, and the code is told at once", async () => {
  const { send, outcomes } = await asking({});
  await json(await send(post(rpc("tools/call"))), 200);
  assertMatch((outcomes[0] as { message: string }).message, /has no event stream open/);
});

Deno.test("a client that takes JSON answers is asked on its GET stream", async () => {
  const { send, outcomes } = await asking({});
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const call = send(post(rpc("tools/call")));
  const { message } = (await events.next())!;
  assertEquals(message.method, "ping");
  await answer(send, { jsonrpc: "2.0", id: message.id, result: {} });
  await json(await call, 200);
  assertEquals(outcomes, [{ kind: "result", result: {} }]);
  await events.leave();
});

for (
  const [timeoutMs, waited] of [[5000, 5000], [null, QUESTION_MAX_MS], [1e12, QUESTION_MAX_MS]]
) {
  Deno.test(`a question that may take ${timeoutMs} ms is given up after ${waited}, and the client told`, async () => {
    const { send, clock, outcomes } = await asking({ ...SAMPLE, timeoutMs: timeoutMs! });
    const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
    await events.next();
    const { id } = (await events.next())!.message;
    await clock.advance(waited! - 1);
    assertEquals(outcomes, []);
    await clock.advance(1);
    const rest = await events.rest();
    assertEquals(rest[0]?.message.method, "notifications/cancelled");
    assertEquals(rest[0]?.message.params.requestId, id);
    assertEquals((outcomes[0] as { code: number }).code, 408);
    await answer(send, { jsonrpc: "2.0", id, result: SAMPLED });
  });
}

Deno.test("a question that nobody waits for any more is cancelled at the client", async () => {
  const controller = new AbortController();
  const { send, outcomes } = await asking(SAMPLE, CAPABILITIES, controller.signal);
  const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
  await events.next();
  await events.next();
  controller.abort();
  const rest = await events.rest();
  assertEquals(rest[0]?.message.method, "notifications/cancelled");
  assertEquals(outcomes[0]?.kind, "error");
});

Deno.test("a question survives a lost connection: the client comes back and answers", async () => {
  const { send, outcomes } = await asking(SAMPLE);
  const events = eventsOf(await send(post(rpc("tools/call"), STREAM)));
  const first = await events.next();
  await events.leave();
  const again = eventsOf(await send(get("s1", { "last-event-id": first!.id! })));
  await again.next();
  const { id } = (await again.next())!.message;
  await answer(send, { jsonrpc: "2.0", id, result: SAMPLED });
  assertEquals((await again.rest()).length, 1);
  assertEquals(outcomes, [{ kind: "result", result: SAMPLED }]);
});

Deno.test("the end of the session answers its open questions", async () => {
  const { send, session } = await asking({});
  const events = eventsOf(await send(get("s1")));
  await events.next();
  const asked = ask(session, {});
  await events.next();
  assertEquals((await send(remove("s1"))).status, 204);
  assertEquals((await asked).kind, "error");
  assertEquals((await ask(session, {})).kind, "error");
  await settle();
  assertEquals(await events.rest(), []);
});
