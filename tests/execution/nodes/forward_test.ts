import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  digestOf,
  issue,
  NODE_HEADER,
  NODE_PATH,
  passedHeaders,
  type Passport,
} from "../../../src/execution/nodes/passport.ts";
import type { PlainOutcome } from "../../helpers/plain_json.ts";
import type { Sql } from "../../../src/database/client.ts";
import { createKeys, type NodeKeys } from "../../../src/execution/nodes/keys.ts";
import { nodeStore } from "../../../src/execution/nodes/store.ts";
import { until } from "../../helpers/interpreter.ts";
import { describeNodes, openEmbeddedNodes } from "../../helpers/nodes.ts";
import { eventsOf, INITIALIZE, json, rpc } from "../harness.ts";
import { type TestNode, withNodes } from "./test_nodes.ts";

const LIST = rpc("tools/list");

/** Sessions that run. */
function live(...nodes: TestNode[]): number {
  return nodes.flatMap(({ hosts }) => hosts.sessions).filter(({ closed }) => !closed).length;
}

describeNodes((kind, open) => {
  Deno.test(`a session is one, whichever node is asked, until it is ended at any (${kind})`, async () => {
    const { nodes, close } = await open();
    await withNodes(nodes, {}, async (a, b) => {
      await json(await a.send("s1", INITIALIZE, "ann"), 200);
      const { result } = await json(await b.send("s1", LIST, "ann"), 200);
      assertEquals(result, { tools: [] });
      assertEquals([a.hosts.sessions.length, b.hosts.sessions.length], [1, 0]);
      // Whose it is, is known there.
      assertEquals((await b.send("s1", LIST, "bob")).status, 404);
      assertEquals((await b.send("s1", LIST)).status, 404);
      const headers = { "mcp-session-id": "s1", authorization: "Bearer user-ann" };
      assertEquals((await b.request({ method: "DELETE", headers })).status, 204);
      assertEquals([live(a, b), (await b.send("s1", LIST, "ann")).status], [0, 404]);
      await json(await b.send("s1", INITIALIZE, "ann"), 200);
      assertEquals([live(a), live(b)], [0, 1]);
    });
    await close();
  });

  Deno.test(`of first requests that come to two nodes at once one begins a session (${kind})`, async () => {
    const { nodes, close } = await open();
    await withNodes(nodes, {}, async (a, b) => {
      for (let turn = 0; turn < 10; turn++) {
        const answers = await Promise.all(
          (turn % 2 ? [a, b, a, b] : [b, a, b, a]).map((node) => node.send(`s${turn}`, LIST)),
        );
        for (const answer of answers) await json(answer, 200);
        assertEquals(live(a, b), turn + 1);
      }
    });
    await close();
  });
});

Deno.test("streams of another node come as they are said, and end with their client", async () => {
  const { nodes, close } = await openEmbeddedNodes();
  const held = Promise.withResolvers<PlainOutcome>();
  const server = {
    answer: (method: string): PlainOutcome | Promise<PlainOutcome> =>
      method === "tools/call" ? held.promise : { kind: "result", result: {} },
  };
  await withNodes(nodes, { server }, async (a, b) => {
    await json(await a.send("s1", INITIALIZE), 200);
    const headers = { "mcp-session-id": "s1", accept: "text/event-stream" };
    const stream = eventsOf(await b.request({ headers }));
    const { input } = a.hosts.sessions[0]!;
    input.onNotification({
      method: "notifications/tools/list_changed",
      params: {},
      requestId: null,
    });
    const first = await stream.next();
    const said = first?.message === undefined ? await stream.next() : first;
    assertEquals(said?.message.method, "notifications/tools/list_changed");
    assertEquals((await a.request({ headers })).status, 409);
    await stream.leave();
    await until(async () => {
      const again = await a.request({ headers });
      await again.body?.cancel();
      return again.status === 200;
    });

    const calling = b.request({
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(rpc("tools/call", { name: "x", _meta: { progressToken: "p" } }, 7)),
    });
    await until(() => a.hosts.sessions[0]!.requests.some(({ method }) => method === "tools/call"));
    input.onNotification({
      method: "notifications/progress",
      params: { progressToken: "p", progress: 1 },
      requestId: 7,
    });
    const call = eventsOf(await calling);
    const messages: string[] = [];
    while (messages.length === 0) {
      const event = await call.next();
      if (event?.message !== undefined) messages.push(event.message.method);
    }
    held.resolve({ kind: "result", result: { content: [] } });
    for (const event of await call.rest()) messages.push(event.message.id);
    assertEquals(messages, ["notifications/progress", 7]);
  });
  await close();
});

