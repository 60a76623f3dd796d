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
