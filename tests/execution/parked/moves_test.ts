/**
 * Sessions that leave their node for the database and go on at another: two nodes in memory that share
 * rows.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../../helpers/interpreter.ts";
import type { FakeServer } from "../fake_hosts.ts";
import {
  get,
  type Harness,
  harness,
  INITIALIZE,
  json,
  memoryStore,
  post,
  remove,
  rpc,
} from "../harness.ts";
import { memoryDepot, memoryParkedStore, RUNTIME } from "./memory_depot.ts";

const AFTER_SECONDS = 120;
const AFTER = AFTER_SECONDS * 1000;
const ALICE = { authorization: "Bearer user-alice" };
const BOB = { authorization: "Bearer user-bob" };

type More = Parameters<typeof harness>[0] & Parameters<typeof memoryDepot>[1];

/** Two nodes, or more, of one installation. */
function installation() {
  const store = memoryStore();
  const parked = memoryParkedStore(store);
  return {
    store,
    parked,
    node: async (server: FakeServer = {}, { key, maxBytes, runtime, images, ...more }: More = {}) =>
      await harness({
        server,
        store,
        parkAfterSeconds: AFTER_SECONDS,
        depot: await memoryDepot(parked, {
          ...(key === undefined ? {} : { key }),
          ...(maxBytes === undefined ? {} : { maxBytes }),
          ...(runtime === undefined ? {} : { runtime }),
          ...(images === undefined ? {} : { images }),
        }),
        ...more,
      }),
  };
}

const states = ({ sessions }: Harness) => sessions.list().map(({ state }) => state);

/** The node ends, as `execution.ts` has it end. */
async function end(node: Harness): Promise<void> {
  await node.sessions.store(1000);
  await node.sessions.close();
}

async function errorOf(response: Response, status: number): Promise<string> {
  return (await json(response, status)).error.message;
}

Deno.test("state table: active or parked → stored → active at another node", async () => {
  for (const isParked of [false, true]) {
    const { node, parked, store } = installation();
    const first = await node();
    await first.send(post(INITIALIZE));
    await first.send(post(rpc("tools/list")));
    if (isParked) await first.clock.advance(AFTER);
    await end(first);
    assertEquals([first.sessions.list(), parked.kept.size], [[], 1]);
    assertEquals(store.rows.get("s1")?.reason, null);
    assertEquals(first.metrics.parking.stores, { stored: 1 });
    assertEquals([first.metrics.sessionsActive, first.metrics.parking.bytes], [0, 0]);
    assertEquals(first.clock.pending(), 0);

    const second = await node();
    assertEquals((await second.send(post(rpc("tools/list")))).status, 200);
    assertEquals([states(second), parked.kept.size], [["idle"], 0]);
    assertEquals(second.hosts.sessions.length, 1);
    assertEquals(second.hosts.sessions[0]!.exact.parked?.bytes.length, 100);
    assertEquals([second.metrics.parking.arrivals, second.metrics.sessionsActive], [1, 1]);
    await second.clock.advance(AFTER);
    assertEquals(states(second), ["parked"]);
    await end(second);
    assertEquals((await (await node()).send(post(rpc("tools/list")))).status, 200);
  }
});

Deno.test("what client and session have told each other goes along", async () => {
  const { node } = installation();
  const headers = { "mcp-server-environment": btoa(JSON.stringify({ KEY: "k-123456" })) };
  const first = await node();
  const initialize = structuredClone(INITIALIZE) as { params: Record<string, unknown> };
  initialize.params["protocolVersion"] = "2025-03-26";
  await first.send(post(initialize as typeof INITIALIZE, { headers }));
  await first.send(post(rpc("logging/setLevel", { level: "error" })));
  await first.send(post(rpc("resources/subscribe", { uri: "data://x" })));
  await end(first);

  const second = await node();
  const stream = await second.send(get("s1"));
  assertEquals(stream.status, 200);
  assertEquals([states(second), second.hosts.sessions.length], [["parked"], 0]);
  await stream.body!.cancel();
  assertEquals((await second.send(post([rpc("tools/list")] as never))).status, 200);
  assertEquals(second.hosts.sessions[0]!.exact.environment, { KEY: "k-123456" });
  second.hosts.sessions[0]!.exact.onLog({
    level: "info",
    logger: "",
    text: "k-123456",
    requestId: null,
  });
  assert(!JSON.stringify(second.lines).includes("k-123456"));
  const other = { "mcp-server-environment": btoa(JSON.stringify({ KEY: "other" })) };
  assertEquals((await second.send(post(INITIALIZE, { headers: other }))).status, 400);
  assertEquals((await second.send(post(INITIALIZE, { headers }))).status, 200);
});

