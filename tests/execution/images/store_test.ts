import { assert, assertEquals, assertRejects } from "@std/assert";
import { sha256Of } from "../../../src/bytes.ts";
import { type ImageStoreDeps, openImageStore } from "../../../src/execution/images/store.ts";
import type { ImageContent } from "../../../src/execution/images/content.ts";
import type { NewImage } from "../../../src/execution/images/types.ts";

const NAMES = Array.from({ length: 6 }, (_, i) => String(i).repeat(64));
const HOUR = 3_600_000;

function image(bytes: number, overrides: Partial<NewImage> = {}): NewImage {
  const pages = new Uint8Array(bytes).fill(7);
  return {
    packages: ["a"],
    modules: ["a"],
    own: null,
    reads: [],
    pages,
    files: null,
    ...overrides,
  };
}

const works = () => Promise.resolve();

/** A folder, and stores in it on a clock that the test sets. */
async function stores() {
  const folder = await Deno.makeTempDir();
  let time = Date.now();
  let id = 0;
  const deps: ImageStoreDeps = {
    folder,
    base: "snapshot",
    maxBytes: 1000,
    now: () => new Date(time),
    newId: () => `id-${++id}`,
  };
  return {
    folder,
    later: (ms: number) => time += ms,
    open: (overrides: Partial<ImageStoreDeps> = {}) => openImageStore({ ...deps, ...overrides }),
    files: () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("images and what became of sets of packages are there after a restart", async () => {
  await using test = await stores();
  const store = await test.open();
  await store.put(NAMES[0]!, image(10, { files: new Uint8Array(5), reads: ["A"] }), works);
  await store.setOutcome(NAMES[1]!, { image: null, reasons: { image: "hangs" }, again: null });
  await store.setOutcome(NAMES[0]!, { image: NAMES[0]!, reasons: {}, again: null });
  const again = await test.open();
  const [[name, known] = []] = Object.entries(again.images());
  assertEquals([name, known?.packages, known?.modules, known?.reads], [NAMES[0], ["a"], ["a"], [
    "A",
  ]]);
  assertEquals(again.figures(), { images: 1, bytes: 15 });
  assert(await again.use(NAMES[0]!));
  assertEquals(again.outcome(NAMES[1]!), { image: null, reasons: { image: "hangs" }, again: null });
  assertEquals(again.outcome(NAMES[0]!)?.image, NAMES[0]);
  assertEquals(again.outcome(NAMES[2]!), null);
  // What was out of time is worth another try later.
  const soon = Date.now() + HOUR;
  await store.setOutcome(NAMES[2]!, { image: null, reasons: {}, again: soon });
  assertEquals(store.outcome(NAMES[2]!)?.again, soon);
  test.later(2 * HOUR);
  assertEquals(store.outcome(NAMES[2]!), null);
});

Deno.test("another snapshot has other images: the old ones and what was known of them go", async () => {
  await using test = await stores();
  const store = await test.open();
  await store.put(NAMES[0]!, image(10, { files: new Uint8Array(5) }), works);
  await store.setOutcome(NAMES[1]!, { image: null, reasons: {}, again: null });
  const other = await test.open({ base: "another" });
  assertEquals(other.images(), {});
  assertEquals(other.outcome(NAMES[1]!), null);
  assertEquals(test.files(), []);
});

Deno.test("an image that fails its trial is not kept, nor half of one", async () => {
  await using test = await stores();
  const store = await test.open();
  let tried = "";
  await assertRejects(() =>
    store.put(NAMES[0]!, image(10, { files: new Uint8Array(5) }), (name) => {
      tried = name;
      assertEquals(test.files(), [name, `${name}.files`]);
      return Promise.reject(new Error("It does not work"));
    })
  );
  assertEquals(tried, "new-id-1");
  assertEquals(test.files(), []);
  assertEquals(store.images(), {});
});

Deno.test("what a node that was stopped left half written is no image, and goes in time", async () => {
  await using test = await stores();
  for (const file of [NAMES[0]!, "new-id-9", `new-id-9.files`, `${NAMES[1]}.json.x.new`]) {
    await Deno.writeFile(`${test.folder}/${file}`, new Uint8Array(10));
  }
  await Deno.writeTextFile(`${test.folder}/${NAMES[2]}.json`, '{"base": "snap');
  assertEquals((await test.open()).images(), {});
  // Another process may still be writing them.
  assert(test.files().includes("new-id-9"));
  test.later(2 * HOUR);
  await test.open();
  assertEquals(test.files(), []);
});

Deno.test("the images that nobody used for longest go when there is no room", async () => {
  await using test = await stores();
  const store = await test.open();
  for (const name of NAMES.slice(0, 3)) {
    await store.put(name, image(300), works);
    test.later(HOUR);
  }
  await store.setOutcome(NAMES[1]!, { image: NAMES[1]!, reasons: {}, again: null });
  assert(await store.use(NAMES[0]!));
  test.later(HOUR);
  await store.put(NAMES[3]!, image(300), works);
  assertEquals(Object.keys(store.images()).sort(), [NAMES[0], NAMES[2], NAMES[3]]);
  assertEquals(store.figures().bytes, 900);
  // It may be made again.
  assertEquals(store.outcome(NAMES[1]!), null);
  assertEquals(await store.use(NAMES[1]!), false);
});

Deno.test("an image that a session may be reading stays, whatever the room", async () => {
  await using test = await stores();
  const store = await test.open();
  for (const name of NAMES.slice(0, 3)) await store.put(name, image(300), works);
  await assertRejects(() => store.put(NAMES[3]!, image(300), works), RangeError, "no room");
  await assertRejects(() => store.put(NAMES[3]!, image(3000), works), RangeError, "no room");
  assertEquals(store.figures().images, 3);
});

Deno.test("an image that a live session uses stays, whatever the room, and goes when that is over", async () => {
  await using test = await stores();
  const store = await test.open();
  await store.put(NAMES[0]!, image(900), works);
  const [end, other] = [store.hold(NAMES[0]!), store.hold(NAMES[0]!)];
  test.later(HOUR);
  end();
  end();
  await assertRejects(() => store.put(NAMES[1]!, image(900), works), RangeError, "no room");
  other();
  await store.put(NAMES[1]!, image(900), works);
  assertEquals(Object.keys(store.images()), [NAMES[1]]);
});

Deno.test("an image with any byte changed, cut short, or without a file, is dropped when it is wanted", async () => {
  await using test = await stores();
  const store = await test.open();
  const pages = `${test.folder}/${NAMES[0]}`;
  const damages: (() => void)[] = [
    () => Deno.writeFileSync(pages, new Uint8Array(300).fill(8)),
    () => Deno.writeFileSync(pages, new Uint8Array(299).fill(7)),
    () => Deno.writeFileSync(`${pages}.files`, new Uint8Array(6)),
    () => Deno.removeSync(`${pages}.files`),
    () => Deno.removeSync(pages),
  ];
  for (const damage of damages) {
    await store.put(NAMES[0]!, image(300, { files: new Uint8Array(5) }), works);
    assert(await store.use(NAMES[0]!));
    damage();
    assertEquals(await store.use(NAMES[0]!), false);
    assertEquals(store.images(), {});
    assertEquals(test.files(), []);
  }
});

Deno.test("processes of a node that share the folder bound it together", async () => {
  await using test = await stores();
  const [one, other] = [await test.open(), await test.open()];
  await one.put(NAMES[0]!, image(600), works);
  test.later(HOUR);
  await other.put(NAMES[1]!, image(600), works);
  assertEquals(Object.keys(other.images()), [NAMES[1]]);
  assertEquals(await one.use(NAMES[0]!), false);
});

Deno.test("an image goes to another node's folder, and only as what its digest says", async () => {
  await using one = await stores();
  await using other = await stores();
  const from = await one.open();
  await from.put(NAMES[0]!, image(10, { files: new Uint8Array(5), own: "set" }), works);
  await from.put(NAMES[1]!, image(10), works);
  const digest = from.digest(NAMES[0]!)!;
  assertEquals([from.named(digest), from.named(NAMES[0]!)], [NAMES[0], null]);
  const content = (await from.content(NAMES[0]!))!;

  const to = await other.open();
  // This node has made one of the same packages.
  await to.put(NAMES[0]!, image(20), works);
  const { description, bytes } = content;
  const changed = bytes.with(3, 1);
  const claims = description.replace('"set"', "null");
  const rests = (await from.content(NAMES[1]!))!;
  for (
    const each of [
      { description, bytes: changed },
      { description, bytes: bytes.subarray(1) },
      { description, bytes: new Uint8Array([...bytes, 0]) },
      { description: claims, bytes },
      { description, bytes: rests.bytes },
      rests,
    ]
  ) await assertRejects(() => to.receive(digest, each), Error, "Not that image");
  assertEquals(to.named(digest), null);
  const newer = description.replace("{", '{"for":"some",');
  const newest = await sha256Of(new TextEncoder().encode(newer));
  await assertRejects(() => to.receive(newest, { description: newer, bytes }), Error, "for");
  const elsewhere = await other.open({ base: "another snapshot", folder: `${other.folder}/b` });
  await assertRejects(() => elsewhere.receive(digest, content), Error, "Not that image");

  await to.receive(digest, content);
  const name = to.named(digest)!;
  assert(await to.use(name));
  assertEquals(to.images()[name]?.own, "set");
  assertEquals(to.figures(), { images: 2, bytes: 35 });
  // It is there after a restart, and goes on to the next.
  const again = await other.open();
  assertEquals(again.digest(name), digest);
  assertEquals(await again.content(name), content);

  // What is damaged goes nowhere.
  await Deno.writeFile(`${one.folder}/${NAMES[0]}`, new Uint8Array(10));
  assertEquals(await from.content(NAMES[0]!), null);
  await Deno.remove(`${one.folder}/${NAMES[1]}`);
  assertEquals(await from.content(NAMES[1]!), null);
  assertEquals(await from.content(NAMES[2]!), null);
});

Deno.test("images that come at once stay within the bound, and all that fit are there", async () => {
  await using one = await stores();
  await using other = await stores();
  const from = await one.open({ maxBytes: 10_000 });
  const contents = new Map<string, ImageContent>();
  for (const [n, name] of NAMES.entries()) {
    await from.put(name, image(300 + n), works);
    contents.set(from.digest(name)!, (await from.content(name))!);
  }
  const to = await other.open();
  for (let n = 0; n < 50; n++) {
    const key = n.toString(16).padStart(64, "0");
    await to.setOutcome(key, { image: null, reasons: {}, again: null });
  }
  const done = await Promise.allSettled([
    ...[...contents].map(([digest, content]) => to.receive(digest, content)),
    to.put(NAMES[0]!, image(301), works),
  ]);
  const came = [...contents.keys()].filter((_, n) => done[n]!.status === "fulfilled");
  assertEquals(done.filter(({ status }) => status === "fulfilled").length, 3);
  for (const digest of came) assert(await to.use(to.named(digest)!));
  for (const each of done) {
    if (each.status === "rejected") assert(each.reason instanceof RangeError);
  }
  assertEquals(to.figures().images, 3);
  assert(to.figures().bytes <= 1000);
});

Deno.test("an image that a trial keeps busy does not hold up one that comes", async () => {
  await using one = await stores();
  await using other = await stores();
  const from = await one.open();
  await from.put(NAMES[0]!, image(10), works);
  const digest = from.digest(NAMES[0]!)!;
  const to = await other.open();
  const trial = Promise.withResolvers<void>();
  const put = to.put(NAMES[1]!, image(800), () => trial.promise);
  await to.receive(digest, (await from.content(NAMES[0]!))!);
  assertEquals(to.figures().images, 1);
  // What is tried has its room.
  await assertRejects(() => to.put(NAMES[2]!, image(300), works), RangeError, "no room");
  trial.resolve();
  await put;
  assertEquals(to.figures(), { images: 2, bytes: 810 });
});

Deno.test("what a parked session began with does not go for another image", async () => {
  await using test = await stores();
  const store = await test.open();
  await store.put(NAMES[0]!, image(600), works);
  const end = store.hold(NAMES[0]!);
  test.later(HOUR);
  await assertRejects(() => store.put(NAMES[1]!, image(600), works), RangeError, "no room");
  end();
  await store.put(NAMES[1]!, image(600), works);
  assertEquals(Object.keys(store.images()), [NAMES[1]]);
});
