import { assertEquals, assertRejects } from "@std/assert";
import { exists, readIfThere, withLock, writeWhole } from "../src/files.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("writeWhole() makes the folder and the file, with the modes that it is given", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/deep/file`;
    assertEquals([await exists(path), await readIfThere(path)], [false, null]);
    await writeWhole(path, "text", { mode: 0o600, folderMode: 0o700 });
    assertEquals([await exists(path), await readIfThere(path)], [true, "text"]);
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
    assertEquals((await Deno.stat(`${folder}/deep`)).mode! & 0o777, 0o700);
  });
});

Deno.test("writeWhole() leaves the old file, and none beside it, when it fails", async () => {
  await inFolder(async (folder) => {
    await writeWhole(`${folder}/file`, Uint8Array.of(1), { mode: 0o644 });
    await Deno.mkdir(`${folder}/taken`);
    await assertRejects(() => writeWhole(`${folder}/taken`, Uint8Array.of(2), { mode: 0o644 }));
    const names = (await Array.fromAsync(Deno.readDir(folder))).map((entry) => entry.name).sort();
    assertEquals(names, ["file", "taken"]);
  });
});

Deno.test("withLock() lets one work at a time, and the next after one that failed", async () => {
  await inFolder(async (folder) => {
    const events: string[] = [];
    const work = (name: string) =>
      withLock(`${folder}/deep/lock`, async () => {
        events.push(`${name} starts`);
        await Array.fromAsync(Deno.readDir(folder));
        events.push(`${name} ends`);
        if (name === "first") throw new Error("failed");
      });
    await Promise.allSettled([work("first"), work("second")]);
    const [first, second] = [events.slice(0, 2), events.slice(2)];
    for (const pair of [first, second]) {
      const [name] = pair[0]!.split(" ");
      assertEquals(pair, [`${name} starts`, `${name} ends`]);
    }
  });
});