Deno.test("secrets that the code does not have stay with the broker wherever it goes on", async () => {
  const { node } = installation();
  const variable = {
    name: "API_KEY",
    required: true,
    secret: true,
    description: null,
    default: null,
    format: "text",
    choices: [],
    hosts: ["api.example.com"],
    delivery: "placeholder",
    from: "author",
  };
  const servers = { weather: { variables: [variable] } } as never;
  const headers = { "mcp-server-environment": btoa(JSON.stringify({ API_KEY: "true-value-1" })) };
  const opened: unknown[] = [];
  const egress = (_server: string, options: unknown) => opened.push(options);
  const first = await node({}, { servers, onEgress: egress });
  assertEquals((await first.send(post(INITIALIZE, { headers }))).status, 200);
  const { API_KEY: placeholder } = first.hosts.sessions[0]!.exact.environment;
  assert(placeholder !== undefined && placeholder !== "true-value-1");
  await end(first);
  const second = await node({}, { servers, onEgress: egress });
  assertEquals((await second.send(post(rpc("tools/list")))).status, 200);
  assertEquals(second.hosts.sessions[0]!.exact.environment["API_KEY"], placeholder);
  const secret = {
    name: "API_KEY",
    placeholder,
    value: "true-value-1",
    hosts: ["api.example.com"],
  };
  assertEquals(opened.map((options) => (options as { secrets: unknown }).secrets), [[secret], [
    secret,
  ]]);
});

Deno.test("a stored session answers to its user and server alone", async () => {
  const { node, parked } = installation();
  const first = await node({}, { servers: { weather: {}, other: {} } });
  await first.send(post(INITIALIZE, { headers: ALICE }));
  await end(first);
  const second = await node({}, { servers: { weather: {}, other: {} } });
  for (const headers of [BOB, {}] as HeadersInit[]) {
    for (const body of [INITIALIZE, rpc("tools/list")]) {
      assertEquals(
        (await second.send(post(body, { headers: headers as Record<string, string> }))).status,
        404,
      );
    }
    assertEquals((await second.send(get("s1", headers as never))).status, 404);
    assertEquals(
      (await second.send(remove("s1", { headers: headers as Record<string, string> }))).status,
      404,
    );
  }
  assertEquals(
    (await second.send(post(rpc("tools/list"), { headers: ALICE, name: "other" }))).status,
    409,
  );
  assertEquals(parked.kept.size, 1);
  assertEquals((await second.send(post(rpc("tools/list"), { headers: ALICE }))).status, 200);
});

Deno.test("DELETE ends a stored session", async () => {
  const { node, parked, store } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const second = await node();
  assertEquals((await second.send(remove("s1"))).status, 204);
  assertEquals([parked.kept.size, store.rows.get("s1")?.reason], [0, "deleted"]);
  assertEquals((await second.send(post(rpc("tools/list")))).status, 404);
});

Deno.test("of nodes that race for a session one has it, and the others answer 404", async () => {
  const { node, parked } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const nodes = await Promise.all([node(), node(), node()]);
  const found = await Promise.all(nodes.map((each) => each.send(post(rpc("tools/list")))));
  assertEquals(found.map(({ status }) => status).sort(), [200, 404, 404]);
  assertEquals(nodes.map(({ hosts }) => hosts.sessions.length).sort(), [0, 0, 1]);
  assertEquals(parked.kept.size, 0);
});

Deno.test("requests that come at once resume a session once, and keep their order", async () => {
  const { node } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const second = await node();
  const sent = [1, 2, 3].map((id) =>
    second.send(post(rpc("tools/call", { name: String(id) }, id)))
  );
  for (const response of await Promise.all(sent)) assertEquals(response.status, 200);
  assertEquals(second.hosts.sessions.length, 1);
  const names = second.hosts.sessions[0]!.requests.map(({ params }) =>
    (params as { name: string }).name
  );
  assertEquals(names, ["1", "2", "3"]);
});

