import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

Deno.test("docs/architecture.md names files and folders that exist", async () => {
  const text = await Deno.readTextFile(new URL("docs/architecture.md", ROOT));
  const named = [...text.matchAll(/`((?:src|workers|tests)\/[\w./]+)`/g)].map(([, path]) => path!);
  assert(named.length > 60, String(named.length));
  const missing: string[] = [];
  for (const path of new Set(named)) {
    await Deno.stat(new URL(path, ROOT)).catch(() => missing.push(path));
  }
  assertEquals(missing, []);
});
