/**
 * Which sessions begin from spare ones, and how many of these there are: with hosts in memory.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { type FakeSession, LOADED } from "../fake_hosts.ts";
import { type Harness, harness, INITIALIZE, json, type Options, post, settle } from "../harness.ts";

const MINUTE = 60_000;
/** By then spare sessions that are due wait. */
const A_WHILE = 3000;

/** Spare sessions that wait. */
const spare = ({ hosts }: Harness) =>
  hosts.sessions.filter(({ client, closed }) => client === null && !closed);

let sessions = 0;

/** Begins a session; gives the one that the hosts have for it. */
async function begin(
  given: Harness,
  options: { name?: string; token?: string; environment?: Record<string, string> } = {},
): Promise<FakeSession> {
  const { environment, ...rest } = options;
  const params = {
    ...INITIALIZE["params"] as object,
    ...(environment === undefined ? {} : { _meta: { "berth/environment": environment } }),
  };
  const response = await given.send(
    post({ ...INITIALIZE, params }, { ...rest, session: `session-${++sessions}` }),
  );
  assert("result" in await json(response, 200));
  return given.hosts.sessions.find(({ notes, closed }) =>
    notes.length > 0 && !closed && !seen.has(notes) && seen.add(notes)
  )!;
}
const seen = new WeakSet<object>();

/** Lets sessions begin until a spare one waits. */
async function popular(options: Options = {}): Promise<Harness> {
  const given = await harness({ spareSessions: 2, ...options });
  for (let n = 0; n < 5; n++) await begin(given);
  await given.clock.advance(A_WHILE);
  return given;
}

Deno.test("a server in demand gets a spare session, which the next session is", async () => {
  const given = await popular();
  const [waiting] = spare(given);
  assertEquals([spare(given).length, given.metrics.spares.waiting], [1, 1]);
  const next = await begin(given, { token: "ada" });
  assertEquals([next === waiting, next.client], [true, "user ada"]);
  assertEquals(given.metrics.spares, { waiting: 0, hits: 1, misses: 0, unfit: {} });
});

Deno.test("a spare session is handed out once; the next one begins as usual, and there is another later", async () => {
  const given = await popular();
  const before = given.metrics.spares.misses;
  const both = await Promise.all([
    begin(given, { token: "ada" }),
    begin(given, { token: "bob" }),
  ]);
  assertEquals(new Set(both).size, 2);
  const { hits, misses } = given.metrics.spares;
  assertEquals([hits, misses - before, spare(given).length], [1, 1, 0]);
  await given.clock.advance(A_WHILE);
  assertEquals(spare(given).length, 1);
});

Deno.test("without demand there is no spare session, nor any timer", async () => {
  const given = await harness({ spareSessions: 2 });
  const pending = given.clock.pending();
  await given.clock.advance(60 * MINUTE);
  assertEquals([given.hosts.sessions.length, given.clock.pending()], [0, pending]);
});

Deno.test("a session with variables never gets a spare one, and is no demand for one", async () => {
  const given = await popular();
  const [waiting] = spare(given);
  const next = await begin(given, { environment: { API_KEY: "secret-value" } });
  assert(next !== waiting);
  assertEquals(next.input.environment, { API_KEY: "secret-value" });
  assertEquals([waiting!.client, given.metrics.spares.hits], [null, 0]);
  assertEquals(waiting!.input.environment, {});

  const other = await harness({ spareSessions: 2 });
  for (let n = 0; n < 9; n++) await begin(other, { environment: { A: "b" } });
  await other.clock.advance(A_WHILE);
  assertEquals(spare(other), []);
});

Deno.test("a client that may not run the server, or has too many sessions, gets no spare one either", async () => {
  const given = await popular({
    sessionsPerClient: 5,
    checkPayment: (_, { userId }) =>
      userId === "eve"
        ? Promise.reject(new AppError("payment_required", "Pay"))
        : Promise.resolve(),
  });
  const ask = (options: { token?: string }) =>
    given.send(post(INITIALIZE, { ...options, session: `session-${++sessions}` }));
  assertEquals((await ask({ token: "eve" })).status, 402);
  assertEquals((await ask({})).status, 429);
  assertEquals([spare(given).length, given.metrics.spares.hits], [1, 0]);
  await begin(given, { token: "ada" });
  assertEquals(given.metrics.spares.hits, 1);
});

