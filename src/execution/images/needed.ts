/**
 * The image that a server needs: the packages that its code imports, no more and no less. Servers with
 * the same packages and modules share it.
 *
 * @module
 */
import type { GivenPackages } from "../../packages/session_packages.ts";
import {
  type ImageCatalogue,
  importableNames,
  packagesFor,
  withOwn,
  withRequired,
} from "../hosts/images.ts";

/** Packages and modules that say all of an image: two servers with equal ones share it. */
export interface NeededImage {
  /** Packages, with all that they require, in order. */
  packages: string[];
  /** Modules of them to import, as the server does, in order: top-level ones first. */
  modules: string[];
  /** Where some of the packages are servers' own: all that such a server has. Else null. */
  own: GivenPackages | null;
}

/** What a server imports whenever it starts, and the files that it brings. */
export interface Importing {
  imports: readonly string[];
  modules: readonly string[];
  paths: Iterable<string>;
  /** Packages of its own; absent for those of the installation alone. */
  packages?: GivenPackages | undefined;
  /** Who published it: images are made by turns. */
  author?: string | undefined;
}

/**
 * The image that has all packages that the server imports; null if it imports none. A package that the
 * server hides with a module of its own is left out, with those that require it. Of packages of its own
 * all are there while the image is made: they see each other, whatever they say that they require.
 *
 * @param hasModule Whether a package of those has the module with a dotted name.
 * @param without Modules that no image may have, and with a top-level one all below it.
 */
export function neededImage(
  catalogue: ImageCatalogue["packages"],
  server: Importing,
  { hasModule, without = new Set() }: {
    hasModule: (packages: ReadonlySet<string>, module: string) => boolean;
    without?: ReadonlySet<string>;
  },
): NeededImage | null {
  const packages = withOwn(catalogue, server.packages);
  const names = importableNames(server.paths);
  const isOpen = (needed: ReadonlySet<string>) =>
    needed.size > 0 &&
    ![...needed].some((name) => packages[name]!.modules.some((module) => names.has(module)));
  const tops = server.imports.filter((top) =>
    !without.has(top) && isOpen(packagesFor(packages, [top]))
  );
  if (tops.length === 0) return null;
  const imported = packagesFor(packages, tops);
  const own = server.packages !== undefined &&
      [...imported].some((name) => Object.hasOwn(server.packages!.files, name))
    ? server.packages
    : null;
  const others = (own?.told.installed ?? []).filter((name) =>
    isOpen(withRequired(packages, [name]))
  );
  const found = imported.union(withRequired(packages, others));
  const below = server.modules.filter((module) =>
    tops.includes(module.split(".", 1)[0]!) && !without.has(module) && hasModule(found, module)
  );
  return {
    packages: [...found].sort(),
    modules: [...[...new Set(tops)].sort(), ...[...new Set(below)].sort()],
    own,
  };
}
