import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { archiveCache, type Files } from "../../../src/execution/sessions/archive_cache.ts";

async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return new Uint8Array(digest).toHex();
}

async function fixture(sizes: number[], fileBytes = 10) {
  const archives = new Map<string, Uint8Array>();
  for (const size of sizes) {
    const bytes = new Uint8Array(size);
    archives.set(await digestOf(bytes), bytes);
  }
  const unpacked: string[] = [];
  const files = archiveCache({
    loadArchive: (sha256) => Promise.resolve(archives.get(sha256) ?? null),
    readArchive(archive, folder): Promise<Files> {
      unpacked.push(`${archive.byteLength} ${folder}`);
      if (folder === "broken") return Promise.reject(new AppError("repository_refused", "Broken"));
      return Promise.resolve(new Map([["server.py", new Uint8Array(fileBytes)]]));
    },
  });
  return { files, unpacked, digests: [...archives.keys()], archives };
}

Deno.test("archiveCache() unpacks an archive's folder once, for callers at once too", async () => {
  const { files, unpacked, digests } = await fixture([1]);
  const [first, second] = await Promise.all([files(digests[0]!, "a"), files(digests[0]!, "a")]);
  assert(first === second && first === await files(digests[0]!, "a"));
  await files(digests[0]!, "b");
  assertEquals(unpacked, ["1 a", "1 b"]);
});

Deno.test("archiveCache() refuses bytes that are not those of the digest", async () => {
  const { files, unpacked, digests, archives } = await fixture([1]);
  archives.set(digests[0]!, new Uint8Array(2));
  const error = await assertRejects(() => files(digests[0]!, ""), AppError, "Internal");
  assertEquals([error.code, unpacked.length], ["internal", 0]);
  assert(!error.message.includes(digests[0]!));
  archives.set(digests[0]!, new Uint8Array(1));
  await files(digests[0]!, "");
});

Deno.test("archiveCache() does not keep failures, and reports a missing archive", async () => {
  const { files, unpacked, digests } = await fixture([1]);
  for (let i = 0; i < 2; i++) await assertRejects(() => files(digests[0]!, "broken"), AppError);
  assertEquals(unpacked.length, 2);
  await assertRejects(() => files("0".repeat(64), ""), AppError, "Internal");
});

Deno.test("archiveCache() forgets what was not used for longest", async () => {
  const { files, unpacked, digests } = await fixture(Array.from({ length: 17 }, (_, i) => i));
  for (const digest of digests) {
    await files(digest, "");
    await files(digests[0]!, "");
  }
  assertEquals(unpacked.length, 17);
  await files(digests[0]!, "");
  assertEquals(unpacked.length, 17);
  await files(digests[1]!, "");
  assertEquals(unpacked.length, 18);
});

Deno.test("archiveCache() keeps to its bytes", async () => {
  const { files, unpacked, digests } = await fixture([1, 2, 3], 100 * 1024 * 1024);
  for (const digest of digests) await files(digest, "");
  await files(digests[2]!, "");
  assertEquals(unpacked.length, 3);
  await files(digests[0]!, "");
  assertEquals(unpacked.length, 4);
});
