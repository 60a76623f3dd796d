/**
 * The network between nodes, and from a node to everything else, is cut: by network namespaces, where
 * packets are lost and nobody is told, or, where the system lets nobody make those, by the ways that
 * pass on what nodes send.
 */
import { assert, assertEquals } from "@std/assert";
import { initializeAs, sendMessage } from "../helpers/clients.ts";
import { type Cluster, type ClusterNode, startCluster } from "../helpers/cluster.ts";
import { until } from "../helpers/interpreter.ts";
import { LONG } from "./harness.ts";
import { type Network, openNetwork, type Place } from "../helpers/net_namespaces.ts";

const LEASE_SECONDS = LONG ? 20 : 6;
/** A node that cannot be reached is told of sooner than clients give up. */
const TOLD_WITHIN_MS = 20_000;

const INITIALIZE = initializeAs("faults");

/** Two nodes whose network may be cut. */
interface Bench {
  cluster: Cluster;
  first: ClusterNode;
  second: ClusterNode;
  /** The second node alone, from everything; or its way back. */
  cut(isCut: boolean): Promise<void>;
  /** The two from each other, and from nothing else. */
  part(isApart: boolean): Promise<void>;
}

/** Adds a note by `node`; 503 says when to ask again, and comes in time. */
async function ask({ cluster }: Bench, node: ClusterNode, session: string, text: string) {
  const begun = performance.now();
  const answer = await cluster.note(node.workerUrl, session, text);
  if (answer.status === 503) {
    assert(Number(answer.headers.get("retry-after")) > 0, "503 without Retry-After");
    assert(performance.now() - begun < TOLD_WITHIN_MS, "It took too long to say so");
  }
  return answer;
}

/** Adds a note once `node` can, after which the session has `notes`. */
async function note(bench: Bench, node: ClusterNode, [session, text, notes]: string[]) {
  await until(async () => {
    const answer = await ask(bench, node, session!, text!);
    if (answer.status === 503) return false;
    assertEquals(bench.cluster.notesOf(answer), notes);
    return true;
  });
}

async function begin(node: ClusterNode, session: string): Promise<void> {
  await until(async () => {
    const { status } = await sendMessage(node.workerUrl, { server: "notes", session }, INITIALIZE);
    assert([200, 503].includes(status), `${status}`);
    return status === 200;
  });
}

function hasSaid(node: ClusterNode, event: string): boolean {
  return node.log().includes(`"${event}"`);
}

/**
 * The node ends its sessions by itself before another may take them, although nobody can tell it to;
 * and once it is back it hands on what is asked of it.
 */
async function cutOff(bench: Bench): Promise<void> {
  const { cluster, first, second, cut } = bench;
  await note(bench, second, ["alone", "a", "a"]);
  await note(bench, first, ["alone", "b", "a,b"]);
  await cut(true);
  try {
    await until(async () => {
      const { status, body } = await ask(bench, first, "alone", "lost");
      assert([404, 503].includes(status), `${status} ${JSON.stringify(body)}`);
      return status === 404;
    });
    assert(hasSaid(second, "node.lapsed"), "Two nodes had the session");
    await begin(first, "alone");
    await note(bench, first, ["alone", "new", "new"]);
  } finally {
    await cut(false);
  }
  await note(bench, second, ["alone", "again", "new,again"]);
  assert(!hasSaid(first, "node.lapsed"), cluster.story());
}

/** Who has the session serves it; who does not says that it cannot, and nothing is run twice. */
async function apart(bench: Bench): Promise<void> {
  const { first, second, part } = bench;
  await note(bench, second, ["far", "a", "a"]);
  await note(bench, first, ["far", "b", "a,b"]);
  await part(true);
  try {
    assertEquals((await ask(bench, first, "far", "x")).status, 503);
    await note(bench, second, ["far", "c", "a,b,c"]);
    // Long enough for either to be missed, if that were a reason.
    await new Promise((resolve) => setTimeout(resolve, LEASE_SECONDS * 1200));
    assertEquals((await ask(bench, first, "far", "x")).status, 503);
    await note(bench, second, ["far", "d", "a,b,c,d"]);
  } finally {
    await part(false);
  }
  await note(bench, first, ["far", "e", "a,b,c,d,e"]);
}

