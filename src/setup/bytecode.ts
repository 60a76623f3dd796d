/**
 * Compiles packages in preparing hosts: behind the walls of session hosts, without network and
 * variables, each in an interpreter of its own.
 *
 * @module
 */
import { packFiles } from "../../workers/session/interpreter/packages.ts";
import { packedFiles } from "../execution/images/packed.ts";
import type { Compile } from "../packages/bytecode.ts";
import { type PreparingBounds, withPreparingHost } from "./prepare.ts";

/** Larger packages stay as they are: all of one is in memory here while it is compiled. */
const MAX_BYTES = 64 << 20;
const TIMEOUT_MS = 120_000;
/** As builds. */
const NICENESS = 10;
const SOURCE = /^(.*\/)([^/]+)\.py$/;

/** Where the bytecode of sources is, by the tag of the interpreter's files. */
function bytecodePaths(sources: readonly string[], tag: string): Set<string> {
  return new Set(sources.flatMap((path) => {
    const [, folder, name] = SOURCE.exec(path) ?? [];
    return folder === undefined ? [] : [`${folder}__pycache__/${name}.${tag}.pyc`];
  }));
}

/** Packages of the interpreter at `place` are compiled while `work` runs. */
export async function withCompiler(
  place: { folder: string; cache: string },
  { memoryMb, signal, niceness = NICENESS }: {
    memoryMb: number;
    signal: AbortSignal;
    niceness?: number;
  },
  work: (compile: Compile) => Promise<void>,
): Promise<void> {
  const bounds: PreparingBounds = {
    memoryMb,
    timeoutMs: TIMEOUT_MS,
    madeBytes: 2 * MAX_BYTES,
    niceness,
    signal,
  };
  await withPreparingHost(place, async (host) => {
    await work(async (packed) => {
      if (packed.length > MAX_BYTES) return packed;
      const files = packedFiles(packed);
      const [made] = await host.compile(packed);
      if (made === undefined) return packed;
      const found = packedFiles(made.bytes);
      const tag = /\.([a-z0-9-]+)\.pyc$/.exec(found[0]?.path ?? "")?.[1] ?? "";
      // Nothing else than bytecode is taken from there.
      const allowed = bytecodePaths(files.map(({ path }) => path), tag);
      return packFiles([...files, ...found.filter(({ path }) => allowed.delete(path))]);
    });
  }, bounds);
}
