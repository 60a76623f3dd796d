import { assertEquals, assertRejects } from "@std/assert";
import { createShelf, type KeptResponse } from "../../../src/http/kept/shelf.ts";

function response(about: string | null = null, bytes = 10): KeptResponse {
  const plain = { bytes: new Uint8Array(bytes), etag: '"x"' };
  return { headers: {}, plain, coded: new Map(), about };
}

/** A shelf, what it asked for, and what was made for it. */
function testShelf(changes: Record<string, string[] | null> = {}, maxBytes = 1_000_000) {
  const asked: string[] = [];
  const made: string[] = [];
  const shelf = createShelf({
    maxBytes,
    changedSince(mark) {
      asked.push(mark);
      const names = changes[mark] ?? null;
      return Promise.resolve(names && new Set(names));
    },
  });
  return {
    shelf,
    asked,
    made,
    find: (key: string, mark: string, about: string | null = null) =>
      shelf.find(key, mark, () => {
        made.push(key);
        return Promise.resolve(response(about));
      }),
  };
}

Deno.test("a kept response is made once, and for all who ask meanwhile", async () => {
  const { find, made } = testShelf();
  const [first, second] = await Promise.all([find("/a", "1"), find("/a", "1")]);
  assertEquals([first === second, await find("/a", "1") === first, made], [true, true, ["/a"]]);
});

Deno.test("a change ends lists and what it is about, and nothing else", async () => {
  const { find, made, asked } = testShelf({ "1": ["a"] });
  await find("/list", "1");
  await find("/a", "1", "a");
  await find("/b", "1", "b");
  for (const key of ["/list", "/a", "/b"]) await find(key, "2", key === "/list" ? null : key[1]);
  assertEquals(made, ["/list", "/a", "/b", "/list", "/a"]);
  assertEquals(asked, ["1"]);
});

Deno.test("where the last mark is not known any more, nothing is kept", async () => {
  const { find, made } = testShelf();
  await find("/b", "1", "b");
  await find("/b", "2", "b");
  assertEquals(made, ["/b", "/b"]);
});

Deno.test("what was being made when something changed is not kept, nor given to later ones", async () => {
  const { shelf, find, made } = testShelf({ "1": [] });
  const slow = Promise.withResolvers<KeptResponse>();
  const before = shelf.find("/b", "1", () => slow.promise);
  const after = await find("/b", "2", "b");
  slow.resolve(response("b"));
  assertEquals(await before === after, false);
  assertEquals(await find("/b", "2", "b") === after, true);
  assertEquals(made, ["/b"]);
});

Deno.test("requests that were counted in another order get nothing older than they may", async () => {
  const { find, made } = testShelf({ "1": ["a"], "2": [] });
  await find("/a", "1", "a");
  await find("/a", "2", "a");
  // Counted before the change, and here after it: what is newer is right for it too.
  await Promise.all([find("/a", "1", "a"), find("/a", "2", "a"), find("/a", "1", "a")]);
  await find("/a", "2", "a");
  assertEquals(made.length <= 4, true, made.join());
});

Deno.test("a failure is not kept, and concerns nobody who waited for it", async () => {
  const { shelf, find } = testShelf();
  await find("/b", "1");
  const failing = shelf.find("/a", "1", () => Promise.reject(new Error("gone")));
  const [{ reason }, waited] = await Promise.allSettled([failing, find("/a", "1")]) as [
    PromiseRejectedResult,
    PromiseFulfilledResult<KeptResponse | null>,
  ];
  assertEquals([reason.message, waited.value], ["gone", null]);
  assertEquals(await shelf.find("/a", "1", () => Promise.resolve(null)), null);
  assertEquals((await find("/a", "1"))?.plain.bytes.length, 10);
});

Deno.test("when changes cannot be learned, the request fails and the next one asks again", async () => {
  let isGone = true;
  const shelf = createShelf({
    maxBytes: 1e6,
    changedSince: () => isGone ? Promise.reject(new Error("gone")) : Promise.resolve(new Set()),
  });
  const make = () => Promise.resolve(response("a"));
  const kept = await shelf.find("/a", "1", make);
  await assertRejects(() => shelf.find("/a", "2", make), Error, "gone");
  isGone = false;
  assertEquals(await shelf.find("/a", "2", make) === kept, true);
});

Deno.test("no number of responses takes more than the maximum, the oldest make room", async () => {
  const { find, shelf, made } = testShelf({}, 12_000);
  for (let n = 0; n < 1000; n++) await find(`/${n}`, "1");
  assertEquals(shelf.bytes() <= 12_000 && shelf.bytes() > 9_000, true, String(shelf.bytes()));
  made.length = 0;
  await find("/999", "1");
  await find("/0", "1");
  assertEquals(made, ["/0"]);
  // One that would push out all others is not kept, nor one that grows so large.
  const large = response(null, 11_000);
  await shelf.find("/large", "1", () => Promise.resolve(large));
  const grown = (await find("/999", "1"))!;
  shelf.grow("/999", grown, 11_000);
  await find("/999", "1");
  assertEquals(made, ["/0", "/999"]);
  assertEquals(shelf.bytes() <= 12_000, true);
});