Deno.test("bytes that were changed, and those of another session, are not gone on with", async () => {
  const { node, parked } = installation();
  const first = await node();
  for (const session of ["s1", "s2", "s3"]) await first.send(post(INITIALIZE, { session }));
  await end(first);
  const [one, two] = [parked.kept.get("s1")!, parked.kept.get("s2")!];
  [one.sealed, two.sealed] = [two.sealed, one.sealed];
  parked.kept.get("s3")!.sealed[500]! ^= 1;
  const second = await node();
  for (const session of ["s1", "s2", "s3"]) {
    assertEquals((await second.send(post(rpc("tools/list"), { session }))).status, 404);
  }
  assertEquals([second.hosts.sessions.length, second.metrics.parking.arrivalsFailed], [0, 3]);
});

Deno.test("a row that claims to be another user's is not opened", async () => {
  const { node, parked, store } = installation();
  const first = await node();
  await first.send(post(INITIALIZE, { headers: ALICE }));
  await end(first);
  const kept = parked.kept.get("s1")!;
  kept.row = { ...kept.row, userId: "bob" };
  store.rows.get("s1")!.userId = "bob";
  const second = await node();
  assertEquals((await second.send(post(rpc("tools/list"), { headers: BOB }))).status, 404);
  assertEquals(second.hosts.sessions.length, 0);
});

Deno.test("a row that comes again is worth nothing", async () => {
  const { node, parked } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const again = { ...parked.kept.get("s1")! };
  const second = await node();
  assertEquals((await second.send(post(rpc("tools/list")))).status, 200);
  parked.kept.set("s1", again);
  const third = await node();
  assertEquals((await third.send(post(rpc("tools/list")))).status, 404);
  assertEquals(third.hosts.sessions.length, 0);
});

Deno.test("a node with another key, interpreter or without the image leaves the session to others", async () => {
  const cases: [string, More][] = [
    ["key", { key: 2 }],
    ["runtime", { runtime: { ...RUNTIME, id: "runtime-2" } }],
    ["image", { runtime: { ...RUNTIME, imageWith: () => null } }],
  ];
  for (const [lacks, more] of cases) {
    const { node, parked } = installation();
    const first = await node({
      park: (session) => {
        const bytes = new Uint8Array(50).fill(session.requests.length);
        const info = { name: "x", version: "1", instructions: null, capabilities: {} };
        return { kind: "parked", state: { bytes, image: "pydantic", info, dueMs: null } };
      },
    });
    await first.send(post(INITIALIZE));
    await end(first);
    const second = await node({}, more);
    assertEquals((await second.send(post(rpc("tools/list")))).status, 404, lacks);
    assert(second.lines.some((line) => line["lacks"] === lacks));
    assertEquals(parked.kept.size, 1);
    const third = await node();
    assertEquals((await third.send(post(rpc("tools/list")))).status, 200);
    assertEquals(third.hosts.sessions[0]!.exact.parked?.image, "pydantic");
    // Who wants to begin afresh may.
    await end(third);
    assertEquals((await second.send(post(INITIALIZE))).status, 200);
  }
});

Deno.test("a session whose image has no room at the moment is not lost", async () => {
  const { node, parked } = installation();
  const begin = async () => {
    const first = await node({
      park: () => {
        const info = { name: "x", version: "1", instructions: null, capabilities: {} };
        const state = { bytes: new Uint8Array(50), image: "made", info, dueMs: null };
        return { kind: "parked", state };
      },
    });
    await first.send(post(INITIALIZE));
    await end(first);
  };
  await begin();
  const images = {
    put: () => Promise.resolve("stored" as const),
    get: () => Promise.resolve("later" as const),
    prune: () => Promise.resolve(),
  };
  const isMade = () => true;
  const full = await node({}, { runtime: { ...RUNTIME, isMade, imageWith: () => null }, images });
  const refused = await full.send(post(rpc("tools/list")));
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "30"]);
  // It goes between the look and the taking.
  let looks = 0;
  const imageWith = (digest: string) => ++looks > 1 ? null : digest;
  const made = {
    named: () => null,
    use: () => Promise.resolve(true),
    content: () => Promise.resolve(null),
    receive: () => Promise.resolve(),
  };
  const gone = await node({}, { runtime: { ...RUNTIME, isMade, imageWith, made } });
  assertEquals((await gone.send(post(rpc("tools/list")))).status, 503);
  assertEquals(parked.kept.size, 1);
  const other = await node({});
  assertEquals((await other.send(post(rpc("tools/list")))).status, 200);
});

