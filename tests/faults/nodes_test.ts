/**
 * Faults of nodes that share sessions, with real processes: whatever happens, a session is at one
 * node, an answer is of that session, and everything goes on by itself.
 */
import { assert, assertEquals } from "@std/assert";
import { type Cluster, type ClusterNode, startCluster } from "../helpers/cluster.ts";
import { initializeAs, sendMessage } from "../helpers/clients.ts";
import { until } from "../helpers/interpreter.ts";
import { descendants, textOf } from "../helpers/processes.ts";
import { LONG } from "./harness.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");

const INITIALIZE = initializeAs("faults");

/** Begins the session anew. */
async function begin(url: string, session: string): Promise<void> {
  await until(async () => {
    const { status, body } = await sendMessage(url, { server: "notes", session }, INITIALIZE);
    // Its node may not be missed yet.
    assert([200, 503].includes(status), `${status} ${JSON.stringify(body)}`);
    return status === 200;
  });
}

/** Adds a note, of which all that there are must be `notes` then; waits while that is 503. */
async function noteUntil(cluster: Cluster, url: string, [session, text, notes]: string[]) {
  await until(async () => {
    const answer = await cluster.note(url, session!, text!);
    if (answer.status === 503) return false;
    assertEquals(cluster.notesOf(answer), notes);
    return true;
  });
}

/** Asks until the session is not found; meanwhile its node is missed, and nothing else is said. */
async function untilLost(cluster: Cluster, url: string, session: string): Promise<void> {
  await until(async () => {
    const { status, body } = await cluster.note(url, session, "lost");
    assert([404, 503].includes(status), `${status} ${JSON.stringify(body)}`);
    return status === 404;
  });
}

function hasSaid(node: ClusterNode, event: string): boolean {
  return node.log().includes(`"${event}"`);
}

function signal({ mainPid }: ClusterNode, name: Deno.Signal): void {
  Deno.kill(mainPid, name);
}

/** `node` is killed: the other goes on, and takes over what is asked for. */
async function killed(cluster: Cluster, other: ClusterNode, node: ClusterNode): Promise<void> {
  const hosts = await descendants(node.mainPid);
  assert(hosts.length > 0);
  assertEquals(cluster.notesOf(await cluster.note(other.workerUrl, "stays", "a")), "a");
  assertEquals(cluster.notesOf(await cluster.note(node.workerUrl, "dies", "a")), "a");
  assertEquals(cluster.notesOf(await cluster.note(other.workerUrl, "dies", "b")), "a,b");
  signal(node, "SIGKILL");
  assertEquals(cluster.notesOf(await cluster.note(other.workerUrl, "stays", "b")), "a,b");
  await untilLost(cluster, other.workerUrl, "dies");
  await begin(other.workerUrl, "dies");
  await noteUntil(cluster, other.workerUrl, ["dies", "c", "c"]);
  assert(cluster.nodes.some((each) => hasSaid(each, "node.lost")));
  // Nothing of its servers runs on.
  await until(async () =>
    (await Promise.all(hosts.map((pid) => textOf(`/proc/${pid}/cmdline`)))).every((text) =>
      text === ""
    )
  );
}

/** `node` stops for longer than its lease, and comes back. */
async function stopped(cluster: Cluster, other: ClusterNode, node: ClusterNode): Promise<void> {
  assertEquals(cluster.notesOf(await cluster.note(node.workerUrl, "stops", "old")), "old");
  signal(node, "SIGSTOP");
  let late: ReturnType<Cluster["note"]>;
  try {
    late = cluster.note(node.workerUrl, "stops", "late");
    await untilLost(cluster, other.workerUrl, "stops");
    await begin(other.workerUrl, "stops");
    await noteUntil(cluster, other.workerUrl, ["stops", "new", "new"]);
  } finally {
    signal(node, "SIGCONT");
  }
  // What came while it was stopped is answered by the session that there is now, or not at all.
  const { status, body } = await late;
  const isAnswered = status === 200;
  assert(isAnswered || status === 503, `${status} ${JSON.stringify(body)}`);
  const before = isAnswered ? "new,late" : "new";
  if (isAnswered) assertEquals(body.result.content[0].text, before);
  await noteUntil(cluster, node.workerUrl, ["stops", "again", `${before},again`]);
  assert(hasSaid(node, "node.lapsed"));
}

