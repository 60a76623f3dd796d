import { assert, assertEquals } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { IMAGE_MAX_BYTES, type ImageContent } from "../../../src/execution/images/content.ts";
import { imageRows } from "../../../src/execution/parked/image_rows.ts";
import { createSharedImages } from "../../../src/execution/parked/images.ts";
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
  { key = 1, images = nodeImages(), maxBytes = 64 * MB, at = NOON } = {},
) {
  const { log, lines } = recordingLogger();
  const clock = { date: () => new Date(at) };
  const sealer = await testSealer(key);
  const rows = imageRows(sql, 64 * MB);
  const shared = createSharedImages({ rows, sealer, images, maxBytes, clock, log });
  return { ...shared, rows, sealer, images, lines };
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
      assertEquals(await Promise.all([second.get("large"), second.get("large")]), [true, true]);
      assertEquals(second.images.received, ["large"]);
      assertEquals(second.images.images.get("large"), content);
      assertEquals([await second.get("absent"), await first.put("absent")], [false, "image"]);
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
      const there = async () => [await rows.has("needed"), await rows.has("other")];
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

Deno.test("images and sessions share the room, of which images have half", async () => {
  const { nodes: [sql], close } = await openEmbeddedNodes();
  try {
    const noise = () => ({
      ...contentOf("x"),
      bytes: crypto.getRandomValues(new Uint8Array(40_000)),
    });
    const images = nodeImages({ one: noise(), two: noise(), three: noise() });
    const { put } = await node(sql, { images, maxBytes: 200_000 });
    assertEquals([await put("one"), await put("two"), await put("three")], [
      "stored",
      "stored",
      "full",
    ]);
    const row = {
      id: "s",
      instance: crypto.randomUUID(),
      server: "weather",
      archiveSha256: "a".repeat(64),
      userId: null,
      client: "c",
      runtime: "r",
      image: null,
      keyId: "key",
      expiresAt: new Date(NOON + 999 * MINUTE),
    };
    await sessionStore(sql).begin(row, new Date(NOON));
    const store = parkedStore(sql, MB);
    const bounds = { maxBytes: 200_000, maxClientBytes: 200_000 };
    assertEquals(await store.put(row, new Uint8Array(130_000), bounds), "full");
    assertEquals(await store.put(row, new Uint8Array(110_000), bounds), "stored");
    const small = await node(sql, { images, maxBytes: 220_000 });
    assertEquals(await small.put("three"), "full");
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
    const isGot = async (digest: string, key = 1) => {
      const second = await node(sql, { key });
      const got = await second.get(digest);
      assertEquals(second.lines.some(({ event }) => event === "image.not_received"), !got);
      return got;
    };
    assert(await isGot("image"));
    assert(!await isGot("image", 2));
    // Who has the database puts it in another's place.
    await sql`insert into parked_images select 'other', key_id, size, used_at from parked_images`;
    await sql`insert into parked_image_parts select 'other', part, bytes from parked_image_parts`;
    assert(!await isGot("other"));
    await sql`update parked_image_parts set bytes = set_byte(bytes, 20, 255 - get_byte(bytes, 20))`;
    assert(!await isGot("image"));
    // A key that is no longer the newest: the next session that needs it stores it anew.
    const rotated = await node(sql, { key: 2, images: nodeImages({ image: content }) });
    assertEquals(await rotated.put("image"), "stored");
    assert(await isGot("image", 2));
    // One that was sealed, but unpacks without end.
    const bomb = zstdCompressSync(new Uint8Array(IMAGE_MAX_BYTES + 1));
    const { sealer, rows } = first;
    const sealed = await sealer.seal(bomb, JSON.stringify(["image of parked sessions", "bomb"]));
    const bounds = { maxBytes: 64 * MB, maxImageBytes: 64 * MB };
    await rows.put("bomb", { keyId: sealer.keyId, sealed }, bounds, new Date(NOON));
    assert(!await isGot("bomb"));
    await sql`update parked_images set size = ${65 * MB} where id = 'image'`;
    assertEquals(await (await node(sql, { key: 2 })).get("image"), false);
  } finally {
    await close();
  }
});