Deno.test("what the server said while it waited, its client hears: the log and the stream", async () => {
  const said: FakeSession["input"][] = [];
  const given = await popular({
    server: {
      load() {
        const { input } = given0!.hosts.sessions.at(-1)!;
        input.onLog({ level: "info", logger: "stdout", text: "hello", requestId: null });
        said.push(input);
        return LOADED;
      },
    },
    onHarness: (it) => given0 = it,
  });
  const before = given.lines.filter(({ event }) => event === "server.output").length;
  assertEquals([said.length, before], [6, 5]);
  await begin(given, { token: "ada" });
  const lines = given.lines.filter(({ event }) => event === "server.output");
  assertEquals([lines.length, lines.at(-1)!["text"]], [6, "hello"]);
});
let given0: Harness | null = null;

for (
  const [what, why, act] of [
    ["uses the network", "network", (s) => s.exact.http({} as never, new AbortController().signal)],
    ["asks its client", "asked", (s) => s.exact.ask({} as never, new AbortController().signal)],
    [
      "writes more than is kept",
      "output",
      (s) =>
        s.input.onLog({
          level: "info",
          logger: "stdout",
          text: "x".repeat(300_000),
          requestId: null,
        }),
    ],
    ["ends", "ended", (s) => s.lose("memory")],
  ] as [string, string, (session: FakeSession) => unknown][]
) {
  Deno.test(`a spare session that ${what} is thrown away, and its server barred for a while`, async () => {
    const given = await popular();
    const [waiting] = spare(given);
    act(waiting!);
    await settle();
    assertEquals([waiting!.closed, spare(given).length], [true, 0]);
    assertEquals(given.metrics.spares.unfit, { [why]: 1 });
    assert((await begin(given, { token: "ada" })) !== waiting);
    await given.clock.advance(A_WHILE);
    assertEquals(spare(given).length, 0);
    await given.clock.advance(5 * MINUTE);
    for (let n = 0; n < 5; n++) await begin(given);
    await given.clock.advance(A_WHILE);
    assertEquals(spare(given).length, 1);
  });

  Deno.test(`a spare session that ${what} while it starts waits for nobody`, async () => {
    let starts = 0;
    const given = await popular({
      server: {
        load() {
          if (++starts === 6) act(given0!.hosts.sessions.at(-1)!);
          return LOADED;
        },
      },
      onHarness: (it) => given0 = it,
    });
    assertEquals([starts, spare(given).length], [6, 0]);
    assertEquals(given.metrics.spares.unfit, { [why]: 1 });
    assert(given.hosts.sessions[5]!.closed);
  });
}

Deno.test("a server that does not start without a client is barred", async () => {
  let starts = 0;
  const given = await popular({
    server: {
      load: () => ++starts === 6 ? { kind: "raised", message: "no", traceback: "" } : LOADED,
    },
  });
  assertEquals(given.metrics.spares.unfit, { not_started: 1 });
  assertEquals(spare(given).length, 0);
  await given.clock.advance(MINUTE);
  assertEquals(starts, 6);
});

Deno.test("spare sessions end when their server is changed or removed, also one on its way", async () => {
  const given = await popular();
  await given.spares!.endServer("weather");
  assertEquals([spare(given).length, given.metrics.spares.waiting], [0, 0]);

  const loading = Promise.withResolvers<typeof LOADED>();
  let starts = 0;
  const late = await popular({ server: { load: () => ++starts < 6 ? LOADED : loading.promise } });
  assertEquals(spare(late).length, 1);
  await late.spares!.endServer("weather");
  loading.resolve(LOADED);
  await settle();
  assertEquals([spare(late).length, late.metrics.spares.waiting], [0, 0]);
});

