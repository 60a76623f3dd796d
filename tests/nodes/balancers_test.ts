/** Two real nodes behind each balancer of `deploy/`, used by the official client and by hand. */
import { assert, assertEquals } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type BalancerName, BALANCERS, isInstalled, startBalancer } from "../helpers/balancers.ts";
import { patient, sendMessage, textOf } from "../helpers/clients.ts";
import { type Cluster, startCluster } from "../helpers/cluster.ts";
import { until } from "../helpers/interpreter.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

/** How many sessions each node has begun. */
function begun({ nodes }: Cluster): number[] {
  return nodes.map((node) => node.log().split('"session.started"').length - 1);
}

/** A question that a call asks comes to the client while the call waits, or the call never ends. */
async function askedByTheWay(workerUrl: string): Promise<void> {
  const client = patient(
    new Client({ name: "walk", version: "1.0.0" }, { capabilities: { elicitation: {} } }),
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept" as const,
    content: { text: "this" },
  }));
  const transport = new StreamableHTTPClientTransport(new URL(`${workerUrl}/mcp?name=notes`));
  await client.connect(transport as unknown as Parameters<Client["connect"]>[0]);
  try {
    for (const text of ["a", "b"]) {
      await client.callTool({ name: "note", arguments: { text } });
    }
    const noted = await client.callTool({ name: "note", arguments: { text: "c" } });
    assertEquals(textOf(noted), "a,b,c");
    assertEquals(textOf(await client.callTool({ name: "ask", arguments: {} })), "this");
    await transport.terminateSession();
  } finally {
    await client.close();
  }
}

async function walk(cluster: Cluster, name: BalancerName): Promise<void> {
  await using balancer = await startBalancer(name, cluster.nodes);
  const { workerUrl } = balancer;
  await askedByTheWay(workerUrl);
  assertEquals((await fetch(`${balancer.registryUrl}/api/v1/servers/notes`)).status, 200);
  const inner = await fetch(`${workerUrl}/nodes/mcp?name=notes`, { method: "POST" });
  await inner.body?.cancel();
  assertEquals(inner.status, 404);
  const before = begun(cluster);
  const sessions = Array.from({ length: 6 }, (_, i) => `${name}-${i}`);
  for (const session of sessions) {
    const first = await cluster.note(workerUrl, session, "a");
    assertEquals(cluster.notesOf(first), "a");
    // Straight to each node, then by the balancer: it is the same session.
    let said = "a";
    for (const url of [...cluster.nodes.map((node) => node.workerUrl), workerUrl]) {
      said += ",b";
      assertEquals(cluster.notesOf(await cluster.note(url, session, "b")), said);
    }
  }
  const after = begun(cluster);
  assertEquals(after[0]! + after[1]! - before[0]! - before[1]!, sessions.length);
  for (const session of sessions) {
    const ended = await fetch(`${workerUrl}/mcp?name=notes`, {
      method: "DELETE",
      headers: { "Mcp-Session-Id": session },
    });
    assertEquals(ended.status, 204, cluster.story());
  }
}

/** A node is told to end: what it had goes on at the other, by the balancer as before. */
async function drained(cluster: Cluster): Promise<void> {
  const [first, second] = cluster.nodes;
  const sessions = ["moved-1", "moved-2", "moved-3"];
  for (const session of sessions) {
    assertEquals(cluster.notesOf(await cluster.note(second!.workerUrl, session, "a")), "a");
  }
  // What is parked already is stored in time, however busy the machine.
  const isParked = () => second!.log().split('"session.parked"').length > sessions.length;
  await until(isParked);
  const stream = await fetch(`${first!.workerUrl}/mcp?name=notes`, {
    headers: { "Mcp-Session-Id": sessions[0]!, Accept: "text/event-stream" },
  });
  const told = stream.text();
  const stopped = second!.stop();
  // The stream that goes through the other node is told to come back.
  assert((await told).includes("retry:"), await told);
  for (const session of sessions) {
    await until(async () => {
      const answer = await cluster.note(first!.workerUrl, session, "b");
      assert([200, 503].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.status === 200 && cluster.notesOf(answer) === "a,b";
    });
  }
  assertEquals(await stopped, 0, second!.log());
  // Nobody has to wait for a lease.
  const target = { server: "notes", session: "moved-1" };
  const list = await sendMessage(first!.workerUrl, target, { id: 2, method: "tools/list" });
  assertEquals(list.body.result.tools.length, 2);
}

Deno.test({
  name: "sessions of two nodes are used by balancers and directly, and outlive a node that ends",
  ignore: DATABASE === undefined,
  async fn(t) {
    await using cluster = await startCluster(2, {
      LOG_LEVEL: "debug",
      PARK_AFTER_SECONDS: "1",
      // No node is lost here, however busy the machine.
      NODE_LEASE_SECONDS: "120",
    });
    for (const name of Object.keys(BALANCERS) as BalancerName[]) {
      const there = await isInstalled(name);
      await t.step({
        name: there ? `by ${name}` : `by ${name}, which is not installed (CONTRIBUTING.md)`,
        ignore: !there,
        fn: () => walk(cluster, name),
      });
    }
    await t.step(
      "a node that is told to end gives its sessions to the other",
      () => drained(cluster),
    );
  },
});