Deno.test("an image that is damaged here comes whole from the database", async () => {
  const { node } = installation();
  const first = await node({
    park: () => {
      const info = { name: "x", version: "1", instructions: null, capabilities: {} };
      return {
        kind: "parked",
        state: { bytes: new Uint8Array(50), image: "made", info, dueMs: null },
      };
    },
  });
  await first.send(post(INITIALIZE));
  await end(first);
  const asked: string[] = [];
  const second = await node({}, {
    runtime: {
      ...RUNTIME,
      isMade: () => true,
      made: {
        named: () => null,
        use: () => Promise.resolve(false),
        content: () => Promise.resolve(null),
        receive: () => Promise.resolve(),
      },
    },
    images: {
      put: () => Promise.resolve("stored"),
      get(digest) {
        asked.push(digest);
        return Promise.resolve("here");
      },
      prune: () => Promise.resolve(),
    },
  });
  assertEquals((await second.send(post(rpc("tools/list")))).status, 200);
  assertEquals(asked, ["digest of made"]);
});

Deno.test("a server that has changed, fails its scan, costs more or is gone takes its sessions along", async () => {
  const cases: [number, More][] = [
    [404, { servers: { weather: { archiveSha256: "other" } } }],
    [404, { servers: { weather: { entrypoint: "other.py" } } }],
    [403, { servers: { weather: { scanStatus: "failed" } } }],
    [404, { servers: {} }],
  ];
  for (const [status, more] of cases) {
    const { node, parked } = installation();
    const first = await node();
    await first.send(post(INITIALIZE));
    await end(first);
    const second = await node({}, more);
    assertEquals((await second.send(post(rpc("tools/list")))).status, status);
    assertEquals([parked.kept.size, second.hosts.sessions.length], [0, 0]);
  }
});

Deno.test("initialize begins afresh where another node was first", async () => {
  const { node, parked } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const again = { ...parked.kept.get("s1")! };
  const second = await node();
  assertEquals((await second.send(post(rpc("tools/list")))).status, 200);
  parked.kept.set("s1", again);
  const third = await node();
  assertEquals((await third.send(post(INITIALIZE))).status, 200);
  assertEquals(third.hosts.sessions[0]!.exact.parked, undefined);
  await end(third);
  assertEquals((await (await node()).send(post(rpc("tools/list")))).status, 200);
});

Deno.test("stored sessions are idle no longer than others", async () => {
  const { node, parked } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await first.clock.advance(10 * AFTER);
  await end(first);
  const left = parked.kept.get("s1")!.row.expiresAt.getTime() - first.clock.date().getTime();
  assertEquals(left, 1_800_000 - 10 * AFTER);
  const second = await node();
  await second.clock.advance(10 * AFTER + left);
  assertEquals((await second.send(post(rpc("tools/list")))).status, 404);
});

Deno.test("limits of clients and nodes count for sessions that arrive, which stay stored then", async () => {
  const { node, parked } = installation();
  const first = await node();
  for (const session of ["s1", "s2"]) await first.send(post(INITIALIZE, { session }));
  await end(first);
  for (
    const [status, more] of [[429, { sessionsPerClient: 1 }], [503, { maxSessions: 1 }]] as const
  ) {
    const second = await node({}, more);
    assertEquals((await second.send(post(rpc("tools/list"), { session: "s1" }))).status, 200);
    assertEquals((await second.send(post(rpc("tools/list"), { session: "s2" }))).status, status);
    assertEquals(parked.kept.size, 1);
    await end(second);
  }
});

Deno.test("without a database at the end sessions end, within the time that there is", async () => {
  const { node, parked, store } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  parked.isAway = true;
  await end(first);
  assertEquals([store.rows.get("s1")?.reason, parked.kept.size], ["shutdown", 0]);
  assertEquals(first.metrics.parking.stores, { error: 1 });
  assert(first.lines.some(({ event, msg }) => (event ?? msg) === "session.not_stored"));

  parked.isAway = false;
  const hanging = Promise.withResolvers<void>();
  const second = await node({
    async park() {
      await hanging.promise;
      return { kind: "ended", reason: "closed" };
    },
  });
  await second.send(post(INITIALIZE, { session: "s2" }));
  const storing = second.sessions.store(1000);
  await second.clock.advance(1000);
  await storing;
  const closing = second.sessions.close();
  hanging.resolve();
  await closing;
  assertEquals(store.rows.get("s2")?.reason, "shutdown");
});

