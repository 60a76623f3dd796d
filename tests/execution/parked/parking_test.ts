import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHosts, until } from "../../helpers/interpreter.ts";
import { type FakeServer, LOADED, parkedState } from "../fake_hosts.ts";
import {
  type Body,
  eventsOf,
  get,
  type Harness,
  harness,
  INITIALIZE,
  json,
  post,
  remove,
  rpc,
} from "../harness.ts";

const AFTER_SECONDS = 120;
const AFTER = AFTER_SECONDS * 1000;
const MINUTE = 60_000;

const parking = (server: FakeServer = {}, more: Parameters<typeof harness>[0] = {}) =>
  harness({ server, parkAfterSeconds: AFTER_SECONDS, ...more });

const states = ({ sessions }: Harness) => sessions.list().map(({ state }) => state);

/** The next messages of a stream, at most so many. */
async function messages(events: ReturnType<typeof eventsOf>, most: number): Promise<Body[]> {
  const found: Body[] = [];
  while (found.length < most) {
    const event = await events.next();
    if (event === null) break;
    if (event.message !== undefined) found.push(event.message);
  }
  return found;
}

Deno.test("state table: idle → parked → active with the next request", async () => {
  const it = await parking();
  await it.send(post(INITIALIZE));
  await it.send(post(rpc("tools/list")));
  await it.clock.advance(AFTER - 1);
  assertEquals(states(it), ["idle"]);
  await it.clock.advance(1);
  assertEquals(states(it), ["parked"]);
  assertEquals(it.sessions.list()[0]!.pid, null);
  assertEquals([it.metrics.parking.sessions, it.metrics.parking.bytes], [1, 100]);
  assertEquals(it.metrics.sessionsActive, 1);

  assertEquals((await it.send(post(rpc("tools/list")))).status, 200);
  assertEquals(states(it), ["idle"]);
  assertEquals(it.hosts.sessions.length, 2);
  assertEquals(it.hosts.sessions[1]!.exact.parked?.image, null);
  assertEquals([it.metrics.parking.sessions, it.metrics.parking.bytes], [0, 0]);
  assertEquals(it.metrics.parking.wakes, 1);
  await it.clock.advance(AFTER);
  assertEquals(states(it), ["parked"]);
});

Deno.test("the files that a session began with are kept while it is parked", async () => {
  const it = await parking({
    park: (session) => {
      const outcome = parkedState(session);
      assert(outcome.kind === "parked");
      return { kind: "parked", state: { ...outcome.state, image: "pydantic" } };
    },
  });
  await it.send(post(INITIALIZE));
  for (const end of [() => it.send(post(rpc("tools/list"))), () => it.send(remove("s1"))]) {
    assertEquals(it.hosts.kept, []);
    await it.clock.advance(AFTER);
    assertEquals(it.hosts.kept, ["pydantic"]);
    await end();
  }
  assertEquals(it.hosts.kept, []);
});

Deno.test("requests that come at once wake a session once, and keep their order", async () => {
  const it = await parking();
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  const sent = [1, 2, 3, 4].map((id) => it.send(post(rpc("tools/call", { name: String(id) }, id))));
  for (const response of await Promise.all(sent)) assertEquals(response.status, 200);
  assertEquals(it.hosts.sessions.length, 2);
  const names = it.hosts.sessions[1]!.requests.map(({ params }) =>
    (params as { name: string }).name
  );
  assertEquals(names, ["1", "2", "3", "4"]);
});

Deno.test("a request that comes while a session is being parked is answered", async () => {
  for (const stays of [true, false]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const it = await parking({
      async park(session) {
        await promise;
        return stays ? { kind: "stays", reason: "file" } : parkedState(session);
      },
    });
    await it.send(post(INITIALIZE));
    await it.clock.advance(AFTER);
    const answer = it.send(post(rpc("tools/list")));
    resolve();
    assertEquals((await answer).status, 200);
    assertEquals(it.hosts.sessions.length, stays ? 1 : 2);
  }
});

Deno.test("what has to stay is tried ever more rarely, and counted by reason", async () => {
  let tries = 0;
  const it = await parking({
    park() {
      tries++;
      return { kind: "stays", reason: "file" };
    },
  }, { idleSeconds: 100 * MINUTE });
  await it.send(post(INITIALIZE));
  const seen: number[] = [];
  for (let minute = 0; minute < 64; minute += 2) {
    await it.clock.advance(2 * MINUTE);
    seen.push(tries);
  }
  assertEquals(seen.slice(0, 8), [1, 1, 2, 2, 2, 2, 3, 3]);
  assertEquals(tries, 5);
  assertEquals(it.metrics.parking.refusals, { file: 5 });
  assertEquals(states(it), ["idle"]);
});

Deno.test("a session that ended meanwhile is not tried again", async () => {
  let tries = 0;
  const it = await parking({
    park() {
      tries++;
      return { kind: "ended", reason: "crashed" };
    },
  }, { idleSeconds: 100 * MINUTE });
  await it.send(post(INITIALIZE));
  await it.clock.advance(10 * AFTER);
  assertEquals(tries, 1);
});

