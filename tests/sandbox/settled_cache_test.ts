import { assert, assertEquals } from "@std/assert";
import { denoProgram } from "../../src/sandbox/launcher.ts";
import { settleCache } from "../../src/sandbox/settled_cache.ts";

const PROGRAM = "let cached: number = 1; setTimeout(() => cached++, 300);";

/** What a user who cannot write `folder` hears from Deno about its caches there. */
async function heardBy(user: number, folder: string, program: string): Promise<string> {
  const { success, stderr } = await new Deno.Command("setpriv", {
    args: [`--reuid=${user}`, "--clear-groups", denoProgram(), "run", "--no-config", program],
    env: { DENO_DIR: folder, DENO_LOG: "debug" },
    stdout: "null",
    stderr: "piped",
  }).output();
  assert(success);
  return new TextDecoder().decode(stderr);
}

Deno.test({
  name: "what Deno cached for its owner is used by a user who may only read it",
  // Only root runs something as somebody else.
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    const folder = await Deno.makeTempDir();
    await Deno.chmod(folder, 0o755);
    const program = `${folder}/program.ts`;
    await Deno.writeTextFile(program, PROGRAM);
    const filling = new Deno.Command(denoProgram(), {
      args: ["run", "--no-config", program],
      env: { DENO_DIR: folder },
    });
    assert((await filling.output()).success);
    assert(await settleCache(folder));
    const heard = await heardBy(65534, folder, program);
    assertEquals(heard.match(/Failed creating cache db.*/g), null);
    assert(heard.includes(`V8 code cache hit for ES module: file://${program}`));
    await Deno.remove(folder, { recursive: true });
  },
});

Deno.test("a folder without caches cannot be settled, and that is told", async () => {
  assertEquals(await settleCache("/nowhere"), false);
});
