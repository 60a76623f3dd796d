/**
 * The walls around session hosts, and the command line of one.
 *
 * @module
 */
import { dirname, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { denoProgram } from "../../sandbox/launcher.ts";
import { raiseWalls, type Walls } from "../../sandbox/walls.ts";
import { madeFolderOf } from "../../../workers/session/made_folder.ts";
import { HOST_MODULE, importMapUrl } from "./import_map.ts";
import { dataLimitMb, residentLimitMb } from "./limits.ts";

const V8_FLAGS: readonly string[] = [
  // Three megabytes a session.
  "--optimize-for-size",
  // What runs for less than a tenth of a second is not compiled anew: a start would spend a third of
  // its processor time on that.
  "--wasm-tiering-budget=300000000",
  // Else Python's evaluation loop is compiled up to five times, an eighth of a second each: its calls
  // through tables are guessed, and each wrong guess takes the code back.
  "--no-wasm-deopt",
  // More threads compile the same with more processor time.
  "--wasm-num-compilation-tasks=1",
  // A host that gives memory back would have to compile anew at its next call.
  "--no-flush-liftoff-code",
];

/**
 * The walls for hosts of the interpreter in `folder`: their bounds follow from how many sessions a
 * host may have and what each may use.
 */
export function raiseHostWalls(
  given: { interpreter: string; sessionsPerHost: number; memoryMb: number; niceness: number },
): Promise<Walls> {
  const { interpreter, sessionsPerHost, memoryMb, niceness } = given;
  return raiseWalls({
    kind: "session",
    dataMb: dataLimitMb(sessionsPerHost, memoryMb),
    memoryMb: residentLimitMb(sessionsPerHost, memoryMb),
    niceness,
    mustRead: [`${interpreter}/index.json`, fileURLToPath(HOST_MODULE), denoProgram()],
  });
}

/** Deno's arguments for a host with the main module `module` in the interpreter's folder. */
export function hostArguments(
  options: {
    /** Folder that setup made, absolute; the host's working directory. */
    interpreter: string;
    /** Most megabytes of each V8 heap in the process. */
    heapMb: number;
    module: URL;
  },
): string[] {
  const folder = pathToFileURL(`${options.interpreter}/`);
  const workers = fileURLToPath(new URL("../", HOST_MODULE));
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-remote",
    "--cached-only",
    "--unstable-worker-options",
    // Relative to the working directory, which is the interpreter's folder: a comma in its path
    // would end it in this list.
    `--allow-read=.,${
      [workers, dirname(madeFolderOf(options.interpreter))].map((path) =>
        relative(options.interpreter, path)
      ).join(",")
    }`,
    `--v8-flags=--max-old-space-size=${options.heapMb},${V8_FLAGS.join(",")}`,
    `--import-map=${importMapUrl(folder, options.module)}`,
    options.module.href,
  ];
}
