/**
 * With which image a server's sessions begin: what setup made of packages that take long to import.
 *
 * @module
 */

/** What setup packed and made. */
export interface ImageCatalogue {
  /** By package: its top-level modules, and the packages that it requires. */
  packages: Record<string, { modules: string[]; requires: string[] }>;
  /** By image: the packages in it. */
  images: Record<string, { packages: string[] }>;
}

/** What is known of a server before it runs. */
export interface ImageInput {
  /** Top-level modules that its code imports whenever it runs; null where no scan said it. */
  imports: readonly string[] | null;
  /** Paths of its files. */
  files: Iterable<string>;
  /** Packages that it has in place of the installation's. */
  own?: readonly string[] | undefined;
}

/** The packages that have `modules`, with all that they require. */
export function packagesFor(
  packages: ImageCatalogue["packages"],
  modules: readonly string[],
): Set<string> {
  const wanted = new Set(modules);
  const found = new Set<string>();
  const open = Object.keys(packages).filter((name) =>
    packages[name]!.modules.some((module) => wanted.has(module))
  );
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...packages[name]!.requires.filter((each) => Object.hasOwn(packages, each)));
  }
  return found;
}

/** The names by which files and folders can be imported. */
function importableNames(files: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const path of files) {
    for (const part of path.split("/")) names.add(part.replace(/\.pyi?$/, ""));
  }
  return names;
}

/** The largest image that has nothing but what the server imports anyway; null for none. */
export function chooseImage(catalogue: ImageCatalogue, server: ImageInput): string | null {
  if (server.imports === null) return null;
  const needed = packagesFor(catalogue.packages, server.imports);
  const own = importableNames(server.files);
  // A module of the server comes before one of a package with the same name: not if that is there.
  const isHidden = (name: string) =>
    server.own?.includes(name) ||
    catalogue.packages[name]?.modules.some((module) => own.has(module));
  const fitting = Object.entries(catalogue.images).filter(([, { packages }]) =>
    packages.every((name) => needed.has(name) && !isHidden(name))
  );
  fitting.sort(([, a], [, b]) => b.packages.length - a.packages.length);
  return fitting[0]?.[0] ?? null;
}
