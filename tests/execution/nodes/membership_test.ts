import { assert, assertEquals } from "@std/assert";
import { Membership } from "../../../src/execution/nodes/membership.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { type HeldClock, heldClock } from "../harness.ts";
import { type MemoryNodes, memoryNodes } from "./memory_nodes.ts";

interface Node {
  membership: Membership;
  clock: HeldClock;
  events: () => unknown[];
  lapses: () => number;
  /** How far its time of day is ahead, and how long its timers have stood still. */
  wall: { ahead: number; stopped: number };
  /** Its way to the database. */
  network: { isCut: boolean };
}

async function startNode(nodes: MemoryNodes, name: string): Promise<Node> {
  const clock = heldClock();
  const { log, lines } = recordingLogger();
  const wall = { ahead: 0, stopped: 0 };
  const now = () => clock.now() + wall.stopped;
  const network = { isCut: false };
  let lapses = 0;
  const membership = new Membership({
    connect: () => nodes.through(network),
    clock: { ...clock, now },
    wall: () => now() + wall.ahead,
    log,
    newId: () => crypto.randomUUID(),
    url: `http://${name}.test`,
    leaseMs: 10_000,
    publicKey: new Uint8Array(32),
    onLapse() {
      lapses += 1;
      return Promise.resolve();
    },
  });
  await membership.start();
  return {
    membership,
    clock,
    wall,
    network,
    events: () => lines.map(({ event }) => event),
    lapses: () => lapses,
  };
}

async function withNodes(body: (a: Node, b: Node, nodes: MemoryNodes) => Promise<void>) {
  const nodes = memoryNodes();
  const [a, b] = [await startNode(nodes, "a"), await startNode(nodes, "b")];
  await body(a, b, nodes);
  await a.membership.close();
  await b.membership.close();
  assertEquals(nodes.rows.size, 0);
}

Deno.test("nodes that live hold what is theirs, and go when they leave", async () => {
  await withNodes(async (a, b, { rows }) => {
    const ids = [a.membership.id, b.membership.id];
    for (let i = 0; i < 30; i++) {
      await a.clock.advance(1000);
      await b.clock.advance(1000);
    }
    assertEquals([a.membership.id, b.membership.id], ids);
    assertEquals([a.membership.hold(), b.membership.hold()], [true, true]);
    assertEquals((await a.membership.peer(ids[1]!))?.url, "http://b.test");
    await b.membership.close();
    assertEquals([...rows.keys()], [ids[0]]);
    assertEquals(await a.membership.peer(crypto.randomUUID()), null);
  });
});

Deno.test("a node that stops is lost after its lease, and comes back as another", async () => {
  await withNodes(async (a, b) => {
    const id = b.membership.id;
    await b.clock.advance(2000);
    await a.clock.advance(9000);
    assert(!a.events().includes("node.lost"));
    await a.clock.advance(6000);
    assert(a.events().includes("node.lost"));
    // It wakes, and its clock has gone on; the first request comes before its timers.
    assertEquals(b.lapses(), 0);
    b.wall.stopped += 15_000;
    assertEquals(b.membership.hold(), false);
    assertEquals(b.lapses(), 1);
    await b.clock.advance(4000);
    assert(b.membership.id !== null && b.membership.id !== id);
    assertEquals(b.membership.hold(), true);
  });
});

Deno.test("a machine that slept asks before it answers, and so does one whose clock was moved", async () => {
  await withNodes(async (a, b) => {
    await b.clock.advance(2000);
    b.wall.ahead += 3_600_000;
    assertEquals(await b.membership.hold(), true);
    assertEquals(b.membership.hold(), true);
    // It sleeps so long that it is lost; its monotonic clock stood still.
    await a.clock.advance(16_000);
    b.wall.ahead += 16_000;
    assertEquals(await b.membership.hold(), false);
    assertEquals([b.lapses(), b.events().includes("node.lapsed")], [1, true]);
  });
});

Deno.test("a node that is cut off gives up before others may take what it had", async () => {
  await withNodes(async (a, b) => {
    await b.clock.advance(2000);
    b.network.isCut = true;
    let lapsedAfter = 0;
    let lostAfter = 0;
    for (let second = 1; lostAfter === 0; second++) {
      await b.clock.advance(1000);
      await a.clock.advance(1000);
      if (lapsedAfter === 0 && b.lapses() > 0) lapsedAfter = second;
      if (a.events().includes("node.lost")) lostAfter = second;
    }
    assert(lapsedAfter > 0 && lapsedAfter < lostAfter, `${lapsedAfter} ${lostAfter}`);
    assertEquals([b.membership.id, b.membership.hold()], [null, false]);
    b.network.isCut = false;
    await b.clock.advance(4000);
    assertEquals([b.membership.hold(), b.lapses()], [true, 1]);
  });
});

Deno.test("a database that is away for everybody makes nobody lose another", async () => {
  await withNodes(async (a, b, { rows }) => {
    await a.clock.advance(3000);
    await b.clock.advance(3000);
    for (const node of [a, b]) node.network.isCut = true;
    for (let second = 0; second < 20; second++) {
      await a.clock.advance(1000);
      await b.clock.advance(1000);
    }
    for (const node of [a, b]) node.network.isCut = false;
    await a.clock.advance(4000);
    await b.clock.advance(4000);
    assertEquals([a.lapses(), b.lapses()], [1, 1]);
    assert(!a.events().includes("node.lost") && !b.events().includes("node.lost"));
    assertEquals(rows.size, 2);
  });
});
