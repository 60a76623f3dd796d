import { assert, assertEquals, assertRejects } from "@std/assert";
import { fileURLToPath } from "node:url";
import { explainWriteError, SetupError } from "../../src/setup/files.ts";
import { isPrepared } from "../../src/setup/interpreter.ts";
import { ensureSetup } from "../../src/setup/setup.ts";
import { testInterpreter, until } from "../helpers/interpreter.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function runSetup(dataDir: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "src/setup/main.ts"],
    cwd: ROOT,
    env: { DATA_DIR: dataDir },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

function namesIn(root: string, form: RegExp): string[] {
  return [...Deno.readDirSync(root)].map(({ name }) => name).filter((name) => form.test(name));
}

/** Interpreters that are not finished, and those that are. */
const making = (root: string) => namesIn(root, /^\.making-/);
const made = (root: string) => namesIn(root, /^[0-9a-f]{20}$/);

/** Kills a setup in the middle of its work; once more where it was faster than this. */
async function killHalfway(dataDir: string, root: string): Promise<void> {
  do {
    for (const name of made(root)) await Deno.remove(`${root}/${name}`, { recursive: true });
    const setup = runSetup(dataDir);
    let ended = false;
    const end = setup.output().finally(() => ended = true);
    await until(() => ended || making(root).length === 1, 300_000);
    if (!ended) setup.kill("SIGKILL");
    await end;
  } while (making(root).length === 0);
}

Deno.test("setup may be killed, and run twice at once; one of them does the work", async () => {
  const prepared = await testInterpreter();
  const dataDir = await Deno.makeTempDir();
  const root = `${dataDir}/interpreter`;
  try {
    // The wheels are there already: no test needs a network.
    await Deno.mkdir(`${root}/wheels`, { recursive: true });
    for await (const { name } of Deno.readDir(`${prepared.folder}/../wheels`)) {
      await Deno.copyFile(`${prepared.folder}/../wheels/${name}`, `${root}/wheels/${name}`);
    }
    await killHalfway(dataDir, root);
    assertEquals([making(root).length, made(root)], [1, []]);

    const outputs = await Promise.all([runSetup(dataDir).output(), runSetup(dataDir).output()]);
    assertEquals(outputs.map((output) => output.code), [0, 0]);
    const texts = outputs.map((output) => new TextDecoder().decode(output.stderr));
    assertEquals(
      texts.filter((text) => text.includes("creating")).length,
      1,
      texts.join("\n---\n"),
    );
    assertEquals(making(root), []);

    const lines: string[] = [];
    const again = await ensureSetup({ dataDir, log: (line) => lines.push(line) });
    assertEquals(lines, []);
    assert(await isPrepared(again.folder));
    await Deno.truncate(`${again.folder}/snapshot`, 1000);
    assertEquals(await isPrepared(again.folder), false);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("a full disk and a folder that cannot be written are named, with what to do", async () => {
  const full = await assertRejects(async () => {
    try {
      await Deno.writeFile("/dev/full", new Uint8Array(1));
    } catch (error) {
      throw explainWriteError(error, "/data");
    }
  }, SetupError);
  assert(full.message.startsWith("The disk is full. Free about"));

  const dataDir = await Deno.makeTempFile();
  try {
    await assertRejects(() => ensureSetup({ dataDir }), SetupError, "Cannot prepare");
  } finally {
    await Deno.remove(dataDir);
  }
  const denied = explainWriteError(new Deno.errors.PermissionDenied("no"), "/data");
  assert(denied instanceof SetupError && denied.message.includes("DATA_DIR"));
});

Deno.test("ensureSetup() gives the real path of a data folder that is a link", async () => {
  const prepared = await testInterpreter();
  const folder = await Deno.makeTempDir();
  await Deno.symlink(fileURLToPath(new URL("../../.data", import.meta.url)), `${folder}/link`);
  assertEquals(await ensureSetup({ dataDir: `${folder}/link` }), prepared);
  await Deno.remove(folder, { recursive: true });
});