/** The database is away for both, for less than a lease. */
async function withoutDatabase(cluster: Cluster, nodes: ClusterNode[]): Promise<void> {
  const [first, second] = nodes;
  await noteUntil(cluster, first!.workerUrl, ["keeps", "a", "a"]);
  for (const { ways } of nodes) ways.database.cut();
  try {
    // Who has the session needs no database for it.
    assertEquals(cluster.notesOf(await cluster.note(first!.workerUrl, "keeps", "b")), "a,b");
    // Another does not know where it is, and says so.
    assertEquals((await cluster.note(second!.workerUrl, "keeps", "x")).status, 503);
  } finally {
    for (const { ways } of nodes) ways.database.mend();
  }
  await noteUntil(cluster, first!.workerUrl, ["keeps", "c", "a,b,c"]);
  await noteUntil(cluster, second!.workerUrl, ["keeps", "d", "a,b,c,d"]);
}

/** `node` alone cannot reach the database, for longer than its lease. */
async function cutOff(cluster: Cluster, other: ClusterNode, node: ClusterNode): Promise<void> {
  await noteUntil(cluster, node.workerUrl, ["parts", "old", "old"]);
  node.ways.database.stall();
  try {
    // Until it gives the session up, that is the one that there is.
    let notes = "old";
    await until(async () => {
      const { status, body } = await cluster.note(other.workerUrl, "parts", "still");
      assert([200, 404, 503].includes(status), `${status} ${JSON.stringify(body)}`);
      if (status === 200) assertEquals(body.result.content[0].text, notes += ",still");
      return status === 404;
    });
    await begin(other.workerUrl, "parts");
    await noteUntil(cluster, other.workerUrl, ["parts", "new", "new"]);
  } finally {
    node.ways.database.mend();
  }
  await noteUntil(cluster, node.workerUrl, ["parts", "again", "new,again"]);
}

/** Both reach the database, but not each other. */
async function apart(cluster: Cluster, other: ClusterNode, node: ClusterNode): Promise<void> {
  await noteUntil(cluster, node.workerUrl, ["far", "a", "a"]);
  node.ways.node.cut();
  try {
    assertEquals((await cluster.note(other.workerUrl, "far", "x")).status, 503);
    assertEquals(cluster.notesOf(await cluster.note(node.workerUrl, "far", "b")), "a,b");
  } finally {
    node.ways.node.mend();
  }
  await noteUntil(cluster, other.workerUrl, ["far", "c", "a,b,c"]);
}

/** What is asked comes through, and what is answered does not. */
async function oneWay(cluster: Cluster, other: ClusterNode, node: ClusterNode): Promise<void> {
  await noteUntil(cluster, node.workerUrl, ["heard", "a", "a"]);
  await noteUntil(cluster, other.workerUrl, ["heard", "b", "a,b"]);
  node.ways.node.loseAnswers();
  const lost = cluster.note(other.workerUrl, "heard", "c");
  try {
    // It is run, once, by whoever has the session.
    let said = "a,b";
    await until(async () => {
      said = cluster.notesOf(await cluster.note(node.workerUrl, "heard", "d"));
      return said.includes("c");
    });
    assertEquals(said.split("c").length, 2, said);
  } finally {
    node.ways.node.mend();
  }
  const { status, body } = await lost;
  assert([502, 503].includes(status), `${status} ${JSON.stringify(body)}`);
  const after = cluster.notesOf(await cluster.note(other.workerUrl, "heard", "e"));
  assertEquals(after.split("c").length, 2, after);
}

/** All are killed at once, and one starts: what was is not found, and begins anew. */
async function allKilled(cluster: Cluster, nodes: ClusterNode[]): Promise<void> {
  assertEquals(cluster.notesOf(await cluster.note(nodes[0]!.workerUrl, "gone", "a")), "a");
  for (const node of nodes) signal(node, "SIGKILL");
  const next = await cluster.add();
  await untilLost(cluster, next.workerUrl, "gone");
  await begin(next.workerUrl, "gone");
  await noteUntil(cluster, next.workerUrl, ["gone", "b", "b"]);
}

Deno.test({
  name: "nodes that share sessions bear what befalls them",
  ignore: DATABASE === undefined,
  async fn(t) {
    await using cluster = await startCluster(3, {
      // So long that no node is missed because the machine is busy.
      NODE_LEASE_SECONDS: LONG ? "20" : "8",
    });
    const [first, second, third] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
    const steps: [string, () => Promise<void>][] = [
      ["nodes cannot reach each other", () => apart(cluster, first, second)],
      ["answers between nodes are lost", () => oneWay(cluster, first, second)],
      ["the database is away for a moment", () => withoutDatabase(cluster, [first, second])],
      ["a node cannot reach the database", () => cutOff(cluster, first, second)],
      ["a node stops for longer than its lease", () => stopped(cluster, first, second)],
      ["a node is killed", () => killed(cluster, first, third)],
      ["all nodes are killed", () => allKilled(cluster, [first, second])],
    ];
    for (const [name, fn] of steps) {
      await t.step(name, () =>
        fn().catch((error) => {
          throw new Error(cluster.story(), { cause: error });
        }));
    }
  },
});
