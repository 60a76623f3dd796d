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
import type { ImageStore } from "../execution/images/types.ts";
import { openImageStore } from "../execution/images/store.ts";
import type { Logger } from "../log.ts";
import { readImageInputs } from "../setup/interpreter.ts";
import { nodeImageMaking } from "../setup/node_images.ts";
import type { PreparedInterpreter } from "../setup/setup.ts";

const BYTES_PER_MB = 2 ** 20;

/** The images of this node, and what makes them; null where it has none of its own. */
export async function startImages(
  config: Pick<Config, "IMAGES_MB" | "INTERPRETER_PROFILE" | "SESSION_MEMORY_MB">,
  interpreter: PreparedInterpreter,
  log: Logger,
): Promise<{ made: MadeImages; store: ImageStore } | null> {
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
  const made = createImageMaker({
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
  return { made, store };
}
