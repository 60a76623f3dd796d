/**
 * Wiring of servers' packages on a node: where their files are, and what compiles them.
 *
 * @module
 */
import { now } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { MadeImages } from "../../execution/images/maker.ts";
import type { Logger } from "../../log.ts";
import { type Bytecode, createBytecode } from "../../packages/bytecode.ts";
import { openPackageFiles, type PackageFiles } from "../../packages/files.ts";
import { withCompiler } from "../../setup/bytecode.ts";
import type { PreparedInterpreter } from "../../setup/setup.ts";

const BYTES_PER_MB = 2 ** 20;
/** A publication has ended by then, which packages are given to first. */
const DELAY_MS = 15_000;

/** The packages of servers that this node has unpacked. */
export function startPackageFiles(
  { PACKAGES_MB }: Pick<Config, "PACKAGES_MB">,
  { folder }: Pick<PreparedInterpreter, "folder">,
): PackageFiles {
  return openPackageFiles({ folder, maxBytes: PACKAGES_MB * BYTES_PER_MB, now });
}

/** What compiles them, once images are made. */
export function startBytecode(
  { SESSION_MEMORY_MB }: Pick<Config, "SESSION_MEMORY_MB">,
  { interpreter, packageFiles, made, log }: {
    interpreter: PreparedInterpreter;
    packageFiles: PackageFiles;
    made: MadeImages | undefined;
    log: Logger;
  },
): Bytecode {
  return createBytecode({
    files: packageFiles,
    withCompiler: (work, signal) =>
      withCompiler(interpreter, { memoryMb: SESSION_MEMORY_MB, signal }, work),
    delayMs: DELAY_MS,
    quiet: () => made?.idle() ?? Promise.resolve(),
    log,
  });
}
