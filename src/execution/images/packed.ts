/**
 * What an image needs to know of a packed package: its modules, and the files beside them that code
 * reads. A session that begins with an image has the modules in its memory, but no files.
 *
 * @module
 */
import { type BootFile, unpackPackage } from "../../../workers/session/interpreter/packages.ts";

/** The files of a package, as setup or an index gave them, known by their digest. */
export interface Package {
  name: string;
  /** SHA-256 of its bytes. */
  digest: string;
  /** Its files, packed. */
  bytes: Uint8Array;
}

const MODULE = /^\/lib\/packages\/[^/]+\/(.+)\.py$/;
/** What is no data: code, and what is said of it. */
const NO_DATA = /\.(py|pyc|pyi|so)$|\/py\.typed$|^\/lib\/packages\/[^/]+\/[^/]+\.dist-info\//;

/** Dotted names of the modules of a package. */
export function moduleNames({ bytes }: Pick<Package, "bytes">): Set<string> {
  const found = new Set<string>();
  for (const { path } of unpackPackage(bytes)) {
    const name = MODULE.exec(path)?.[1];
    if (name !== undefined) found.add(name.replace(/\/__init__$/, "").replaceAll("/", "."));
  }
  return found;
}

/** Files in the form of a packed package: length of a JSON head, the head, the contents. */
export function packFiles(files: readonly BootFile[]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(
    JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length])),
  );
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const packed = new Uint8Array(4 + head.length + size);
  new DataView(packed.buffer).setUint32(0, head.length, true);
  packed.set(head, 4);
  let at = 4 + head.length;
  for (const { bytes } of files) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

/** The files of the packages that their code may read, packed; null if there are none. */
export function dataFiles(packages: readonly Package[]): Uint8Array<ArrayBuffer> | null {
  const files = packages.flatMap(({ bytes }) =>
    unpackPackage(bytes).filter(({ path }) => !NO_DATA.test(path))
  );
  return files.length === 0 ? null : packFiles(files);
}