Deno.test("a session lost while it starts is closed, and never parked", async () => {
  let tries = 0;
  const it: Harness = await parking({
    load() {
      it.hosts.sessions.at(-1)!.lose("crashed");
      return LOADED;
    },
    park(session) {
      tries++;
      return parkedState(session);
    },
  });
  assertEquals((await it.send(post(INITIALIZE))).status, 503);
  await it.clock.advance(10 * AFTER);
  assertEquals([tries, it.hosts.sessions.map(({ closed }) => closed)], [0, [true]]);
});

Deno.test("ending a session does not wait until it is parked", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const it: Harness = await parking({
    async park(session) {
      await promise;
      return session.closed ? { kind: "ended", reason: "closed" } : parkedState(session);
    },
  });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  const removed = it.send(remove("s1"));
  await until(() => it.hosts.sessions[0]!.closed);
  resolve();
  assertEquals((await removed).status, 204);
});

Deno.test("a session goes on with what it began with, whatever became of its server", async () => {
  const it = await parking();
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  await it.send(post(rpc("tools/list")));
  const [before, after] = it.hosts.sessions.map(({ exact }) => exact);
  assert(before!.files === after!.files && before!.packages === after!.packages);
});

Deno.test("a parked session wakes when its next timer is due", async () => {
  let dueMs: number | null = 5 * MINUTE;
  const it = await parking({ park: (session) => parkedState(session, dueMs) });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  assertEquals(states(it), ["parked"]);
  dueMs = null;
  await it.clock.advance(5 * MINUTE - 1);
  assertEquals(states(it), ["parked"]);
  await it.clock.advance(1);
  await until(() => states(it)[0] === "idle");
  await it.clock.advance(AFTER);
  assertEquals(states(it), ["parked"]);
});

Deno.test("parked sessions end like others: idle, DELETE, the server's removal, shutdown", async () => {
  const ends: [string, (it: Harness) => Promise<unknown>][] = [
    ["idle", (it) => it.clock.advance(30 * MINUTE - AFTER)],
    ["deleted", (it) => it.send(remove("s1"))],
    [
      "server_removed",
      (it) => it.sessions.endAll(({ server }) => server === "weather", "server_removed"),
    ],
    ["ended_by_operator", (it) => it.sessions.endInstance(it.sessions.list()[0]!.instance)],
    ["shutdown", (it) => it.sessions.close()],
  ];
  for (const [reason, end] of ends) {
    const states: Uint8Array[] = [];
    const it = await parking({
      park(session) {
        const outcome = parkedState(session);
        if (outcome.kind === "parked") states.push(outcome.state.bytes.fill(7));
        return outcome;
      },
    });
    await it.send(post(INITIALIZE));
    await it.clock.advance(AFTER);
    await end(it);
    assertEquals(it.sessions.list(), [], reason);
    assertEquals(it.store.rows.get("s1")?.reason, reason);
    assertEquals([it.metrics.parking.sessions, it.metrics.parking.bytes], [0, 0]);
    assertEquals(states[0]!.some((byte) => byte !== 0), false, "what was parked is wiped");
    assertEquals(it.clock.pending(), 0);
    assertEquals((await it.send(post(rpc("tools/list")))).status, 404);
    assertEquals(it.hosts.sessions.length, 1);
  }
});

Deno.test("a session that cannot be resumed answers once and is gone", async () => {
  let loads = 0;
  const it = await parking({
    load: () =>
      loads++ === 0
        ? {
          kind: "loaded",
          info: { name: "x", version: "1", instructions: null, capabilities: {} },
        }
        : { kind: "raised", message: "corrupt", traceback: "", ended: "crashed" },
  });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  const body = await json(await it.send(post(rpc("tools/list"))), 200);
  assertMatch(body.error.message, /could not be resumed.*Begin another/);
  assertEquals((await it.send(post(rpc("tools/list")))).status, 404);
  assertEquals(it.metrics.parking.wakesFailed, 1);
  assertEquals(it.metrics.sessionsEnded, { crashed: 1 });
  assertEquals((await it.send(post(INITIALIZE))).status, 200);
});

Deno.test("a session stays parked while no host is to be had", async () => {
  let loads = 0;
  const it = await parking({
    load() {
      if (loads++ === 1) throw new Error("no host");
      return {
        kind: "loaded",
        info: { name: "x", version: "1", instructions: null, capabilities: {} },
      };
    },
  });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  const body = await json(await it.send(post(rpc("tools/list"))), 200);
  assertMatch(body.error.message, /Try again/);
  assertEquals(states(it), ["parked"]);
  assertEquals((await json(await it.send(post(rpc("tools/list"))), 200)).result, { tools: [] });
});

