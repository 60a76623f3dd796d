/**
 * The interpreter's files as a host's workers get them: the module compiled once and shared, the
 * others read for each worker, which then has their memory. The system keeps them in its cache; a
 * host that kept them would add 30 MB to its sessions.
 *
 * @module
 */
import {
  createImages,
  type ImageFiles,
  type Images,
  type MadeFiles,
  type OwnFiles,
} from "./images.ts";
import { openSnapshot } from "./interpreter/snapshot.ts";
import type { BootParts, Shared } from "./boot_parts.ts";
import { madeFolderOf } from "./made_folder.ts";
import { HEADER_BYTES, WasmReader } from "./interpreter/wasm_reader.ts";

/** What the workers of a host boot from. */
export interface InterpreterFiles {
  /** Reads what one worker boots from. */
  read(): Promise<Omit<BootParts, keyof Shared>>;
  /** Where they are. */
  folder: string;
  /** The file of each package that a worker may ask for. */
  packages: ReadonlyMap<string, string>;
  images: Images;
}

/** Where the file of a package is: the server's own, else that of the interpreter. */
export function packageFile(
  { folder, packages }: Pick<InterpreterFiles, "folder" | "packages">,
  name: string,
  own: OwnFiles,
): string | undefined {
  return Object.hasOwn(own, name) ? `${folder}/${own[name]}` : packages.get(name);
}

/** Larger files come late: the zips of the standard library and of Berth's modules. */
const LATE_BYTES = 512 * 1024;
const MEMORY_SECTION = 5;
const LIMITS_WITH_MAXIMUM = 1;

/**
 * Lowers the most memory that the module declares, in place. Nothing that runs in the module or
 * beside it can raise it again, and Python meets it as MemoryError.
 */
export function limitMemory(module: Uint8Array, pages: number): void {
  const reader = new WasmReader(module, HEADER_BYTES);
  while (reader.at < module.length) {
    const section = reader.byte();
    const next = reader.number() + reader.at;
    if (section === MEMORY_SECTION) {
      reader.number();
      if (reader.byte() !== LIMITS_WITH_MAXIMUM) break;
      const initial = reader.number();
      const maximumAt = reader.at;
      const maximum = reader.number();
      let left = Math.max(initial, Math.min(pages, maximum));
      // As many bytes as before: every later offset stays.
      for (let i = maximumAt; i < reader.at; i++) {
        module[i] = (left & 0x7f) | (i < reader.at - 1 ? 0x80 : 0);
        left = left >>> 7;
      }
      return;
    }
    reader.at = next;
  }
  throw new Error("The interpreter's module has no memory with a maximum");
}

interface Index {
  files: { path: string; name: string }[];
  packages: Record<string, string>;
  images: Record<string, ImageFiles>;
  lock_info: Record<string, string>;
}

async function readMade(pages: string): Promise<MadeFiles> {
  using file = await Deno.open(pages);
  const { head } = openSnapshot(file);
  const files = await Deno.readFile(`${pages}.files`).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  });
  return { pages, libraries: head.libraries.map(({ path }) => path), files };
}

/** Reads the folder that setup made; without a snapshot in it, workers boot plainly. */
export async function loadInterpreter(
  folder: string,
  memoryPages: number,
): Promise<InterpreterFiles> {
  const index = JSON.parse(await Deno.readTextFile(`${folder}/index.json`)) as Index;
  const wasm = await Deno.readFile(`${folder}/pyodide.asm.wasm`);
  limitMemory(wasm, memoryPages);
  const module = await WebAssembly.compile(wasm);
  // The module has a copy: given back at once, not when it is collected.
  wasm.buffer.transfer(0);
  const packages = new Map(
    Object.entries(index.packages).map(([name, file]) => [name, `${folder}/${file}`]),
  );
  const images = createImages(index.images, {
    made: (name) => readMade(`${madeFolderOf(folder)}/${name}`),
    pages: (file) => `${folder}/${file}`,
    package: (name, own) => Deno.readFile(packageFile({ folder, packages }, name, own) ?? ""),
  });
  const isPlain = index.files.length === 0;
  const [major, minor] = index.lock_info["python"]!.split(".");
  const stdlib = {
    path: `/lib/python${major}${minor}.zip`,
    source: `${folder}/python_stdlib.zip`,
  };
  const files = index.files.map(({ path, name }) => ({ path, source: `${folder}/${name}` }));
  const sized = await Promise.all(
    [...isPlain ? [] : [stdlib], ...files].map(async (file) => ({
      ...file,
      size: (await Deno.stat(file.source)).size,
    })),
  );
  const source = `${folder}/symbols.json`;
  const symbols = isPlain ? null : { source, size: (await Deno.stat(source)).size };
  const late = sized.filter(({ size }) => size > LATE_BYTES);
  const early = sized.filter(({ size }) => size <= LATE_BYTES);
  return {
    folder,
    packages,
    images,
    async read() {
      const contents = await Promise.all(early.map(({ source }) => Deno.readFile(source)));
      return {
        module,
        stdlib: isPlain ? await Deno.readFile(stdlib.source) : null,
        files: early.map(({ path }, i) => ({ path, bytes: contents[i]! })),
        late,
        snapshot: isPlain ? null : `${folder}/snapshot`,
        symbols,
        lockInfo: index.lock_info,
      };
    },
  };
}

/** The memory of `parts` that goes to the worker that gets them. */
export function memoryOf({ stdlib, files }: BootParts): ArrayBuffer[] {
  return [stdlib, ...files.map(({ bytes }) => bytes)]
    .flatMap((bytes) => bytes === null ? [] : [bytes.buffer]);
}
