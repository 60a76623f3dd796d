import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createApp } from "../../../src/http/app.ts";
import { listen } from "../../../src/http/listen.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { observed } from "../../helpers/observed_sql.ts";
import { openRealApp, type RealApp } from "../real_services.ts";

const SERVERS = "/api/v1/servers";
const WEATHER = `${SERVERS}/weather`;

function body(name: string) {
  return {
    name,
    version: "1.0.0",
    description: `The ${name} server. ${"It tells more than one wants to know. ".repeat(40)}`,
    lang: "Python",
    license: "MIT",
    entrypoint: "server.py",
    repository: { type: "git", url: `https://github.com/acme/${name}` },
  };
}

/** An application with the server `weather` of `jane`, and what its database is asked. */
async function withApp(run: (real: RealApp, asked: string[]) => Promise<void>): Promise<void> {
  let asked: string[] = [];
  const real = await openRealApp({}, undefined, async () => {
    const database = await openTestDatabase();
    const watched = observed(database.sql);
    asked = watched.asked;
    return { ...database, sql: watched.sql };
  });
  try {
    const created = await real.send("POST", SERVERS, { as: "jane", body: body("weather") });
    assertEquals(created.status, 201, await created.text());
    await run(real, asked);
  } finally {
    await real.close();
  }
}

async function reportPath({ send }: RealApp): Promise<string> {
  const { scans } = await (await send("GET", `${WEATHER}/scans`)).json();
  return `/api/v1/scans/${scans[0].id}/report`;
}

Deno.test("a kept response takes the statement that counts the request and no other", async () => {
  await withApp(async (real, asked) => {
    for (const path of [SERVERS, `${SERVERS}?q=weather`, WEATHER, await reportPath(real)]) {
      const first = await real.send("GET", path);
      const text = await first.text();
      const tag = first.headers.get("etag")!;
      assertMatch(tag, /^"[\w-]{43}"$/);
      const validated = { headers: { "if-none-match": tag } };
      for (const [method, options] of [["GET", {}], ["HEAD", {}], ["GET", validated]] as const) {
        asked.length = 0;
        const again = await real.send(method, path, { ...options });
        assertEquals(asked.length, 1, asked.join("\n"));
        assertMatch(asked[0]!, /^select .* from take_hits\(/);
        const isKnown = "headers" in options;
        assertEquals(again.status, isKnown ? 304 : 200);
        assertEquals(await again.text(), method === "HEAD" || isKnown ? "" : text);
        assertEquals(again.headers.get("etag"), tag);
        assertEquals(again.headers.get("cache-control"), "public, no-cache");
        assertEquals(again.headers.get("vary"), "Accept-Encoding, Authorization");
        assert(again.headers.has("ratelimit"));
      }
    }
  });
});

Deno.test("who sees no more than everybody is answered from memory too, also with a token", async () => {
  await withApp(async ({ send }, asked) => {
    for (const as of [null, "jane", "john"]) await (await send("GET", SERVERS, { as })).text();
    asked.length = 0;
    for (const as of [null, "jane", "john"]) {
      const again = await send("GET", SERVERS, { as });
      assertEquals(again.headers.get("cache-control"), "public, no-cache");
      await again.text();
    }
    assertEquals(asked.length, 3, asked.join("\n"));
    const hidden = { as: "jane", body: { visibility: "internal" } };
    await (await send("PUT", WEATHER, hidden)).text();
    for (const [as, total] of [[null, 0], ["john", 1], [null, 0]] as const) {
      const response = await send("GET", SERVERS, { as });
      assertEquals((await response.json()).total, total);
      const isKept = response.headers.get("cache-control") === "public, no-cache";
      assertEquals(isKept, as === null);
    }
  });
});

Deno.test("after any change, every node shows what is new, at once", async () => {
  await withApp(async (real) => {
    // Another node on the same database: with responses of its own.
    const nodes = [real.app, createApp(real.services)];
    async function shown(path: string): Promise<string> {
      const texts: string[] = [];
      for (const node of nodes) {
        // Made, then kept.
        for (let n = 0; n < 2; n++) {
          const response = await node.request(path);
          texts.push(`${response.status} ${await response.text()}`);
        }
      }
      const [first, ...others] = texts.map((text) => text.replace(/"request_id":.*/, ""));
      for (const other of others) assertEquals(other, first);
      return first!;
    }
    const paths = [SERVERS, `${SERVERS}?author=jane`, `${SERVERS}/forecast`, WEATHER];
    const steps: [change: () => Promise<Response>, changed: string[]][] = [
      [() => real.send("POST", SERVERS, { as: "jane", body: body("forecast") }), paths.slice(0, 3)],
      [
        () => real.send("PUT", WEATHER, { as: "jane", body: { description: "Other" } }),
        [SERVERS, `${SERVERS}?author=jane`, WEATHER],
      ],
      [
        () => real.send("PUT", WEATHER, { as: "jane", body: { version: "2.0.0" } }),
        [SERVERS, `${SERVERS}?author=jane`, WEATHER],
      ],
      [
        () => real.send("PUT", WEATHER, { as: "jane", body: { author: "acme" } }),
        [SERVERS, `${SERVERS}?author=jane`, WEATHER],
      ],
      [() => real.send("DELETE", `${SERVERS}/forecast`, { as: "jane" }), [
        SERVERS,
        `${SERVERS}?author=jane`,
        `${SERVERS}/forecast`,
      ]],
      [() => real.send("DELETE", WEATHER, { as: "jane" }), [SERVERS, WEATHER]],
    ];
    let before = await Promise.all(paths.map(shown));
    for (const [change, changed] of steps) {
      const answer = await change();
      assert(answer.ok, await answer.text());
      const after = await Promise.all(paths.map(shown));
      for (const [n, path] of paths.entries()) {
        assertEquals(before[n] !== after[n], changed.includes(path), `${path}: ${after[n]}`);
      }
      before = after;
    }
  });
});

Deno.test("a change to one server leaves the kept details of others", async () => {
  await withApp(async ({ send }, asked) => {
    await (await send("POST", SERVERS, { as: "jane", body: body("forecast") })).text();
    await (await send("GET", WEATHER)).text();
    const put = { as: "jane", body: { description: "Other" } };
    await (await send("PUT", `${SERVERS}/forecast`, put)).text();
    asked.length = 0;
    await (await send("GET", WEATHER)).text();
    // The count, and what has changed since.
    assertEquals(asked.length, 2, asked.join("\n"));
    assertMatch(asked[1]!, /catalogue_changes/);
  });
});

Deno.test("a missing server is asked for each time, and found once it is there", async () => {
  await withApp(async ({ send }) => {
    const path = `${SERVERS}/forecast`;
    assertEquals((await send("GET", path)).status, 404);
    await (await send("POST", SERVERS, { as: "jane", body: body("forecast") })).text();
    assertEquals((await send("GET", path)).status, 200);
  });
});

Deno.test("whoever asks, the response is the same", async () => {
  await withApp(async (real) => {
    for (const path of [SERVERS, WEATHER, await reportPath(real)]) {
      const texts = new Set<string>();
      for (const as of [null, "jane", "joan", "root"]) {
        texts.add(await (await real.send("GET", path, { as })).text());
      }
      assertEquals(texts.size, 1, path);
    }
  });
});

Deno.test("bodies are compressed as the client asks, each with its own tag", async () => {
  await withApp(async ({ send }) => {
    // A list of one is too short to gain anything.
    await (await send("POST", SERVERS, { as: "jane", body: body("forecast") })).text();
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const path of [SERVERS, WEATHER]) {
      const plain = await send("GET", path);
      const text = await plain.text();
      const tag = plain.headers.get("etag")!;
      assertEquals(plain.headers.get("content-encoding"), null);
      for (const coding of ["br", "gzip"] as const) {
        const headers = { "accept-encoding": coding };
        for (let n = 0; n < 2; n++) {
          const coded = await send("GET", path, { headers });
          assertEquals(coded.headers.get("content-encoding"), coding);
          assertEquals(coded.headers.get("vary"), "Accept-Encoding, Authorization");
          const bytes = await coded.bytes();
          assert(bytes.length < text.length);
          assertEquals(decoders[coding](bytes).toString(), text);
          const own = coded.headers.get("etag")!;
          assertNotEquals(own, tag);
          const known = await send("GET", path, { headers: { ...headers, "if-none-match": own } });
          assertEquals([known.status, known.headers.get("etag")], [304, own]);
          assertEquals(known.headers.get("content-encoding"), null);
        }
        const other = await send("GET", path, { headers: { ...headers, "if-none-match": tag } });
        assertEquals(other.status, 200);
      }
    }
  });
});