Deno.test("without room sessions stay; none is ended for another, and no client takes all", async () => {
  const it = await parking({
    park: (session, { maxBytes }) => {
      assert(maxBytes <= 2 * 1024 * 1024);
      const outcome = parkedState(session);
      if (outcome.kind === "parked") outcome.state.bytes = new Uint8Array(1.5 * 1024 * 1024);
      return outcome;
    },
  }, { parkedBytes: 3.5 * 1024 * 1024 });
  await it.send(post(INITIALIZE));
  await it.send(post(INITIALIZE, { session: "s2" }));
  await it.send(post(INITIALIZE, { session: "s3" }), "192.0.2.2");
  await it.send(post(INITIALIZE, { session: "s4" }), "192.0.2.3");
  await it.clock.advance(AFTER);
  assertEquals(states(it), ["parked", "idle", "parked", "idle"]);
  assertEquals(it.metrics.parking.refusals, { room: 2 });
  await it.send(remove("s1"));
  await it.clock.advance(2 * AFTER);
  assertEquals(states(it).filter((state) => state === "parked").length, 2);
});

Deno.test("clients take turns: who has many sessions to park delays others by few of them", async () => {
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const it = await parking({
    async park(session) {
      order.push(session.client!);
      await new Promise<void>((resolve) => ends.push(resolve));
      return parkedState(session);
    },
  });
  for (let n = 0; n < 5; n++) await it.send(post(INITIALIZE, { session: `many-${n}` }));
  await it.send(post(INITIALIZE, { session: "one" }), "192.0.2.2");
  await it.clock.advance(AFTER);
  for (let n = 0; n < 6; n++) {
    await until(() => ends.length > n);
    ends[n]!();
  }
  await until(() => states(it).every((state) => state === "parked"));
  assert(order.indexOf("address 192.0.2.2") <= 2, order.join());
});

Deno.test("ending a session does not wait until it is woken, and what was woken is closed", async () => {
  const booted = Promise.withResolvers<void>();
  let loads = 0;
  const it = await parking({
    async load() {
      if (loads++ > 0) await booted.promise;
      return LOADED;
    },
  });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  const answer = it.send(post(rpc("tools/list")));
  await until(() => it.hosts.sessions.length === 2);
  assertEquals((await it.send(remove("s1"))).status, 204);
  assertMatch((await json(await answer, 200)).error.message, /could not be resumed/);
  assertEquals(it.hosts.sessions[1]!.closed, false);
  booted.resolve();
  await until(() => it.hosts.sessions[1]!.closed);
  assertEquals([it.metrics.parking.sessions, it.metrics.parking.bytes], [0, 0]);
});

Deno.test("parked sessions count as sessions of their client", async () => {
  const it = await parking({}, { sessionsPerClient: 1 });
  await it.send(post(INITIALIZE));
  await it.clock.advance(AFTER);
  assertEquals((await it.send(post(INITIALIZE, { session: "s2" }))).status, 429);
});

Deno.test("an open stream keeps no session from parking, and has what it says afterwards", async () => {
  const it = await parking();
  await it.send(post(INITIALIZE));
  const stream = await it.send(get("s1"));
  await it.clock.advance(AFTER);
  assertEquals(states(it), ["parked"]);
  await it.send(post(rpc("tools/list")));
  const method = "notifications/tools/list_changed";
  it.hosts.sessions[1]!.input.onNotification({ method, params: null, requestId: null });
  const events = eventsOf(stream);
  assertEquals(await messages(events, 1), [{ jsonrpc: "2.0", method }]);
  await events.leave();
});

Deno.test("a real session goes on where it was parked, with its environment, level and subscriptions", async () => {
  await using sandbox = await openHosts({ warmSessions: 1 });
  const it = await harness({
    sandbox,
    parkAfterSeconds: AFTER_SECONDS,
    source: `
import os
from mcp.server.fastmcp import FastMCP, Context
mcp = FastMCP("test")
calls = []

@mcp.resource("data://x")
def x() -> str:
    return "x"

@mcp.tool()
async def note(context: Context, text: str) -> str:
    calls.append(text)
    await context.debug("too low")
    await context.error("heard")
    return os.environ["KEY"] + ",".join(calls)

mcp.run()
`,
  });
  const headers = {
    "mcp-server-environment": btoa(JSON.stringify({ KEY: "k:" })),
    accept: "application/json, text/event-stream",
  };
  await it.send(post(INITIALIZE, { headers }));
  await it.send(post(rpc("logging/setLevel", { level: "error" }), { headers }));
  const call = async (text: string) => {
    const sent = post(rpc("tools/call", { name: "note", arguments: { text } }), { headers });
    const said = await messages(eventsOf(await it.send(sent)), Infinity);
    return said.map(({ params, result }) => params?.data ?? result.content[0].text);
  };
  assertEquals(await call("a"), ["heard", "k:a"]);
  const tools = await json(await it.send(post(rpc("tools/list"))), 200);
  for (const text of ["b", "c"]) {
    await it.clock.advance(AFTER);
    await until(() => states(it)[0] === "parked");
    assertEquals(sandbox.stats().sessions, 0);
    assertEquals((await call(text)).at(0), "heard");
  }
  assertEquals((await call("d")).at(-1), "k:a,b,c,d");
  assertEquals(await json(await it.send(post(rpc("tools/list"))), 200), tools);
  await it.sessions.close();
});
