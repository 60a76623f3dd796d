/**
 * Wiring of the images that a node makes of the packages of its servers.
 *
 * @module
 */
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import { tidyMade } from "../execution/images/folder.ts";
import { madeFolderOf } from "../../workers/session/made_folder.ts";
import { createImageMaker, type MadeImages } from "../execution/images/maker.ts";
import { openImageStore } from "../execution/images/store.ts";
import type { Logger } from "../log.ts";
import { readImageInputs } from "../setup/interpreter.ts";
import { nodeImageMaking } from "../setup/node_images.ts";
import type { PreparedInterpreter } from "../setup/setup.ts";

const BYTES_PER_MB = 2 ** 20;

/** The maker of this node's images; null where it makes none. */
export async function startImages(
  config: Pick<Config, "IMAGES_MB" | "INTERPRETER_PROFILE" | "SESSION_MEMORY_MB">,
  interpreter: PreparedInterpreter,
  log: Logger,
): Promise<MadeImages | null> {
  if (config.IMAGES_MB === 0 || config.INTERPRETER_PROFILE !== "full") return null;
  const { folder, catalogue } = interpreter;
  const inputs = await readImageInputs(folder);
  await tidyMade(folder, now());
  const store = await openImageStore({
    folder: madeFolderOf(folder),
    base: inputs.base,
    maxBytes: config.IMAGES_MB * BYTES_PER_MB,
    now,
    newId: () => crypto.randomUUID(),
  });
  return createImageMaker({
    fingerprint: `${inputs.base} ${config.INTERPRETER_PROFILE}`,
    catalogue,
    package: inputs.package,
    ownPackage: inputs.ownPackage,
    store,
    now,
    making: nodeImageMaking(interpreter, {
      catalogue: catalogue.packages,
      memoryMb: config.SESSION_MEMORY_MB,
    }),
    log,
  });
}