Deno.test("the tag of a compressed detail serves If-Match as well", async () => {
  await withApp(async ({ send }) => {
    const got = await send("GET", WEATHER, { headers: { "accept-encoding": "gzip" } });
    const etag = got.headers.get("etag")!;
    await got.bytes();
    const put = { as: "jane", body: { description: "Other" }, headers: { "if-match": etag } };
    assertEquals((await send("PUT", WEATHER, put)).status, 200);
    assertEquals((await send("PUT", WEATHER, put)).status, 412);
  });
});

Deno.test("the listener sends what the application answers, in every form", async () => {
  await withApp(async ({ app, send }) => {
    await (await send("POST", SERVERS, { as: "jane", body: body("forecast") })).text();
    const listener = await listen({
      hostname: "127.0.0.1",
      port: 0,
      onError: (error) => new Response(String(error), { status: 500 }),
    });
    listener.serve((request, info) => app.fetch(request, info));
    const tag = (await send("GET", SERVERS)).headers.get("etag")!;
    const cases: [method: string, headers: Record<string, string>][] = [
      ["GET", { "accept-encoding": "identity" }],
      ["HEAD", { "accept-encoding": "identity" }],
      ["GET", { "accept-encoding": "gzip" }],
      ["GET", { "accept-encoding": "identity", "if-none-match": tag }],
      ["HEAD", { "accept-encoding": "identity", "if-none-match": tag }],
    ];
    // Of the moment, of the connection, or undone by this client.
    const own = ["ratelimit", "x-request-id", "date", "connection", "keep-alive"];
    const decoded = ["content-encoding", "content-length", "transfer-encoding", "vary"];
    const headersOf = (response: Response) =>
      [...response.headers].filter(([name]) => ![...own, ...decoded].includes(name));
    try {
      for (const [method, headers] of cases) {
        const expected = await send(method, SERVERS, { headers });
        const got = await fetch(`http://127.0.0.1:${listener.port}${SERVERS}`, { method, headers });
        const bytes = await expected.bytes();
        const text = expected.headers.has("content-encoding")
          ? gunzipSync(bytes).toString()
          : new TextDecoder().decode(bytes);
        assertEquals([got.status, await got.text()], [expected.status, text]);
        assertEquals(headersOf(got), headersOf(expected));
        for (const name of ["ratelimit", "x-request-id"]) assert(got.headers.has(name), name);
      }
    } finally {
      await listener.drain();
    }
  });
});