/** It comes and goes while calls are under way: each is run once, or not at all. */
async function flapping(bench: Bench): Promise<void> {
  const { first, second, part } = bench;
  await note(bench, second, ["flaps", "begun", "begun"]);
  const answered: string[] = [];
  let [isOver, number] = [false, 0];
  const calling = (async () => {
    while (!isOver) {
      const text = `n${++number}`;
      const { status, body } = await ask(bench, first, "flaps", text);
      assert([200, 502, 503].includes(status), `${status} ${JSON.stringify(body)}`);
      if (status === 200) answered.push(text);
    }
  })();
  try {
    for (let turn = 0; turn < 4; turn++) {
      await part(true);
      await new Promise((resolve) => setTimeout(resolve, 700));
      await part(false);
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    const before = answered.length;
    await until(() => answered.length > before);
  } finally {
    isOver = true;
    await part(false);
    await calling;
  }
  const last = await bench.cluster.note(second.workerUrl, "flaps", "end");
  const notes = bench.cluster.notesOf(last).split(",");
  assertEquals(notes.length, new Set(notes).size, notes.join());
  for (const text of answered) assert(notes.includes(text), `${text} is not in ${notes.join()}`);
}

/** Nodes in places of their own; they run what the cluster's first node registered. */
async function inPlaces(cluster: Cluster, network: Network): Promise<Bench> {
  const places: Place[] = [await network.add(), await network.add()];
  const [first, second] = await Promise.all(
    places.map((place) =>
      cluster.add({ ROLE: "worker" }, { elsewhere: { place, machine: network.address } })
    ),
  ) as [ClusterNode, ClusterNode];
  return {
    cluster,
    first,
    second,
    cut: (isCut) => places[1]!.plug(!isCut),
    part: async (isApart) => {
      for (const place of places) await place.setApart(isApart);
    },
  };
}

/** Nodes of this machine, with ways between them. */
async function byWays(cluster: Cluster): Promise<Bench> {
  const first = cluster.nodes[0]!;
  const second = await cluster.add();
  return {
    cluster,
    first,
    second,
    cut(isCut) {
      const { database, node } = second.ways;
      isCut ? database.stall() : database.mend();
      isCut ? node.cut() : node.mend();
      return Promise.resolve();
    },
    part(isApart) {
      for (const { ways: { node } } of [first, second]) isApart ? node.cut() : node.mend();
      return Promise.resolve();
    },
  };
}

Deno.test({
  name: "a network that is cut between nodes leaves one session, one answer, and no doubt",
  ignore: Deno.env.get("TEST_DATABASE_URL") === undefined,
  async fn(t) {
    await using stack = new AsyncDisposableStack();
    const network = await openNetwork();
    if (typeof network !== "string") stack.use(network);
    const cluster = stack.use(
      await startCluster(1, { NODE_LEASE_SECONDS: String(LEASE_SECONDS) }),
    );
    const bench = typeof network === "string"
      ? await byWays(cluster)
      : await inPlaces(cluster, network);
    const how = typeof network === "string" ? `by ways, as ${network}` : "by namespaces";
    const steps: [string, (bench: Bench) => Promise<void>][] = [
      ["nodes cannot reach each other", apart],
      ["nodes lose each other again and again", flapping],
      ["a node is cut off from everything", cutOff],
    ];
    for (const [name, fn] of steps) {
      await t.step(`${name}, ${how}`, () =>
        fn(bench).catch((error) => {
          throw new Error(cluster.story(), { cause: error });
        }));
    }
  },
});
