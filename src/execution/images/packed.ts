/**
 * What an image needs to know of a packed package: its modules, and the files beside them that code
 * reads. A session that begins with an image has the modules in its memory, but no files.
 *
 * @module
 */
import {
  type BootFile,
  packFiles,
  unpackPackage,
} from "../../../workers/session/interpreter/packages.ts";

/** The files of a package, as setup or an index gave them, known by their digest. */
export interface Package {
  name: string;
  /** SHA-256 of its bytes. */
  digest: string;
  /** Its files, packed. */
  bytes: Uint8Array;
}

/** A list of more files than any package has would stop the process. */
const HEAD_MAX_BYTES = 4 << 20;

/** The files of a package that was packed in a process of its own, from what strangers wrote. */
export function packedFiles(bytes: Uint8Array): BootFile[] {
  const head = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (head > HEAD_MAX_BYTES) throw new Error("A package has too many files");
  const files = unpackPackage(bytes);
  if (files.some(({ path }) => typeof path !== "string")) throw new Error("Not a packed package");
  return files;
}

const MODULE = /^\/lib\/packages\/[^/]+\/(.+)\.py$/;
/** What is no data: code, and what is said of it. */
const NO_DATA = /\.(py|pyc|pyi|so)$|\/py\.typed$|^\/lib\/packages\/[^/]+\/[^/]+\.dist-info\//;

/** Dotted names of the modules of a package. */
export function moduleNames({ bytes }: Pick<Package, "bytes">): Set<string> {
  const found = new Set<string>();
  for (const { path } of packedFiles(bytes)) {
    const name = MODULE.exec(path)?.[1];
    if (name !== undefined) found.add(name.replace(/\/__init__$/, "").replaceAll("/", "."));
  }
  return found;
}

/** The files of the packages that their code may read, packed; null if there are none. */
export function dataFiles(packages: readonly Package[]): Uint8Array<ArrayBuffer> | null {
  const files = packages.flatMap(({ bytes }) =>
    packedFiles(bytes).filter(({ path }) => !NO_DATA.test(path))
  );
  return files.length === 0 ? null : packFiles(files);
}
