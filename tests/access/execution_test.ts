import { assert, assertEquals } from "@std/assert";
import { now } from "../../src/clock.ts";
import { parseConfig } from "../../src/config.ts";
import type { Sql } from "../../src/database/client.ts";
import { createExecutionApp } from "../../src/http/execution_app.ts";
import { invalidToken } from "../../src/identity/failures.ts";
import { storeGroups } from "../../src/identity/groups.ts";
import { addReader, removeReader } from "../../src/registry/access/readers.ts";
import { acceptOffer, cancelOffer, offerServer } from "../../src/registry/ownership/transfer.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { egressPolicyOf, startExecution } from "../../src/services/execution.ts";
import { setAdministrator } from "../../src/web/admin/queries.ts";
import { fakeHosts } from "../execution/fake_hosts.ts";
import { get, INITIALIZE, json, post, type PostOptions, rpc } from "../execution/harness.ts";
import { describeDatabases } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";
import {
  alice,
  bob,
  carol,
  context,
  serverInput,
  type TestRegistry,
  testRegistry,
} from "../helpers/registry.ts";

const PING = rpc("ping");

interface Node {
  deps: TestRegistry;
  /** Whose tokens say that they are administrators. */
  admins: Set<string>;
  send(body: unknown, options?: PostOptions): Promise<Response>;
  fetch(request: Request): Promise<Response>;
}

async function addUsers(sql: Sql): Promise<void> {
  for (const { userId, username } of [alice, bob, carol]) {
    await sql`
      insert into users (subject, username, created_at) values (${userId}, ${username}, now())`;
  }
}

/** The execution listener over a registry with alice's server; only the sandbox is in memory. */
async function startNode(deps: TestRegistry, environment: Record<string, string>) {
  const config = parseConfig({ WARM_SESSIONS: "0", CALLS_PER_MINUTE: "1000000", ...environment });
  const log = silentLogger();
  const admins = new Set(["user-root"]);
  const execution = await startExecution({
    keptValues: () => Promise.resolve([]),
    keepsValues: false,
    objects: null,
    config,
    sql: deps.sql,
    hosts: fakeHosts(),
    egressPolicy: egressPolicyOf(config),
    log,
    authenticate(authorization) {
      const subject = /^Bearer (user-\w+)$/.exec(authorization)?.[1];
      if (subject === undefined) return Promise.reject(invalidToken("It is none"));
      return Promise.resolve({ userId: subject, isAdmin: admins.has(subject) });
    },
    noteRefusal() {},
    endpoints: [],
  });
  const app = createExecutionApp({
    log,
    now,
    newId: () => crypto.randomUUID(),
    bindHost: "127.0.0.1",
    publicUrl: "http://127.0.0.1:8001",
    trustedProxies: [],
    checks: {},
    transport: execution.transport,
    issuer: "https://issuer.example",
  });
  const node: Node = {
    deps,
    admins,
    fetch: async (request) => await app.fetch(request),
    send: async (body, options) => await app.fetch(post(body, options)),
  };
  return { node, close: () => execution.close() };
}