Deno.test("what is in use at the end, or has to stay, ends as before", async () => {
  const { node, parked, store } = installation();
  const hanging = Promise.withResolvers<void>();
  const first = await node({
    park: () => ({ kind: "stays", reason: "file" }),
    answer: async (method) => {
      if (method === "tools/call") await hanging.promise;
      return { kind: "result", result: {} };
    },
  });
  await first.send(post(INITIALIZE));
  await first.send(post(INITIALIZE, { session: "s2" }));
  const called = first.send(post(rpc("tools/call", { name: "x" })));
  await until(() => first.hosts.sessions[0]!.requests.length > 0);
  const ending = end(first);
  hanging.resolve();
  await Promise.all([ending, called]);
  assertEquals(["s1", "s2"].map((id) => store.rows.get(id)?.reason), ["shutdown", "shutdown"]);
  assertEquals(parked.kept.size, 0);
});

Deno.test("a node that ends resumes nothing any more", async () => {
  const { node, parked } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await first.sessions.store(1000);
  assertEquals((await first.send(post(rpc("tools/list")))).status, 503);
  assertEquals(parked.kept.size, 1);
});

Deno.test("without memory the session that nobody used for longest is stored, if no one listens", async () => {
  const size = 1.5 * 1024 * 1024;
  const { node, parked } = installation();
  const it = await node({
    park: (session) => ({
      kind: "parked",
      state: {
        bytes: new Uint8Array(size).fill(session.requests.length),
        image: null,
        info: { name: "x", version: "1", instructions: null, capabilities: {} },
        dueMs: session.exact.client === "address 192.0.2.9" ? 10 * AFTER : null,
      },
    }),
  }, { parkedBytes: 6 * 1024 * 1024 });
  const begin = async (session: string, address: string) => {
    await it.send(post(INITIALIZE, { session }), address);
    await it.clock.advance(AFTER);
    await until(() => states(it).every((state) => state === "parked"));
  };
  await begin("timer", "192.0.2.9");
  await begin("listens", "192.0.2.1");
  const stream = await it.send(get("listens"), "192.0.2.1");
  await begin("old", "192.0.2.2");
  await begin("newer", "192.0.2.3");
  await begin("newest", "192.0.2.4");
  assert(!parked.kept.has("timer") && !parked.kept.has("listens") && parked.kept.has("old"));
  const kept = [...parked.kept.keys()];
  assertEquals(states(it).length + kept.length, 5);
  for (const id of kept) {
    assertEquals(
      (await it.send(post(rpc("tools/list"), { session: id }), "192.0.2.2")).status,
      200,
    );
  }
  await stream.body!.cancel();
  await it.sessions.close();
});

Deno.test("a request that comes while its session is being stored finds it", async () => {
  const { node, parked } = installation();
  const storing = Promise.withResolvers<void>();
  const put = parked.put;
  const begun = Promise.withResolvers<void>();
  parked.put = async (...given) => {
    begun.resolve();
    await storing.promise;
    return await put(...given);
  };
  const it = await node({
    park: () => ({
      kind: "parked",
      state: {
        bytes: new Uint8Array(1.5 * 1024 * 1024),
        image: null,
        info: { name: "x", version: "1", instructions: null, capabilities: {} },
        dueMs: null,
      },
    }),
  }, { parkedBytes: 2.4 * 1024 * 1024 });
  await it.send(post(INITIALIZE, { session: "s1" }), "192.0.2.1");
  await it.clock.advance(AFTER);
  await it.send(post(INITIALIZE, { session: "s2" }), "192.0.2.2");
  await it.clock.advance(AFTER);
  await begun.promise;
  const answer = it.send(post(rpc("tools/list"), { session: "s1" }), "192.0.2.1");
  storing.resolve();
  assertEquals((await answer).status, 200);
  assertMatch(String(it.sessions.list().length), /^2$/);
  await it.sessions.close();
});

Deno.test("a client that comes back for events of another node gets those that are to come", async () => {
  const { node } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const second = await node();
  const stream = await second.send(get("s1", { "last-event-id": "12345678-0-3" }));
  assertEquals(stream.status, 200);
  await stream.body!.cancel();
});

Deno.test("a session that is refused at a node keeps its error out of the log", async () => {
  const { node } = installation();
  const first = await node();
  await first.send(post(INITIALIZE));
  await end(first);
  const second = await node({
    load: { kind: "raised", message: "corrupt", traceback: "", ended: "crashed" },
  });
  assertMatch(
    await errorOf(await second.send(post(rpc("tools/list"))), 200),
    /could not be resumed/,
  );
  assertEquals((await second.send(post(rpc("tools/list")))).status, 404);
});
