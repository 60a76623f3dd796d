/**
 * The images of a host: what its interpreters may go on with from the snapshot. Each interpreter
 * reads the pages itself; compiled modules are compiled once.
 *
 * @module
 */
import { unpackPackage } from "./interpreter/packages.ts";
import type { ImageParts } from "./boot_parts.ts";

/** Names that the node gives the images that it made, or is about to try. */
const MADE = /^(new-)?[0-9a-f-]{36,64}$/;
/** In the path of a package's file: `/lib/packages/NAME/…`. */
const PACKAGE_PART = 3;

/** What the host reads from the interpreter's folder to go on with an image. */
export interface ImageFiles {
  /** File of its pages. */
  pages: string;
  /** The compiled modules in it. */
  libraries: Library[];
}

/** A compiled module: path in an interpreter, and the package that has it. */
interface Library {
  path: string;
  package: string;
}

/** Files of an image that the node made. */
export interface MadeFiles {
  /** Path of its pages. */
  pages: string;
  /** Paths of the compiled modules in it, in an interpreter. */
  libraries: string[];
  /** What its packages read of their files, packed; null for nothing. */
  files: Uint8Array<ArrayBuffer> | null;
}

/** Files of packages that are a server's own, by package. */
export type OwnFiles = Readonly<Record<string, string>>;

/**
 * Images as a host hands them to its interpreters. `own`: packages of the server that the interpreter
 * is for, in place of those of the interpreter's folder.
 */
export interface Images {
  /** Compiles what servers may need of these images, in the background. */
  makeReady(names: readonly string[]): void;
  /** What an interpreter that belongs to no server goes on with; null for no image. */
  lend(name: string | null): Promise<ImageParts | null>;
  /** Compiled modules of packages. */
  modules(libraries: readonly Library[], own: OwnFiles): Promise<ImageParts["libraries"]>;
  /** What a server's interpreter goes on with; null for no image. Throws when it cannot be read. */
  take(name: string | null, own: OwnFiles): Promise<ImageParts | null>;
}

/** What images are made of; a package may fail to be read. */
export interface ImageReader {
  /** An image that the node made. */
  made(name: string): Promise<MadeFiles>;
  /** Path of a file of pages. */
  pages(file: string): string;
  /** Of `own` if it is there. */
  package(name: string, own: OwnFiles): Promise<Uint8Array>;
}

async function compile(path: string, packed: Promise<Uint8Array>): Promise<WebAssembly.Module> {
  const file = unpackPackage(await packed).find((each) => each.path === path);
  if (file === undefined) throw new Error(`No file ${path}`);
  return await WebAssembly.compile(file.bytes as Uint8Array<ArrayBuffer>);
}

const NONE: OwnFiles = {};

/** The images of an interpreter's folder. */
export function createImages(files: Record<string, ImageFiles>, read: ImageReader): Images {
  /** By file and path. Dropped once the host has a server that needs none: it never gets another. */
  const compiled = new Map<string, Promise<WebAssembly.Module>>();
  let isOpen = false;

  function moduleAt(path: string, name: string, own: OwnFiles): Promise<WebAssembly.Module> {
    const key = Object.hasOwn(own, name) ? `${own[name]} ${path}` : path;
    let found = compiled.get(key);
    if (found === undefined) {
      compiled.set(key, found = compile(path, read.package(name, own)));
      found.catch(() => compiled.delete(key));
    }
    return found;
  }

  function modules(
    libraries: readonly Library[],
    own: OwnFiles,
  ): Promise<ImageParts["libraries"]> {
    return Promise.all(libraries.map(async (library) => ({
      path: library.path,
      module: await moduleAt(library.path, library.package, own),
    })));
  }

  function imageOf(name: string): ImageFiles | null {
    const image = Object.hasOwn(files, name) ? files[name]! : null;
    if (image === null && !MADE.test(name)) throw new Error("No such image");
    return image;
  }

  async function loadMade(name: string, own: OwnFiles): Promise<ImageParts> {
    const { pages, libraries, files } = await read.made(name);
    return {
      pages,
      libraries: await modules(
        libraries.map((path) => ({ path, package: path.split("/")[PACKAGE_PART]! })),
        own,
      ),
      files: files === null ? [] : unpackPackage(files),
    };
  }

  async function load(name: string | null, own: OwnFiles): Promise<ImageParts | null> {
    if (name === null) return null;
    const image = imageOf(name);
    if (image === null) return await loadMade(name, own);
    const libraries = await modules(image.libraries, own);
    return { pages: read.pages(image.pages), libraries, files: [] };
  }

  return {
    makeReady(names) {
      if (isOpen) return;
      for (const library of names.flatMap((name) => files[name]?.libraries ?? [])) {
        void moduleAt(library.path, library.package, NONE);
      }
    },
    lend: (name) => load(name, NONE),
    modules,
    async take(name, own) {
      isOpen = true;
      if (name === null) compiled.clear();
      return await load(name, own);
    },
  };
}
