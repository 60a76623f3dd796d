import { fileURLToPath } from "node:url";
import { parseRequirements } from "../../src/setup/requirements.ts";
import { fetchWheels, findWheels, WHEEL_SOURCES } from "../../src/setup/wheels.ts";

const LOCK_FILE = fileURLToPath(
  new URL("../../workers/python/requirements.lock", import.meta.url),
);
const CACHE = fileURLToPath(new URL("../../.data/interpreter/wheels", import.meta.url));

/** A folder with the wheels of `requests` and what it needs: those that setup fetched. */
export async function wheelFolder(): Promise<string> {
  const requirements = parseRequirements(await Deno.readTextFile(LOCK_FILE));
  await fetchWheels(WHEEL_SOURCES, { cache: CACHE, requirements, lockFile: LOCK_FILE }, () => {});
  return CACHE;
}

/** The bytes of those wheels. */
export async function wheelFiles(): Promise<Uint8Array[]> {
  await wheelFolder();
  const requirements = parseRequirements(await Deno.readTextFile(LOCK_FILE));
  const files = await findWheels(CACHE, requirements);
  return await Promise.all([...files.values()].map((file) => Deno.readFile(`${CACHE}/${file}`)));
}
