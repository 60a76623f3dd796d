/**
 * The interpreter's files as a host's workers get them: read and compiled once.
 *
 * @module
 */
import { createImages, type ImageFiles, type Images } from "./images.ts";
import type { BootParts } from "./boot_parts.ts";

/** What the workers of a host share or copy. */
export interface InterpreterFiles {
  parts: Omit<BootParts, "interrupt">;
  /** The file of each package that a worker may ask for. */
  packages: ReadonlyMap<string, string>;
  images: Images;
}

const MEMORY_SECTION = 5;
const HEADER = 8;
const LIMITS_WITH_MAXIMUM = 1;

/** Reads an unsigned LEB128 number: value, and where the next byte is. */
function readNumber(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  let shift = 0;
  for (;;) {
    const byte = bytes[at++]!;
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
    if (byte < 0x80) return [value, at];
  }
}

/**
 * Lowers the most memory that the module declares, in place. Nothing that runs in the module or
 * beside it can raise it again, and Python meets it as MemoryError.
 */
export function limitMemory(module: Uint8Array, pages: number): void {
  let at = HEADER;
  while (at < module.length) {
    const section = module[at]!;
    const [size, start] = readNumber(module, at + 1);
    if (section === MEMORY_SECTION) {
      const [, flagsAt] = readNumber(module, start);
      if (module[flagsAt] !== LIMITS_WITH_MAXIMUM) break;
      const [initial, maximumAt] = readNumber(module, flagsAt + 1);
      const [maximum, end] = readNumber(module, maximumAt);
      let left = Math.max(initial, Math.min(pages, maximum));
      // As many bytes as before: every later offset stays.
      for (let i = maximumAt; i < end; i++) {
        module[i] = (left & 0x7f) | (i < end - 1 ? 0x80 : 0);
        left = left >>> 7;
      }
      return;
    }
    at = start + size;
  }
  throw new Error("The interpreter's module has no memory with a maximum");
}

async function readShared(path: string): Promise<SharedArrayBuffer> {
  using file = await Deno.open(path);
  const { size } = await file.stat();
  const shared = new SharedArrayBuffer(size);
  const piece = new Uint8Array(1 << 20);
  let at = 0;
  for (let n = await file.read(piece); n !== null; n = await file.read(piece)) {
    new Uint8Array(shared, at, n).set(piece.subarray(0, n));
    at += n;
  }
  return shared;
}

interface Index {
  files: { path: string; name: string }[];
  packages: Record<string, string>;
  images: Record<string, ImageFiles>;
  lock_info: Record<string, string>;
}

/** Reads the folder that setup made; without a snapshot in it, workers boot plainly. */
export async function loadInterpreter(
  folder: string,
  memoryPages: number,
): Promise<InterpreterFiles> {
  const index = JSON.parse(await Deno.readTextFile(`${folder}/index.json`)) as Index;
  const wasm = await Deno.readFile(`${folder}/pyodide.asm.wasm`);
  limitMemory(wasm, memoryPages);
  const files: BootParts["files"] = [];
  for (const { path, name } of index.files) {
    files.push({ path, bytes: await Deno.readFile(`${folder}/${name}`) });
  }
  const parts = {
    module: await WebAssembly.compile(wasm),
    stdlib: await Deno.readFile(`${folder}/python_stdlib.zip`),
    files,
    snapshot: index.files.length === 0 ? null : await readShared(`${folder}/snapshot`),
    lockInfo: index.lock_info,
  };
  const packages = new Map(
    Object.entries(index.packages).map(([name, file]) => [name, `${folder}/${file}`]),
  );
  const images = createImages(index.images, {
    pages: (file) => Deno.readFile(`${folder}/${file}`),
    package: (name) => Deno.readFile(packages.get(name) ?? ""),
  });
  return { parts, packages, images };
}
