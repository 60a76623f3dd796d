/**
 * With which image a server's sessions begin: what setup made of packages that take long to import.
 *
 * @module
 */
import type { GivenPackages } from "../../packages/session_packages.ts";
import { mentionsVariable } from "../images/variables.ts";

/** What setup packed and made. */
export interface ImageCatalogue {
  /** By package: its top-level modules, and the packages that it requires. */
  packages: Record<string, { modules: string[]; requires: string[] }>;
  images: Record<string, KnownImage>;
}

/** What is known of an image without reading it. */
export interface KnownImage {
  /** Packages in it. */
  packages: readonly string[];
  /**
   * Environment variables that its packages read when they were imported, `PREFIX*` for all that begin
   * so: what a session sets comes too late for them.
   */
  reads: readonly string[];
  /** Modules in it that a server must import itself to get it; absent: its packages say enough. */
  modules?: readonly string[];
  /**
   * The set of own packages that a server must have to get it, all by their digests; null or absent:
   * there are only packages of the installation in it.
   */
  own?: string | null;
}

/** What is known of a server before it runs. */
export interface ImageInput {
  /** Top-level modules that its code imports whenever it runs; null where no scan said it. */
  imports: readonly string[] | null;
  /** Dotted names that it imports then. */
  modules?: readonly string[];
  /** Its files, by path. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Names of the variables that its session sets. */
  variables?: readonly string[];
  /** Packages of its own; absent for those of the installation alone. */
  packages?: GivenPackages | undefined;
}

/** What a server with these packages can import. */
export function withOwn(
  packages: ImageCatalogue["packages"],
  own: GivenPackages | undefined,
): ImageCatalogue["packages"] {
  return own === undefined ? packages : { ...packages, ...own.told.own };
}

/** The packages that have `modules`, with all that they require. */
export function packagesFor(
  packages: ImageCatalogue["packages"],
  modules: readonly string[],
): Set<string> {
  const wanted = new Set(modules);
  return withRequired(
    packages,
    Object.keys(packages).filter((name) =>
      packages[name]!.modules.some((module) => wanted.has(module))
    ),
  );
}

/** All that has to be there for `names` to be imported: themselves and what they require. */
export function withRequired(
  packages: ImageCatalogue["packages"],
  names: readonly string[],
): Set<string> {
  const found = new Set<string>();
  const open = names.filter((name) => Object.hasOwn(packages, name));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...packages[name]!.requires.filter((each) => Object.hasOwn(packages, each)));
  }
  return found;
}

/** The names by which files and folders can be imported. */
export function importableNames(files: Iterable<string>): Set<string> {
  const names = new Set<string>();
  for (const path of files) {
    for (const part of path.split("/")) names.add(part.replace(/\.pyi?$/, ""));
  }
  return names;
}

/** Whether what a session sets, or the server's code may set, is what the image's packages read. */
function isFrozen({ reads }: KnownImage, { files, variables = [] }: ImageInput): boolean {
  return reads.some((read) =>
    variables.some((name) =>
      read.endsWith("*") ? name.startsWith(read.slice(0, -1)) : name === read
    ) || mentionsVariable(files, read)
  );
}

/** The largest image that has nothing but what the server imports anyway; null for none. */
export function chooseImage(catalogue: ImageCatalogue, server: ImageInput): string | null {
  if (server.imports === null) return null;
  const known = withOwn(catalogue.packages, server.packages);
  const needed = packagesFor(known, server.imports);
  const imported = new Set([...server.imports, ...server.modules ?? []]);
  const names = importableNames(server.files.keys());
  // A module of the server comes before one of a package with the same name: not if that is there.
  const isHidden = (name: string) => known[name]?.modules.some((module) => names.has(module));
  const ownSet = server.packages?.set ?? null;
  /** One with code of strangers is for servers that have the same code, all of it and no other. */
  const isFor = ({ packages, own = null }: KnownImage) =>
    own === null
      ? packages.every((name) =>
        needed.has(name) && !Object.hasOwn(server.packages?.files ?? {}, name)
      )
      : own === ownSet;
  const fitting = Object.entries(catalogue.images).filter(([, image]) =>
    isFor(image) && !image.packages.some(isHidden) &&
    (image.modules ?? []).every((module) => imported.has(module))
  );
  const size = ({ packages, modules = [] }: KnownImage) => packages.length + modules.length / 1e6;
  fitting.sort(([, a], [, b]) => size(b) - size(a));
  return fitting.find(([, image]) => !isFrozen(image, server))?.[0] ?? null;
}

/** Whether an image that is there, of setup's or of `made`, has only packages of the installation. */
export function isCommonImage(
  catalogue: ImageCatalogue,
  made: ImageCatalogue["images"] | undefined,
  image: string,
): boolean {
  const found = [catalogue.images, made ?? {}].find((images) => Object.hasOwn(images, image))
    ?.[image];
  return found !== undefined && (found.own ?? null) === null;
}
