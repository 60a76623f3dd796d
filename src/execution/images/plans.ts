/**
 * Of what an image for a server would be: packages and modules, and the key that says all of it.
 *
 * @module
 */
import { sha256Of } from "../../bytes.ts";
import type { ImageCatalogue } from "../hosts/images.ts";
import { type Importing, type NeededImage, neededImage } from "./needed.ts";
import { moduleNames, type Package } from "./packed.ts";

export interface ImagePlansDeps {
  /** Of the interpreter, its snapshot and the profile: images of another are other images. */
  fingerprint: string;
  catalogue: ImageCatalogue;
  /** A package of the catalogue, as this node has it. */
  package: (name: string) => Promise<Package>;
  /** A package of servers' own, by its file in the interpreter's folder. */
  ownPackage: (name: string, file: string) => Promise<Package>;
}

/** A package with the dotted names of its modules. */
type KnownPackage = Package & { modules: ReadonlySet<string> };

/** An image that could be made, with the packages that it may have. */
export interface ImagePlan {
  key: string;
  needed: NeededImage;
  /** The files of its packages. */
  files: KnownPackage[];
  /** The same without some modules, and with a top-level one all below it; null: nothing is left. */
  without(modules: Iterable<string>): Promise<ImagePlan | null>;
}

/** More than this is not read for an image: all of it is in memory while that is made. */
const PACKAGES_MAX_BYTES = 128 << 20;

/** What images there could be for servers, whose packages it reads for that. */
export class ImagePlans {
  readonly #deps: ImagePlansDeps;
  /** Sets of own packages of which no image is tried. */
  readonly #tooLarge = new Set<string | null>();

  constructor(deps: ImagePlansDeps) {
    this.#deps = deps;
  }

  /** The plan for a server; null where setup made one of the same packages, or they are too large. */
  async planFor(server: Importing): Promise<ImagePlan | null> {
    const { set = null } = server.packages ?? {};
    if (this.#tooLarge.has(set)) return null;
    const known = await this.#known(server);
    if (known !== null) return await this.#plan(server, known, new Set());
    this.#tooLarge.add(set);
    return null;
  }

  async #plan(
    server: Importing,
    known: ReadonlyMap<string, KnownPackage>,
    without: ReadonlySet<string>,
  ): Promise<ImagePlan | null> {
    const { catalogue, fingerprint } = this.#deps;
    const hasModule = (packages: ReadonlySet<string>, module: string) =>
      [...packages].some((name) => known.get(name)?.modules.has(module));
    const needed = neededImage(catalogue.packages, server, { hasModule, without });
    if (needed === null || this.#isCommon(needed)) return null;
    const files = needed.packages.map((name) => known.get(name)!);
    return {
      key: await keyOf(fingerprint, files, needed),
      needed,
      files,
      without: (modules) => this.#plan(server, known, new Set(modules)),
    };
  }

  /** Whether setup made one of the same packages. */
  #isCommon({ packages, own }: NeededImage): boolean {
    return own === null &&
      Object.values(this.#deps.catalogue.images).some((image) =>
        image.packages.length === packages.length &&
        image.packages.every((name) => packages.includes(name))
      );
  }

  #package(name: string, { packages }: Pick<Importing, "packages">): Promise<Package> {
    const { files = {} } = packages ?? {};
    return Object.hasOwn(files, name)
      ? this.#deps.ownPackage(name, files[name]!)
      : this.#deps.package(name);
  }

  /** All packages that an image for the server may have; null where they are too large together. */
  async #known(server: Importing): Promise<ReadonlyMap<string, KnownPackage> | null> {
    const all = neededImage(this.#deps.catalogue.packages, server, { hasModule: () => false });
    const known = new Map<string, KnownPackage>();
    let bytes = 0;
    for (const name of all?.packages ?? []) {
      const found = await this.#package(name, server);
      bytes += found.bytes.length;
      if (bytes > PACKAGES_MAX_BYTES) return null;
      known.set(name, { ...found, modules: moduleNames(found) });
    }
    return known;
  }
}

async function keyOf(
  fingerprint: string,
  packages: readonly Package[],
  { modules, own }: NeededImage,
): Promise<string> {
  const files = packages.map(({ name, digest }) => [name, digest]);
  const facts = [fingerprint, files, modules, ...own === null ? [] : [own.set]];
  return await sha256Of(new TextEncoder().encode(JSON.stringify(facts)));
}