Deno.test("a node that has gone is missed: its sessions are 503, then 404, and begin anew", async () => {
  const { nodes, close } = await openEmbeddedNodes();
  await withNodes(nodes, { leaseMs: 2000 }, async (a, b) => {
    await json(await a.send("s1", INITIALIZE), 200);
    await a.kill();
    const early = await b.send("s1", LIST);
    await early.body?.cancel();
    assertEquals([early.status, early.headers.get("retry-after")], [503, "2"]);
    await until(async () => {
      const answer = await b.send("s1", LIST);
      await answer.body?.cancel();
      return answer.status === 404;
    });
    await json(await b.send("s1", INITIALIZE), 200);
    // It has ended what it had by itself, before.
    assertEquals([live(a), live(b)], [0, 1]);
    assert(a.lines.some(({ event }) => event === "node.lapsed"));
  });
  await close();
});

/** A node that signs what a test wants. */
interface Sender {
  id: string;
  keys: NodeKeys;
}

async function joined(sql: Sql): Promise<Sender> {
  const keys = await createKeys();
  const id = crypto.randomUUID();
  const { publicKey } = keys;
  await nodeStore(sql).join({ id, url: "http://sender.test", publicKey, leaseMs: 60_000 }, null);
  return { id, keys };
}

/** A request as a node would forward it to `b`, with what is changed of it. */
async function forwarded(
  sender: Sender,
  b: TestNode,
  change: Partial<Passport> = {},
  sent: { headers?: Record<string, string>; body?: string; query?: string } = {},
): Promise<Response> {
  const query = "?name=weather";
  const body = JSON.stringify(LIST);
  const headers = new Headers({
    accept: "*/*",
    "content-type": "application/json",
    "mcp-session-id": "s1",
  });
  const passport = await issue(sender.keys, {
    from: sender.id,
    to: b.membership.id!,
    beat: b.membership.beat,
    nonce: crypto.randomUUID(),
    method: "POST",
    target: NODE_PATH + query,
    headers: await digestOf(JSON.stringify(passedHeaders(headers))),
    body: await digestOf(body),
    userId: null,
    isAdmin: false,
    address: "192.0.2.1",
    ...change,
  });
  headers.set(NODE_HEADER, passport);
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  return await fetch(b.url + NODE_PATH + (sent.query ?? query), {
    method: "POST",
    headers,
    body: sent.body ?? body,
  });
}

Deno.test("nobody but a node is believed, once, for what it has signed", async () => {
  const { nodes, close } = await openEmbeddedNodes();
  await withNodes(nodes, {}, async (a, b) => {
    const sender = await joined(nodes[0]);
    await json(await b.send("s1", INITIALIZE), 200);
    await json(await forwarded(sender, b), 200);
    const nonce = crypto.randomUUID();
    await json(await forwarded(sender, b, { nonce }), 200);
    const refused = [
      forwarded(sender, b, { nonce }),
      forwarded(sender, b, { from: crypto.randomUUID() }),
      forwarded(sender, b, { from: b.membership.id! }),
      forwarded(sender, b, { to: a.membership.id! }),
      forwarded(sender, b, { beat: b.membership.beat + 6 }),
      forwarded(sender, b, { method: "GET" }),
      forwarded(sender, b, {}, { query: "?name=other" }),
      forwarded(sender, b, {}, { headers: { "mcp-session-id": "s2" } }),
      forwarded(sender, b, {}, { headers: { "mcp-server-env-key": "x" } }),
      forwarded(sender, b, {}, { headers: { [NODE_HEADER]: "x" } }),
      forwarded(sender, b, {}, { headers: { [NODE_HEADER]: "" } }),
    ];
    for (const answer of await Promise.all(refused)) {
      assertMatch((await json(answer, 404)).error.message, /./);
    }
    // Its body was signed, too; what it said is not run.
    const changed = await forwarded(sender, b, {}, { body: JSON.stringify(rpc("tools/call")) });
    assertEquals(changed.status, 421);
    assertEquals(b.hosts.sessions[0]!.requests.length, 2);
  });
  await close();
});

Deno.test("what was forwarded is forwarded no further", async () => {
  const { nodes, close } = await openEmbeddedNodes();
  await withNodes(nodes, {}, async (a, b) => {
    await json(await a.send("s1", INITIALIZE), 200);
    const answer = await forwarded(await joined(nodes[0]), b);
    assertEquals([answer.status, await answer.text()], [421, ""]);
    assertEquals([a.hosts.sessions[0]!.requests.length, b.hosts.sessions.length], [0, 0]);
  });
  await close();
});
