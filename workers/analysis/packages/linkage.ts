/**
 * Whether an interpreter can link the compiled modules of a package, by what they say of themselves.
 * The loader would find out only when a tool is called.
 *
 * @module
 */
import { posix } from "node:path";
import { moduleName } from "./compiled_parts.ts";

/** What a compiled module takes and has. */
interface Linkage {
  imports: string[];
  exports: ReadonlySet<string>;
  /** Paths of libraries that are linked first; null where the package has none of that name. */
  libraries: { name: string; path: string | null }[];
}

/** What the loader gives each module itself. */
const OF_LOADER = new Set(["__memory_base", "__table_base"]);
/** JavaScript in a compiled module, which the loader would evaluate. */
const JAVASCRIPT = /^(?:__start_em_asm|__start_em_js$|__em_js__)/;

/** Of the section `dylink.0`. */
const NEEDED = 2;
const IMPORTS = 4;
const RUNTIME_PATHS = 5;
const WEAK = 1;

const decoder = new TextDecoder();

/** Reads numbers and names; beyond the end there are zeros. */
function readerOf(bytes: Uint8Array) {
  let at = 0;
  function number(): number {
    for (let value = 0, scale = 1;; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
  function take(length: number): Uint8Array {
    return bytes.subarray(at, at += length);
  }
  const name = () => decoder.decode(take(number()));
  return {
    number,
    name,
    take,
    isAtEnd: () => at >= bytes.length,
    list<T>(item: () => T): T[] {
      const items: T[] = [];
      for (let left = number(); left > 0 && at < bytes.length; left--) items.push(item());
      return items;
    },
  };
}

/** What a module's loader has to know: the libraries it needs, where they may be, weak symbols. */
function dylinkOf(module: WebAssembly.Module) {
  const found = { needed: [] as string[], paths: [] as string[], weak: new Set<string>() };
  const [section] = WebAssembly.Module.customSections(module, "dylink.0");
  if (section === undefined) return found;
  const reader = readerOf(new Uint8Array(section));
  while (!reader.isAtEnd()) {
    const kind = reader.number();
    const part = readerOf(reader.take(reader.number()));
    if (kind === NEEDED) found.needed = part.list(part.name);
    if (kind === RUNTIME_PATHS) found.paths = part.list(part.name);
    if (kind !== IMPORTS) continue;
    for (
      const { name, flags } of part.list(() => {
        part.name();
        return { name: part.name(), flags: part.number() };
      })
    ) if ((flags & WEAK) !== 0) found.weak.add(name);
  }
  return found;
}

/** Where a library is that a module needs, as the loader looks for it. */
function placeOf(
  name: string,
  { path, paths, files }: { path: string; paths: string[]; files: ReadonlyMap<string, unknown> },
): string | null {
  const folder = posix.dirname(path);
  const places = paths.map((each) => posix.normalize(`${each.replace("$ORIGIN", folder)}/${name}`));
  return places.find((place) => files.has(place)) ?? null;
}

function linkageOf(path: string, files: ReadonlyMap<string, Uint8Array>): Linkage {
  const module = new WebAssembly.Module(new Uint8Array(files.get(path)!));
  const { needed, paths, weak } = dylinkOf(module);
  return {
    imports: WebAssembly.Module.imports(module).map(({ name }) => name)
      .filter((name) => !OF_LOADER.has(name) && !weak.has(name)),
    exports: new Set(WebAssembly.Module.exports(module).map(({ name }) => name)),
    libraries: needed.map((name) => ({ name, path: placeOf(name, { path, paths, files }) })),
  };
}

function shown(text: string): string {
  return text.slice(0, 80);
}

/** Tells of the compiled modules of a package why they cannot be linked; null: they can. */
export function createLinkage(
  files: ReadonlyMap<string, Uint8Array>,
  symbols: ReadonlySet<string>,
): (path: string) => string | null {
  const linkages = new Map<string, Linkage | null>();
  const lacks = new Map<string, string | null>();

  function read(path: string): Linkage | null {
    if (!linkages.has(path)) {
      try {
        linkages.set(path, linkageOf(path, files));
      } catch {
        linkages.set(path, null);
      }
    }
    return linkages.get(path)!;
  }

  function find(path: string): string | null {
    const linkage = read(path);
    const subject = `its compiled module ${shown(moduleName(path))}`;
    if (linkage === null) return `${subject} cannot be read`;
    if ([...linkage.exports].some((name) => JAVASCRIPT.test(name))) {
      return `${subject} brings JavaScript of its own`;
    }
    const known = [symbols, linkage.exports];
    for (const library of linkage.libraries) {
      if (library.path === null) {
        return `${subject} needs the library ${shown(library.name)}, which it does not bring`;
      }
      const lack = lackOf(library.path);
      if (lack !== null) return lack;
      known.push(read(library.path)!.exports);
    }
    const missing = linkage.imports.find((name) => !known.some((names) => names.has(name)));
    return missing === undefined
      ? null
      : `${subject} needs ${shown(missing)}, which sessions do not have`;
  }

  function lackOf(path: string): string | null {
    if (!lacks.has(path)) {
      // Of two libraries that need each other, neither lacks anything for that.
      lacks.set(path, null);
      lacks.set(path, find(path));
    }
    return lacks.get(path)!;
  }
  return lackOf;
}
