/**
 * Nobody joins another's session: whoever names its id as somebody else gets what a wrong id gets,
 * whatever the request and however early it comes.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { LoadOutcome } from "../../src/execution/interpreters/types.ts";
import { LOADED } from "../execution/fake_hosts.ts";
import {
  get,
  type Harness,
  harness,
  INITIALIZE,
  json,
  post,
  remove,
  rpc,
  settle,
} from "../execution/harness.ts";

const RESPONSE = { jsonrpc: "2.0", id: 1, result: {} };
const NOTIFICATION = { jsonrpc: "2.0", method: "notifications/cancelled" };

/** Who is who; null is a caller without a token. */
const PAIRS: [owner: string | null, intruder: string | null][] = [
  [null, "ann"],
  ["ann", null],
  ["ann", "bob"],
];

function named(caller: string | null): string {
  return caller === null ? "a caller without a token" : `user ${caller}`;
}

function as(caller: string | null): { token?: string } {
  return caller === null ? {} : { token: caller };
}

/** Every way to touch the session `s1`. */
function attempts(caller: string | null): [name: string, request: () => Request][] {
  const options = as(caller);
  return [
    ["initialize", () => post(INITIALIZE, options)],
    ["a list", () => post(rpc("tools/list"), options)],
    ["a call", () => post(rpc("tools/call", { name: "echo", arguments: {} }), options)],
    ["a ping", () => post(rpc("ping"), options)],
    ["a notification", () => post(NOTIFICATION, options)],
    ["a response", () => post(RESPONSE, options)],
    ["a batch", () => post([rpc("ping")], options)],
    ["another server's name", () => post(rpc("ping"), { ...options, name: "other" })],
    [
      "its stream",
      () => get("s1", caller === null ? {} : { authorization: `Bearer user-${caller}` }),
    ],
    ["its end", () => remove("s1", options)],
  ];
}

async function refused({ send }: Harness, request: Request): Promise<void> {
  const { error } = await json(await send(request), 404);
  assertEquals(error.code, -32001);
}

for (const [owner, intruder] of PAIRS) {
  Deno.test(`a session of ${named(owner)} is not found for ${named(intruder)}`, async () => {
    const side = await harness();
    assertEquals((await side.send(post(INITIALIZE, as(owner)))).status, 200);
    const [session] = side.hosts.sessions;
    const before = session!.requests.length;
    for (const [, request] of attempts(intruder)) await refused(side, request());
    await settle();
    assertEquals(session!.requests.length, before);
    assertEquals([side.hosts.sessions.length, session!.closed], [1, false]);
    assertEquals((await side.send(post(rpc("ping"), as(owner)))).status, 200);
  });

  Deno.test(`of two first requests at once, ${named(owner)}'s session is hers alone, not ${named(intruder)}'s`, async () => {
    const gate = Promise.withResolvers<LoadOutcome>();
    const side = await harness({ server: { load: () => gate.promise } });
    const first = side.send(post(INITIALIZE, as(owner)));
    await settle();
    for (const [, request] of attempts(intruder)) await refused(side, request());
    gate.resolve(LOADED);
    assertEquals((await first).status, 200);
    assertEquals(side.hosts.sessions.length, 1);
  });

  Deno.test(`first requests of ${named(owner)} and ${named(intruder)} that the database holds up make one session of one caller`, async () => {
    const held = Promise.withResolvers<void>();
    const side = await harness();
    const find = side.store.find;
    side.store.find = async (id, at) => {
      await held.promise;
      return await find(id, at);
    };
    const both = [
      side.send(post(rpc("tools/list"), as(owner))),
      side.send(post(rpc("tools/list"), as(intruder))),
    ];
    held.resolve();
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    assertEquals(statuses.toSorted(), [200, 404]);
    assertEquals(side.hosts.sessions.length, 1);
  });

  Deno.test(`the row that a session of ${named(owner)} leaves gives ${named(intruder)} nothing of it`, async () => {
    const side = await harness();
    await side.send(post(INITIALIZE, as(owner)));
    assertEquals((await side.send(remove("s1", as(owner)))).status, 204);
    for (const [name, request] of attempts(intruder)) {
      if (name !== "initialize") await refused(side, request());
    }
    assertEquals(side.hosts.sessions.length, 1);
    assertEquals((await side.send(post(INITIALIZE, as(intruder)))).status, 200);
    assertEquals(side.hosts.sessions.length, 2);
    assertEquals(side.store.rows.get("s1")?.userId, intruder);
    // What was the owner's is now another's: it is not there for her.
    await refused(side, post(rpc("ping"), as(owner)));
  });
}

Deno.test("a token that is not accepted reaches no session, not one of callers without a token either", async () => {
  const { send, hosts } = await harness();
  await send(post(INITIALIZE));
  const before = hosts.sessions[0]!.requests.length;
  for (const request of [post(rpc("tools/list")), get("s1"), remove("s1")]) {
    const bad = new Request(request, {
      headers: { ...Object.fromEntries(request.headers), authorization: "Bearer expired" },
    });
    assertEquals((await send(bad)).status, 401);
  }
  assertEquals([hosts.sessions[0]!.requests.length, hosts.sessions[0]!.closed], [before, false]);
});

Deno.test("a session without a token survives a change of its client's address, by its id alone", async () => {
  const { send, hosts } = await harness();
  const begun = await send(post(INITIALIZE, { session: null }), "192.0.2.1");
  const session = begun.headers.get("mcp-session-id")!;
  assertStringIncludes(session, "-");
  const elsewhere = await send(post(rpc("ping"), { session }), "2001:db8::7");
  assertEquals([elsewhere.status, hosts.sessions.length], [200, 1]);
});
