/**
 * The image that a server needs: the packages that its code imports, no more and no less. Servers with
 * the same packages and modules share it.
 *
 * @module
 */
import { type ImageCatalogue, importableNames, packagesFor } from "../hosts/images.ts";

/** Packages and modules that say all of an image: two servers with equal ones share it. */
export interface NeededImage {
  /** Packages, with all that they require, in order. */
  packages: string[];
  /** Modules of them to import, as the server does, in order: top-level ones first. */
  modules: string[];
}

/** What a server imports whenever it starts, and the files that it brings. */
export interface Importing {
  imports: readonly string[];
  modules: readonly string[];
  paths: Iterable<string>;
}

/**
 * The image that has all packages that the server imports; null if it imports none. A package that the
 * server hides with a module of its own is left out, with those that require it.
 *
 * @param hasModule Whether a package of those has the module with a dotted name.
 * @param without Modules that no image may have, and with a top-level one all below it.
 */
export function neededImage(
  packages: ImageCatalogue["packages"],
  server: Importing,
  { hasModule, without = new Set() }: {
    hasModule: (packages: ReadonlySet<string>, module: string) => boolean;
    without?: ReadonlySet<string>;
  },
): NeededImage | null {
  const own = importableNames(server.paths);
  const tops = server.imports.filter((top) => {
    const needed = [...packagesFor(packages, [top])];
    return !without.has(top) && needed.length > 0 &&
      !needed.some((name) => packages[name]!.modules.some((module) => own.has(module)));
  });
  if (tops.length === 0) return null;
  const found = packagesFor(packages, tops);
  const below = server.modules.filter((module) =>
    tops.includes(module.split(".", 1)[0]!) && !without.has(module) && hasModule(found, module)
  );
  return {
    packages: [...found].sort(),
    modules: [...[...new Set(tops)].sort(), ...[...new Set(below)].sort()],
  };
}
