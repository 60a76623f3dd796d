/**
 * A node's images, made for a test: in a folder of its own, of an interpreter that shares the files
 * of the tests'.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { madeFolderOf } from "../../workers/session/made_folder.ts";
import { createImageMaker } from "../../src/execution/images/maker.ts";
import type { ImageMaking } from "../../src/execution/images/making.ts";
import type { Package } from "../../src/execution/images/packed.ts";
import { openImageStore } from "../../src/execution/images/store.ts";
import { createLogger } from "../../src/log.ts";
import { readImageInputs } from "../../src/setup/interpreter.ts";
import { nodeImageMaking } from "../../src/setup/node_images.ts";
import type { PreparedInterpreter } from "../../src/setup/setup.ts";
import { testInterpreter } from "./interpreter.ts";

/** The tests' interpreter in a folder of its own; its files are links to the same bytes. */
export async function linkedInterpreter(): Promise<PreparedInterpreter & AsyncDisposable> {
  const prepared = await testInterpreter();
  // Hard links need the same disk.
  const root = await Deno.makeTempDir({
    dir: fileURLToPath(new URL("../../.data/interpreter", import.meta.url)),
    prefix: ".making-test-",
  });
  await Deno.chmod(root, 0o755);
  const folder = `${root}/interpreter`;
  await Deno.mkdir(folder);
  for await (const { name } of Deno.readDir(prepared.folder)) {
    await Deno.link(`${prepared.folder}/${name}`, `${folder}/${name}`);
  }
  return {
    ...prepared,
    folder,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** A maker for `interpreter`, its store and what it logs. */
export async function testImages(
  interpreter: PreparedInterpreter,
  { making, packages = {}, maxBytes = 2 ** 30, now = () => new Date() }: {
    making?: Partial<ImageMaking>;
    /** Packages beside those of the interpreter, with their top-level modules. */
    packages?: Record<string, Package>;
    maxBytes?: number;
    now?: () => Date;
  } = {},
) {
  const inputs = await readImageInputs(interpreter.folder);
  const log: string[] = [];
  const folder = madeFolderOf(interpreter.folder);
  const newId = () => crypto.randomUUID();
  const store = await openImageStore({ folder, base: inputs.base, maxBytes, now, newId });
  const real = nodeImageMaking(interpreter, {
    catalogue: interpreter.catalogue.packages,
    memoryMb: 256,
    niceness: 0,
  });
  const made = createImageMaker({
    fingerprint: inputs.base,
    catalogue: interpreter.catalogue,
    package: async (name) => packages[name] ?? await inputs.package(name),
    ownPackage: inputs.ownPackage,
    store,
    now,
    making: { ...real, ...making },
    log: createLogger({ level: "info", format: "json", write: (line) => log.push(line) }),
  });
  return { made, store, folder, inputs, log, [Symbol.asyncDispose]: () => made.close() };
}
