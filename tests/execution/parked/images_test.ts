import { assertEquals } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { IMAGE_MAX_BYTES, type ImageContent } from "../../../src/execution/images/content.ts";
import { imageRows } from "../../../src/execution/parked/image_rows.ts";
import { createSharedImages } from "../../../src/execution/parked/images.ts";
import { storeBounds } from "../../../src/execution/parked/bounds.ts";
import { parkedStore } from "../../../src/execution/parked/store.ts";
import { sessionStore } from "../../../src/execution/sessions/store.ts";
import type { Sql } from "../../../src/database/client.ts";
import { recordingLogger } from "../../helpers/log.ts";
import { describeNodes, openEmbeddedNodes } from "../../helpers/nodes.ts";
import { testSealer } from "./memory_depot.ts";

const MB = 2 ** 20;
const MINUTE = 60_000;
const NOON = Date.parse("2026-01-01T12:00:00Z");

/** Images of a node, by digest, in place of files that are checked. */
function nodeImages(contents: Record<string, ImageContent> = {}) {
  const images = new Map(Object.entries(contents));
  const received: string[] = [];
  return {
    images,
    received,
    use: () => Promise.resolve(true),
    named: (digest: string) => images.has(digest) ? `name of ${digest}` : null,
    content: (name: string) => Promise.resolve(images.get(name.replace("name of ", "")) ?? null),
    receive(digest: string, content: ImageContent) {
      received.push(digest);
      if (content.description !== digest) return Promise.reject(new Error("Not that image"));
      images.set(digest, content);
      return Promise.resolve();
    },
  };
}

function contentOf(description: string, bytes = 3 * MB): ImageContent {
  return { description, bytes: crypto.getRandomValues(new Uint8Array(64)).slice(0, bytes) };
}

async function node(
  sql: Sql,
  { key = 1, images = nodeImages(), maxBytes = 64 * MB, at = NOON, client = "ann" } = {},
) {
  const { log, lines } = recordingLogger();
  let passed = 0;
  const clock = { date: () => new Date(at + passed), now: () => passed };
  const sealer = await testSealer(key);
  const rows = imageRows(sql, 64 * MB);
  const bounds = storeBounds(maxBytes);
  const shared = createSharedImages({ rows, sealer, images, bounds, clock, log });
  return {
    put: (digest: string, by = client) => shared.put(digest, by),
    get: (digest: string, by = client) => shared.get(digest, by),
    prune: shared.prune,
    later: (ms: number) => passed += ms,
    rows,
    sealer,
    images,
    lines,
  };
}

async function rowsIn(sql: Sql): Promise<number[]> {
  const [found] = await sql<[{ images: number; parts: number }]>`
    select (select count(*)::int from parked_images) as images,
      (select count(*)::int from parked_image_parts) as parts`;
  return [found.images, found.parts];
}

describeNodes((kind, open) => {
  Deno.test(`a node gets the images of another once, as they were (${kind})`, async () => {
    const { nodes: [a, b], close } = await open();
    try {
      const random = new Uint8Array(2 * MB + 17);
      for (let at = 0; at < random.length; at += 65536) {
        crypto.getRandomValues(random.subarray(at, at + 65536));
      }
      const content = { description: "large", bytes: random };
      const first = await node(a, { images: nodeImages({ large: content }) });
      const both = await Promise.all([first.put("large"), first.put("large")]);
      assertEquals([...both, await first.put("large")], ["stored", "stored", "stored"]);
      assertEquals(await rowsIn(a), [1, 3]);
      const second = await node(b);
      const gets = await Promise.all([second.get("large"), second.get("large")]);
      assertEquals(gets, ["here", "here"]);
      assertEquals(second.images.received, ["large"]);
      assertEquals(second.images.images.get("large"), content);
      assertEquals([await second.get("absent"), await first.put("absent")], ["absent", "image"]);
    } finally {
      await close();
    }
  });

  Deno.test(`images go when no stored session has needed them for an hour (${kind})`, async () => {
    const { nodes: [sql], close } = await open();
    try {
      const images = nodeImages({ needed: contentOf("needed"), other: contentOf("other") });
      const { put, prune, rows } = await node(sql, { images });
      const row = {
        id: "s",
        instance: crypto.randomUUID(),
        server: "weather",
        archiveSha256: "a".repeat(64),
        userId: null,
        client: "c",
        runtime: "r",
        image: "needed",
        keyId: "key",
        expiresAt: new Date(NOON + 999 * MINUTE),
      };
      await sessionStore(sql).begin(row, new Date(NOON));
      await put("needed");
      await put("other");
      const bounds = { maxBytes: MB, maxClientBytes: MB };
      assertEquals(await parkedStore(sql, MB).put(row, new Uint8Array(9), bounds), "stored");
      const there = async () =>
        await Promise.all(
          ["needed", "other"].map(async (each) => (await rows.keysOf(each)).length > 0),
        );
      await prune(new Date(NOON + 59 * MINUTE));
      assertEquals(await there(), [true, true]);
      await prune(new Date(NOON + 61 * MINUTE));
      assertEquals(await there(), [true, false]);
      await parkedStore(sql, MB).drop(row);
      // A session that is stored now needs it again.
      await (await node(sql, { images, at: NOON + 61 * MINUTE })).put("needed");
      await prune(new Date(NOON + 120 * MINUTE));
      assertEquals(await there(), [true, false]);
      await prune(new Date(NOON + 122 * MINUTE));
      assertEquals(await rowsIn(sql), [0, 0]);
    } finally {
      await close();
    }
  });
});

