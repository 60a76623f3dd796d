import { assertEquals } from "@std/assert";
import { tidyMade } from "../../../src/execution/images/folder.ts";
import { madeFolderOf } from "../../../workers/session/made_folder.ts";

Deno.test("images of interpreters that are gone, or that nobody uses, are removed", async () => {
  const root = await Deno.makeTempDir();
  try {
    const now = new Date();
    const old = new Date(now.getTime() - 25 * 3_600_000);
    for (
      const [name, used] of [["now", now], ["used", now], ["unused", old], ["gone", now]] as const
    ) {
      const folder = madeFolderOf(`${root}/${name}`);
      await Deno.mkdir(folder, { recursive: true });
      if (name !== "gone") await Deno.mkdir(`${root}/${name}`);
      await Deno.writeTextFile(`${folder}/image.json`, "{}");
      await Deno.utime(`${folder}/image.json`, used, used);
    }
    await tidyMade(`${root}/now`, now);
    const left = await Array.fromAsync(Deno.readDir(`${root}/made`), ({ name }) => name);
    assertEquals(left.sort(), ["now", "used"]);
    // Nothing was made yet.
    await tidyMade(`${root}/none/interpreter`, now);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