/** Asks until the answer has this status. */
async function until(status: number, ask: () => Promise<Response>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const response = await ask();
    await response.body?.cancel();
    if (response.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No answer had the status ${status}`);
}

describeDatabases((kind, open) => {
  async function withNode(
    body: (node: Node) => Promise<void>,
    environment: Record<string, string> = {},
  ): Promise<void> {
    const database = await open();
    const deps = testRegistry(database);
    // Offers run out by the database's clock.
    deps.clock.time = now();
    try {
      await addUsers(deps.sql);
      const input = serverInput("weather", { visibility: "private" });
      await createServer(deps, alice, input, context);
      const { node, close } = await startNode(deps, environment);
      try {
        await body(node);
      } finally {
        await close();
      }
    } finally {
      await deps.jobs.close();
      await database.close();
    }
  }

  /** What is answered of a server, but for its name. */
  async function said(response: Response, name: string) {
    const body = await json(response, 404);
    return JSON.stringify(body).replaceAll(name, "NAME").replaceAll(/"request_id":"[^"]+"/g, "");
  }

  Deno.test(`a private server runs for its readers, and is not there for others (${kind})`, () =>
    withNode(async ({ deps, send }) => {
      for (const token of [undefined, "bob"]) {
        const of = (name: string) =>
          send(INITIALIZE, {
            name,
            session: `s-${token}`,
            ...(token === undefined ? {} : { token }),
          });
        assertEquals(
          await said(await of("weather"), "weather"),
          await said(await of("absent"), "absent"),
        );
      }
      await addReader(deps, alice, "weather", { user: "bob" }, context);
      for (const token of ["alice", "bob", "root"]) {
        await json(await send(INITIALIZE, { token, session: `mine-${token}` }), 200);
      }
      // Another's session is not there either.
      await json(await send(PING, { token: "carol", session: "mine-bob" }), 404);
    }));

  Deno.test(`sessions and open streams end with the right to read (${kind})`, () =>
    withNode(async ({ deps, send, fetch }) => {
      await addReader(deps, alice, "weather", { user: "bob" }, context);
      await json(await send(INITIALIZE, { token: "bob", session: "bobs" }), 200);
      await json(await send(INITIALIZE, { token: "alice", session: "alices" }), 200);
      const stream = await fetch(get("bobs", { authorization: "Bearer user-bob" }));
      assertEquals(stream.status, 200);
      const ended = stream.text();

      await removeReader(deps, alice, "weather", { user: "bob" }, context);
      await ended;
      await until(404, () => send(PING, { token: "bob", session: "bobs" }));
      await json(await send(INITIALIZE, { token: "bob", session: "bobs" }), 404);
      await json(await send(PING, { token: "alice", session: "alices" }), 200);
    }));

  Deno.test(`sessions end when a server is hidden, and when a group is left (${kind})`, () =>
    withNode(async ({ deps, send }) => {
      const show = (visibility: "public" | "internal" | "private") =>
        updateServer(deps, alice, "weather", { visibility }, context);
      await show("public");
      await json(await send(INITIALIZE, { session: "nobodys" }), 200);
      await json(await send(INITIALIZE, { token: "bob", session: "bobs" }), 200);
      await show("internal");
      await until(404, () => send(PING, { session: "nobodys" }));
      await json(await send(PING, { token: "bob", session: "bobs" }), 200);

      await addReader(deps, alice, "weather", { group: "team" }, context);
      await storeGroups(deps.sql, bob.userId, ["team"], new Date(1000));
      await show("private");
      await json(await send(PING, { token: "bob", session: "bobs" }), 200);
      await storeGroups(deps.sql, bob.userId, ["others"], new Date(2000));
      await until(404, () => send(PING, { token: "bob", session: "bobs" }));
      await json(await send(INITIALIZE, { token: "bob", session: "again" }), 404);
    }));

  Deno.test(`sessions end with an offer, and with ownership (${kind})`, () =>
    withNode(async ({ deps, send }) => {
      const begin = (token: string, status: number) =>
        send(INITIALIZE, { token, session: token }).then((response) => json(response, status));
      const gone = (token: string) => until(404, () => send(PING, { token, session: token }));
      await begin("carol", 404);
      await offerServer(deps, alice, "weather", { to: "carol" }, context);
      await begin("carol", 200);
      await cancelOffer(deps, alice, "weather", context);
      await gone("carol");
      await begin("alice", 200);
      await offerServer(deps, alice, "weather", { to: "bob" }, context);
      await acceptOffer(deps, bob, "weather", context);
      await gone("alice");
      await begin("bob", 200);
    }));

  const withdraw = async ({ deps }: Node) => {
    const change = { username: "root", isAdmin: false, actor: alice.userId };
    assert(await setAdministrator(deps.sql, { ...change, requestId: "r", at: now() }));
  };
  const makeRoot = ({ deps }: Node) =>
    deps.sql`
      insert into users (subject, username, created_at, is_admin)
      values ('user-root', 'root', now(), true)`;

  Deno.test(`sessions and open streams of an administrator end with that right (${kind})`, () =>
    withNode(async (node) => {
      const { deps, send, fetch } = node;
      await makeRoot(node);
      const shown = serverInput("shown", { visibility: "public" });
      await createServer(deps, alice, shown, context);
      await json(await send(INITIALIZE, { token: "root", session: "hidden" }), 200);
      await json(await send(INITIALIZE, { token: "root", session: "open", name: "shown" }), 200);
      const stream = await fetch(get("hidden", { authorization: "Bearer user-root" }));
      assertEquals(stream.status, 200);
      const ended = stream.text();
      // Nobody has to ask for it: what is open ends as well.
      await withdraw(node);
      await ended;
      node.admins.clear();
      await until(404, () => send(PING, { token: "root", session: "hidden" }));
      await json(await send(INITIALIZE, { token: "root", session: "again" }), 404);
      await json(await send(PING, { token: "root", session: "open", name: "shown" }), 200);
    }));

  Deno.test(`whom the configuration makes an administrator stays one (${kind})`, async () => {
    for (const variables of [{ ADMIN_SUBJECTS: "user-root" }, { ADMIN_CLAIM: "admin" }]) {
      await withNode(async (node) => {
        await makeRoot(node);
        await json(await node.send(INITIALIZE, { token: "root", session: "s" }), 200);
        await withdraw(node);
        // Told of others, too.
        await storeGroups(node.deps.sql, "user-root", ["team"], new Date(1000));
        // Messages are in order: once the last has come, so have those before it.
        await addReader(node.deps, alice, "weather", { user: "bob" }, context);
        await json(await node.send(INITIALIZE, { token: "bob", session: "bobs" }), 200);
        await removeReader(node.deps, alice, "weather", { user: "bob" }, context);
        await until(404, () => node.send(PING, { token: "bob", session: "bobs" }));
        await json(await node.send(PING, { token: "root", session: "s" }), 200);
      }, variables);
    }
  });

  Deno.test(`a token that says no more that its user is an administrator ends it (${kind})`, () =>
    withNode(async (node) => {
      const { send, admins } = node;
      await json(await send(INITIALIZE, { token: "root", session: "s" }), 200);
      admins.clear();
      const name = "weather";
      const absent = await send(INITIALIZE, { token: "root", session: "t", name: "absent" });
      assertEquals(
        await said(await send(PING, { token: "root", session: "s" }), name),
        await said(absent, "absent"),
      );
      admins.add("user-root");
      // It has ended for good.
      await json(await send(PING, { token: "root", session: "s" }), 404);
    }));

  Deno.test(`behind sign-in nothing runs without a token (${kind})`, () =>
    withNode(async ({ deps, send }) => {
      await updateServer(deps, alice, "weather", { visibility: "public" }, context);
      const refused = await send(INITIALIZE);
      assert(refused.headers.get("www-authenticate")?.startsWith("Bearer "));
      await json(refused, 401);
      await json(await send(INITIALIZE, { token: "carol" }), 200);
    }, { READ_POLICY: "signed-in" }));
});