Deno.test("images and sessions share the room: images have half, and so has each client", async () => {
  const { nodes: [sql], close } = await openEmbeddedNodes();
  try {
    const images = nodeImages(
      Object.fromEntries(
        ["one", "two", "three"].map((name) => [name, {
          description: name,
          bytes: crypto.getRandomValues(new Uint8Array(40_000)),
        }]),
      ),
    );
    const { put, later } = await node(sql, { images, maxBytes: 200_000 });
    assertEquals([await put("one"), await put("two"), await put("three", "bob")], [
      "stored",
      "stored",
      "full",
    ]);
    const row = (client: string) => ({
      id: `s ${client}`,
      instance: crypto.randomUUID(),
      server: "weather",
      archiveSha256: "a".repeat(64),
      userId: null,
      client,
      runtime: "r",
      image: null,
      keyId: "key",
      expiresAt: new Date(NOON + 999 * MINUTE),
    });
    const store = parkedStore(sql, MB);
    const [ann, bob] = [row("ann"), row("bob")];
    for (const each of [ann, bob]) await sessionStore(sql).begin(each, new Date(NOON));
    const bounds = { maxBytes: 200_000, maxClientBytes: 100_000 };
    // What ann's sessions needed counts as hers.
    assertEquals(await store.put(ann, new Uint8Array(25_000), bounds), "full");
    assertEquals(await store.put(bob, new Uint8Array(95_000), bounds), "stored");
    assertEquals(await store.put(bob, new Uint8Array(98_000), bounds), "stored");
    // What had no room is not packed again at once.
    await sql`delete from parked_images`;
    await sql`delete from parked_sessions`;
    assertEquals(await put("three", "bob"), "full");
    later(61_000);
    assertEquals(await put("three", "bob"), "stored");
  } finally {
    await close();
  }
});

Deno.test("an image opens under the operator's key, for its digest and within its size alone", async () => {
  const { nodes: [sql], close } = await openEmbeddedNodes();
  try {
    const content = contentOf("image");
    const first = await node(sql, { images: nodeImages({ image: content, other: content }) });
    await first.put("image");
    const got = async (digest: string, key = 1) => await (await node(sql, { key })).get(digest);
    assertEquals([await got("image"), await got("image", 2)], ["here", "absent"]);
    // A node with another newest key stores its own beside it.
    const rotated = await node(sql, { key: 2, images: nodeImages({ image: content }) });
    assertEquals(await rotated.put("image"), "stored");
    assertEquals([await got("image"), await got("image", 2)], ["here", "here"]);
    // Who has the database puts it in another's place.
    const keyId = (await testSealer(1)).keyId;
    await sql`
      insert into parked_images
      select 'other ' || key_id, 'other', key_id, client, size, used_at
      from parked_images where key_id = ${keyId}`;
    await sql`
      insert into parked_image_parts
      select 'other ' || ${keyId}::text, part, bytes from parked_image_parts
      where id = ${`image ${keyId}`}`;
    assertEquals(await got("other"), "absent");
    await sql`update parked_image_parts set bytes = set_byte(bytes, 20, 255 - get_byte(bytes, 20))`;
    assertEquals(await got("image"), "absent");
    // One that was sealed, but unpacks without end.
    const { sealer, rows } = first;
    const bomb = zstdCompressSync(new Uint8Array(IMAGE_MAX_BYTES + 1));
    const sealed = await sealer.seal(bomb, JSON.stringify(["image of parked sessions", "bomb"]));
    const bounds = { maxBytes: MB, maxClientBytes: MB, maxImageBytes: MB };
    await rows.put("bomb", { keyId, sealed }, { client: "ann", bounds, now: new Date(NOON) });
    assertEquals(await got("bomb"), "absent");
    await sql`update parked_images set size = ${65 * MB}`;
    assertEquals(await got("image", 2), "absent");
  } finally {
    await close();
  }
});

Deno.test("images are fetched one after the other, and what failed is left for a minute", async () => {
  const { nodes: [sql], close } = await openEmbeddedNodes();
  try {
    const names = ["a", "b", "c", "d"];
    const all = Object.fromEntries(names.map((name) => [name, contentOf(name)]));
    const first = await node(sql, { images: nodeImages(all) });
    for (const name of names) await first.put(name);
    let now = 0;
    let most = 0;
    let hasRoom = false;
    const images = nodeImages();
    const second = await node(sql, {
      images: {
        ...images,
        async receive(digest, content) {
          most = Math.max(most, ++now);
          await new Promise((resolve) => setTimeout(resolve, 5));
          now--;
          if (!hasRoom && digest === "d") throw new RangeError("There is no room");
          await images.receive(digest, content);
        },
      },
    });
    const outcomes = await Promise.all(names.map((name, n) => second.get(name, `client ${n}`)));
    assertEquals([outcomes, most], [["here", "here", "here", "later"], 1]);
    hasRoom = true;
    assertEquals(await second.get("d"), "later");
    second.later(61_000);
    assertEquals(await second.get("d"), "here");
  } finally {
    await close();
  }
});
