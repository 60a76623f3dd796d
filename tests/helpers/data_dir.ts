/**
 * Data folders for Berths that tests start.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { testInterpreter } from "./interpreter.ts";

/**
 * A temporary data folder that is empty but for the downloaded wheels, so that a first start is
 * real and still needs no network. The caller removes it.
 */
export async function emptyDataDir(): Promise<string> {
  await testInterpreter();
  const wheels = fileURLToPath(new URL("../../.data/interpreter/wheels", import.meta.url));
  const folder = await Deno.makeTempDir({ prefix: "berth-e2e-" });
  await Deno.mkdir(`${folder}/interpreter/wheels`, { recursive: true });
  for await (const { name } of Deno.readDir(wheels)) {
    await Deno.copyFile(`${wheels}/${name}`, `${folder}/interpreter/wheels/${name}`);
  }
  return folder;
}

/** A temporary data folder with the interpreter prepared. The caller removes it. */
export async function preparedDataDir(): Promise<string> {
  const { folder: prepared } = await testInterpreter();
  const folder = await emptyDataDir();
  const target = `${folder}/interpreter/${prepared.slice(prepared.lastIndexOf("/") + 1)}`;
  await Deno.mkdir(target, { mode: 0o700 });
  for await (const { name } of Deno.readDir(prepared)) {
    await Deno.copyFile(`${prepared}/${name}`, `${target}/${name}`);
  }
  return folder;
}
