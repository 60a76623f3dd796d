import { assert, assertEquals } from "@std/assert";
import type { Sql } from "../../src/database/client.ts";
import { readInstallation } from "../../src/packages/installation.ts";
import { forgetResolutions, resolveOnce } from "../../src/packages/remembered.ts";
import type { PackagesDeps } from "../../src/packages/resolve.ts";
import type { Packages } from "../../src/scan/packages_schema.ts";
import { openTestDatabase, silentLog } from "../helpers/database.ts";
import { startIndex, type TestIndex } from "../helpers/package_index.ts";
import { scanInput } from "../scan/input.ts";
import { HERE, versionsOf } from "./harness.ts";

const HOUR = 3_600_000;
const PACKAGES = [
  { name: "one", version: "1.0", requires: ["two"], files: { "one.py": "" } },
  { name: "two", version: "2.0", files: { "two.py": "" } },
];

interface Setting {
  sql: Sql;
  index: TestIndex;
  later(ms: number): void;
  resolve(files: Record<string, string>, entrypoint?: string): Promise<Packages>;
  /** Whether it takes no request to resolve these. */
  isKnown(files: Record<string, string>, entrypoint?: string): Promise<boolean>;
}

async function withSetting(use: (setting: Setting) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  await using index = await startIndex(PACKAGES);
  let time = Date.now();
  const deps: PackagesDeps = {
    sql: database.sql,
    log: silentLog,
    now: () => new Date(time),
    packing: HERE,
    fetch,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    installation: await readInstallation(),
    indexUrl: index.url,
    distributionUrl: null,
    own: { endpoints: [], interfaces: [], resolve: () => Promise.resolve([]) },
  };
  async function resolve(files: Record<string, string>, entrypoint = "main.py") {
    const input = await scanInput({ "main.py": "", ...files }, { entrypoint });
    return (await resolveOnce(deps, HERE, input, new AbortController().signal))!;
  }
  try {
    await use({
      sql: database.sql,
      index,
      later: (ms) => time += ms,
      resolve,
      async isKnown(files, entrypoint) {
        const before = index.asked.length;
        assertEquals(versionsOf(await resolve(files, entrypoint)), ["one 1.0", "two 2.0"]);
        return index.asked.length === before;
      },
    });
  } finally {
    await database.close();
  }
}

Deno.test("the same manifests are resolved once, whatever else the servers have", async () => {
  await withSetting(async ({ isKnown }) => {
    const manifest = { "requirements.txt": "one\n" };
    assertEquals(await isKnown(manifest), false);
    assert(await isKnown(manifest));
    assert(await isKnown({ ...manifest, "main.py": "import one", "README.md": "other" }));
    // Whatever may change the result is part of the question.
    assertEquals(await isKnown({ "requirements.txt": "one>=1\n" }), false);
    assertEquals(await isKnown({ ...manifest, "uv.lock": "" }), false);
    assertEquals(await isKnown({ ...manifest, "app/main.py": "" }, "app/main.py"), false);
  });
});

Deno.test("what a lock file says is remembered longer than what newer versions may change", async () => {
  await withSetting(async ({ isKnown, index, later, sql }) => {
    const pin = (name: string) =>
      `${name} --hash=sha256:${index.digests[name.replace("==", " ")]}\n`;
    const locked = { "requirements.txt": pin("one==1.0") + pin("two==2.0") };
    const open = { "requirements.txt": "one\n" };
    for (const files of [locked, open]) assertEquals(await isKnown(files), false);
    later(2 * HOUR);
    assertEquals(await isKnown(open), false);
    assert(await isKnown(locked));
    later(200 * HOUR);
    assertEquals(await isKnown(locked), false);
    await forgetResolutions(sql, new Date(Date.now() + 1000 * HOUR));
    assertEquals(await isKnown(locked), false);
  });
});

Deno.test("what lacks a package, or is not stored any more, is resolved again", async () => {
  await withSetting(async ({ resolve, isKnown, index, sql }) => {
    const files = { "requirements.txt": "one\n" };
    assertEquals(await isKnown(files), false);
    await sql`delete from packages where name = 'two'`;
    assertEquals(await isKnown(files), false);
    assert(await isKnown(files));
    const lacking = { "requirements.txt": "one\nnot-there\n" };
    for (let time = 0; time < 2; time++) {
      const before = index.asked.length;
      assertEquals((await resolve(lacking)).missing.map(({ name }) => name), ["not-there"]);
      assert(index.asked.length > before);
    }
  });
});
