/**
 * Notes what compiled modules read and draw while an image is made of them: sessions that begin with it
 * would have that in common. Modules are watched that are loaded from then on, as Python itself has
 * read its own.
 *
 * @module
 */
import type { EmscriptenModule } from "../libraries.ts";

/** C's functions that give what is random. */
const DRAWS = new Set(["getentropy", "random_get", "emscripten_random", "emscripten_math_random"]);
const VARIABLE = "getenv";

/** What compiled modules did. */
export interface Watched {
  /** Names of environment variables. */
  reads: ReadonlySet<string>;
  /** Paths of the modules that have drawn random values since this was called last. */
  drawn(): string[];
}

type Call = (...args: number[]) => unknown;

/** Watches the modules that are loaded from now on. */
export function watchLibraries(module: EmscriptenModule): Watched {
  const reads = new Set<string>();
  const drawn = new Set<string>();
  const { prepareLibrary } = module;

  function watched(name: string, plain: Call, path: string): Call {
    return (...args) => {
      if (name === VARIABLE) {
        const [at = 0] = args;
        reads.add(new TextDecoder().decode(module.HEAPU8.slice(at, module.HEAPU8.indexOf(0, at))));
      } else drawn.add(path);
      return plain(...args);
    };
  }

  module.prepareLibrary = (library, given) => {
    const imports = prepareLibrary?.(library, given) ?? given;
    const loading = Object.values(module.LDSO.loadedLibsByName)
      .findLast(({ exports }) => (exports as unknown) === "loading");
    // Only what it calls by name: addresses are the same for all, also where the image is linked.
    const env = new Proxy(imports["env"]!, {
      get(target, name: string) {
        const plain = target[name];
        const isWatched = name === VARIABLE || DRAWS.has(name);
        if (!isWatched || typeof plain !== "function") return plain;
        return watched(name, plain as Call, loading?.name ?? "");
      },
    });
    return { ...imports, env };
  };
  return {
    reads,
    drawn() {
      const paths = [...drawn];
      drawn.clear();
      return paths;
    },
  };
}
