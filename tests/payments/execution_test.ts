import { now } from "../../src/clock.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import { createExecutionApp } from "../../src/http/execution_app.ts";
import { invalidToken } from "../../src/identity/failures.ts";
import { getServer } from "../../src/registry/servers/get.ts";
import { egressPolicyOf, startExecution } from "../../src/services/execution.ts";
import { executionPayment } from "../../src/services/payments.ts";
import { fakeHosts } from "../execution/fake_hosts.ts";
import { INITIALIZE, json, post, type PostOptions, rpc } from "../execution/harness.ts";
import { describeDatabases } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";
import { openPayments, type TestPayments } from "../helpers/payments.ts";

const REFUND = { type: "payment.refunded" };
const PING = rpc("ping");

interface Node extends TestPayments {
  hosts: ReturnType<typeof fakeHosts>;
  send(body: unknown, options?: PostOptions): Promise<Response>;
}

/** The execution listener over a database with a paid server; only the sandbox is in memory. */
async function startNode(payments: TestPayments, { on = true } = {}) {
  const hosts = fakeHosts();
  // Whoever waits for a notice asks often.
  const config = parseConfig({ WARM_SESSIONS: "0", CALLS_PER_MINUTE: "1000000" });
  const log = silentLogger();
  const execution = await startExecution({
    keptValues: () => Promise.resolve([]),
    keepsValues: false,
    objects: null,
    config,
    sql: payments.deps.sql,
    hosts,
    egressPolicy: egressPolicyOf(config),
    log,
    authenticate(authorization) {
      const subject = /^Bearer (user-\w+)$/.exec(authorization)?.[1];
      if (subject === undefined) return Promise.reject(invalidToken("It is none"));
      return Promise.resolve({ userId: subject, isAdmin: subject === "user-root" });
    },
    noteRefusal() {},
    checkPayment: executionPayment(on ? payments.deps : { ...payments.deps, provider: null }),
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
    ...payments,
    hosts,
    send: async (body, options) => await app.fetch(post(body, options)),
  };
  return { node, close: () => execution.close() };
}

/** Asks until the answer has this status. */
async function until(status: number, ask: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const response = await ask();
    if (response.status === status) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No answer had the status ${status}`);
}

describeDatabases((kind, open) => {
  async function withNode(
    body: (node: Node) => Promise<void>,
    options: { on?: boolean } = {},
  ): Promise<void> {
    const payments = await openPayments(await open());
    try {
      const { node, close } = await startNode(payments, options);
      try {
        await body(node);
      } finally {
        await close();
      }
    } finally {
      await payments.close();
    }
  }

  Deno.test(`a paid server is 401 without a token and 402 without a payment (${kind})`, async () => {
    await withNode(async ({ send, tell, hosts }) => {
      const nobody = await send(INITIALIZE);
      assertMatch(nobody.headers.get("www-authenticate") ?? "", /^Bearer .*resource_metadata=/);
      const missing = await json(nobody, 401);
      assertEquals([missing.jsonrpc, missing.id], ["2.0", 1]);
      assertEquals(missing.error.data.success, false);
      assertEquals(missing.error.data.error.code, "MISSING_TOKEN");
      assertStringIncludes(missing.error.data.error.details.hint, "paid");

      const refused = await json(await send(INITIALIZE, { token: "bob" }), 402);
      assertEquals(refused.id, 1);
      assertEquals(refused.error.data.status, "error");
      assertStringIncludes(refused.error.data.detail, '"weather" costs 5.00 USD');
      assertStringIncludes(refused.error.data.detail, "/api/v1/auth/me/purchases");
      assertEquals(refused.error.message, refused.error.data.detail);
      assertEquals(hosts.sessions.length, 0);

      await tell({ amount: "4.99", reference: "short" });
      await json(await send(PING, { token: "bob" }), 402);
      await tell();
      await json(await send(INITIALIZE, { token: "bob" }), 200);
      await json(await send(PING, { token: "bob" }), 200);
      // A right is its user's alone.
      await json(await send(INITIALIZE, { token: "carol", session: "s2" }), 402);
      assertEquals(hosts.sessions.length, 1);
    });
  });

  Deno.test(`owners and administrators run a paid server without paying (${kind})`, async () => {
    await withNode(async ({ send }) => {
      await json(await send(INITIALIZE, { token: "alice", session: "a" }), 200);
      await json(await send(INITIALIZE, { token: "root", session: "b" }), 200);
    });
  });

  Deno.test(`a refund ends the buyer's sessions of the server, and no others (${kind})`, async () => {
    await withNode(async ({ send, add, tell, hosts }) => {
      await add("other", { currency: "USD", amount: 5 });
      await tell();
      await tell({ reference: "pay_other", server: "other" });
      await json(await send(INITIALIZE, { token: "bob", session: "a" }), 200);
      await json(await send(INITIALIZE, { token: "bob", session: "b", name: "other" }), 200);
      await json(await send(INITIALIZE, { token: "alice", session: "c" }), 200);
      await tell(REFUND);
      await json(await until(404, () => send(PING, { token: "bob", session: "a" })), 404);
      assert(hosts.sessions[0]!.closed);
      await json(await send(INITIALIZE, { token: "bob", session: "a" }), 402);
      await json(await send(PING, { token: "bob", session: "b", name: "other" }), 200);
      await json(await send(PING, { token: "alice", session: "c" }), 200);
    });
  });

  Deno.test(`a session continues while another payment for the server exists (${kind})`, async () => {
    await withNode(async ({ send, tell, hosts }) => {
      await tell();
      await tell({ reference: "pay_2" });
      await json(await send(INITIALIZE, { token: "bob" }), 200);
      await tell(REFUND);
      await tell({ ...REFUND, reference: "unknown" });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await json(await send(PING, { token: "bob" }), 200);
      await tell({ ...REFUND, reference: "pay_2" });
      await json(await until(404, () => send(PING, { token: "bob" })), 404);
      assert(hosts.sessions[0]!.closed);
    });
  });

  Deno.test(`while payments are off a priced server runs free, and its record says so (${kind})`, async () => {
    await withNode(async ({ send, registry }) => {
      await json(await send(INITIALIZE), 200);
      for (const payments of [false, true]) {
        const { server, etag } = await getServer(
          { ...registry, policy: { payments } },
          "weather",
          null,
        );
        assertEquals(server.payment_required, payments);
        assertEquals(server.pricing, { currency: "USD", amount: 5 });
        assert(etag);
      }
    }, { on: false });
  });
});