Deno.test("a spare session of an older version is never handed out", async () => {
  for (
    const change of [{ revision: 2 }, { folder: "elsewhere" }, { entrypoint: "other.py" }]
  ) {
    const server = { ...change };
    const servers: Options["servers"] = { weather: {} };
    const given = await popular({ servers });
    const [waiting] = spare(given);
    servers["weather"] = server;
    assert((await begin(given)) !== waiting);
    await settle();
    assertEquals([waiting!.client, waiting!.closed], [null, true]);
  }
});

Deno.test("no spare session is made of a server that may not run, or is no more", async () => {
  for (const found of [null, { scanStatus: "failed" as const }]) {
    const servers: Options["servers"] = { weather: {} };
    const given = await harness({ spareSessions: 2, servers });
    for (let n = 0; n < 5; n++) await begin(given);
    if (found === null) delete servers["weather"];
    else servers["weather"] = found;
    await given.clock.advance(A_WHILE);
    assertEquals(given.hosts.sessions.length, 5);
  }
});

Deno.test("there are never more spare sessions than SPARE_SESSIONS, and servers share them", async () => {
  const servers = { one: {}, two: {}, three: {} };
  const given = await harness({
    spareSessions: 2,
    servers,
    sessionsPerClient: 500,
    maxSessions: 500,
  });
  const starts = { one: 100, two: 6, three: 5 };
  for (const [name, count] of Object.entries(starts)) {
    for (let n = 0; n < count; n++) await begin(given, { name, token: `u${n % 3}` });
    given.hosts.places += count;
  }
  for (let n = 0; n < 20; n++) {
    await given.clock.advance(1000);
    assert(spare(given).length <= 2);
  }
  assertEquals(spare(given).map(({ input }) => input.server), ["one", "one"]);
  for (let n = 0; n < 120; n++) await begin(given, { name: "two", token: `u${n % 3}` });
  given.hosts.places += 120;
  await given.clock.advance(A_WHILE);
  assertEquals(spare(given).map(({ input }) => input.server).sort(), ["one", "two"]);
});

Deno.test("spare sessions give way to sessions when there is no room, and to want of memory", async () => {
  const given = await popular();
  given.hosts.places = given.hosts.sessions.length;
  await begin(given, { environment: { A: "b" } });
  assertEquals(spare(given).length, 1);
  await given.clock.advance(A_WHILE);
  assertEquals(spare(given).length, 0);

  let free = 50;
  const short = await popular({ freeMemory: () => free });
  assertEquals(spare(short).length, 1);
  free = 5;
  await short.clock.advance(A_WHILE);
  assertEquals(spare(short).length, 0);
});

Deno.test("a session of another server that needs the room takes it at once", async () => {
  const given = await popular({ servers: { weather: {}, other: {} } });
  given.hosts.places = given.hosts.sessions.length;
  await begin(given, { name: "other" });
  assertEquals(spare(given).length, 0);
});

Deno.test("none is made while somebody waits for a boot, or there is no room", async () => {
  const given = await harness({ spareSessions: 2 });
  for (let n = 0; n < 5; n++) await begin(given);
  given.hosts.isBusy = true;
  await given.clock.advance(10_000);
  assertEquals(spare(given).length, 0);
  given.hosts.isBusy = false;
  given.hosts.places = 5;
  await given.clock.advance(10_000);
  assertEquals(spare(given).length, 0);
  given.hosts.places = 6;
  await given.clock.advance(10_000);
  assertEquals(spare(given).length, 1);
});

Deno.test("a spare session that nobody came for ends after ten minutes, and with it all upkeep", async () => {
  const given = await popular();
  const idle = given.clock.pending();
  await given.clock.advance(9 * MINUTE);
  assertEquals(spare(given).length, 1);
  await given.clock.advance(2 * MINUTE);
  assertEquals([spare(given).length, given.clock.pending()], [0, idle - 1]);
});

Deno.test("close() ends spare sessions, also one on its way, and makes no more", async () => {
  const given = await popular();
  await given.spares!.close();
  assertEquals(spare(given).length, 0);
  await begin(given);
  await given.clock.advance(A_WHILE);
  assertEquals(spare(given).length, 0);
});
