import { assert, assertEquals } from "@std/assert";
import { openPackageFiles } from "../../src/packages/files.ts";
import { FORMAT } from "../../src/packages/store.ts";

const MINUTE = 60_000;
const SHA = Array.from({ length: 5 }, (_, i) => String(i).repeat(64));

/** The files of a folder, on a clock that the test sets. */
async function testFiles(maxBytes = 1000) {
  const folder = await Deno.makeTempDir();
  let time = Date.now();
  let loads = 0;
  const now = () => new Date(time);
  const files = openPackageFiles({ folder, maxBytes, now });
  return {
    files,
    folder,
    later: (minutes: number) => time += minutes * MINUTE,
    loads: () => loads,
    another: () => openPackageFiles({ folder, maxBytes, now }),
    ensure: (at: number, { bytes = 400, format = FORMAT } = {}) =>
      files.ensure(SHA[at]!, () => {
        loads++;
        return Promise.resolve({ format, content: new Uint8Array(bytes) });
      }),
    there: () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

const nameOf = (at: number, format = FORMAT) => `package-${format}-${SHA[at]}`;

Deno.test("the packages that nobody used for longest go when there is no room", async () => {
  await using test = await testFiles();
  await Deno.writeTextFile(`${test.folder}/snapshot`, "x".repeat(5000));
  const left = `${test.folder}/${nameOf(4)}.${crypto.randomUUID()}.new`;
  await Deno.writeTextFile(left, "x".repeat(300));
  await Deno.utime(left, 0, 0);
  assertEquals(await test.ensure(0), nameOf(0));
  test.later(20);
  assertEquals(await test.ensure(1), nameOf(1));
  test.later(20);
  // Used once more, and not loaded again.
  await test.ensure(0);
  assertEquals(test.loads(), 2);
  test.later(20);
  await test.ensure(2);
  assertEquals(test.there(), [nameOf(0), nameOf(2), "snapshot"]);
});

Deno.test("a package that a session uses stays, whatever the room, and goes when that is over", async () => {
  await using test = await testFiles();
  const end = test.files.hold([(await test.ensure(0))!]);
  const other = test.files.hold([(await test.ensure(0))!]);
  test.later(20);
  await test.ensure(1, { bytes: 900 });
  test.later(20);
  await test.ensure(2, { bytes: 900 });
  assertEquals(test.there(), [nameOf(0), nameOf(2)]);
  end();
  end();
  test.later(20);
  await test.ensure(3, { bytes: 900 });
  assertEquals(test.there(), [nameOf(0), nameOf(3)]);
  other();
  test.later(20);
  await test.ensure(4, { bytes: 900 });
  assertEquals(test.there(), [nameOf(4)]);
});

Deno.test("a package that a session was just given stays, also for another process of the node", async () => {
  await using test = await testFiles();
  await test.ensure(0, { bytes: 900 });
  const content = new Uint8Array(900);
  await test.another().ensure(SHA[1]!, () => Promise.resolve({ format: FORMAT, content }));
  assertEquals(test.there(), [nameOf(0), nameOf(1)]);
});

Deno.test("a package with its bytecode takes the place of one without", async () => {
  await using test = await testFiles();
  const name = (await test.ensure(0))!;
  await test.files.putCompiled(name, new Uint8Array(500));
  assertEquals(await test.ensure(0), `${name}-compiled`);
  test.later(20);
  await test.ensure(0);
  test.later(5);
  await test.ensure(1);
  assertEquals(test.there(), [`${name}-compiled`, nameOf(1)]);
});

Deno.test("what an earlier version has packed serves until it is packed anew", async () => {
  await using test = await testFiles();
  const old = { format: FORMAT - 1 };
  assertEquals(await test.ensure(0, old), nameOf(0, FORMAT - 1));
  assertEquals(await test.ensure(0, old), nameOf(0, FORMAT - 1));
  assertEquals(test.loads(), 1);
  test.later(20);
  assertEquals(await test.ensure(0), nameOf(0));
  assert(test.there().includes(nameOf(0)));
});
