/**
 * Makes images of the packages that servers of this node import, one after the other and in the
 * background. What is made is a matter of the packages and modules alone: no code, variable or file of
 * a server has a part in it.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import type { ImageCatalogue, KnownImage } from "../hosts/images.ts";
import { type Importing, type NeededImage, neededImage } from "./needed.ts";
import { dataFiles, moduleNames, type Package } from "./packed.ts";
import type { ImageStore, StoreFigures } from "./store.ts";

/** What came of importing the modules in a preparing host; no pages where some were refused. */
export interface MadePages {
  pages: Uint8Array;
  /** Environment variables that the packages read. */
  reads: string[];
  /** Modules that no image may have, each with the reason. */
  refused: Record<string, string>;
}

/** A making that took too long, which a machine with less to do may finish. */
export class OutOfTime extends Error {}

/** Has images made and tried, each in a process of its own. */
export interface ImageMaking {
  /** Rejects when there can be no such image. */
  make(
    needed: NeededImage,
    packages: readonly Package[],
    signal: AbortSignal,
  ): Promise<MadePages>;
  /** Starts a server with the image `name` of the node's folder; rejects when that fails. */
  attempt(name: string, needed: NeededImage, signal: AbortSignal): Promise<void>;
}

export interface ImageMakerDeps {
  /** Of the interpreter, its snapshot and the profile: images of another are other images. */
  fingerprint: string;
  catalogue: ImageCatalogue;
  /** A package of the catalogue, as this node has it. */
  package: (name: string) => Promise<Package>;
  store: ImageStore;
  making: ImageMaking;
  now: () => Date;
  log: Logger;
}

/** What metrics tell of images since the start of the node. */
export interface ImageFigures extends StoreFigures {
  made: number;
  /** Sets of packages of which no image could be made. */
  failed: number;
}

/** The images of this node beside those of setup. */
export interface MadeImages {
  images(): Readonly<Record<string, KnownImage>>;
  /** Notes that a session begins with it; false when there is no such image any more. */
  use(name: string): Promise<boolean>;
  /** SHA-256 of its pages; null when there is no such image any more. */
  digest(name: string): string | null;
  /** Takes note of a server that runs: its packages may be worth an image. */
  wanted(server: Importing): void;
  figures(): ImageFigures;
  /** Resolves when nothing is being made. */
  idle(): Promise<void>;
  /** Makes no more. */
  close(): Promise<void>;
}

/** Servers that wait; those beyond are noted when they start again. */
const WAITING_MAX = 32;
/** Each round leaves out what the one before found to be in no image. */
const ROUNDS_MAX = 5;
/** After so long, what was out of time is tried again. */
const AGAIN_MS = 60 * 60_000;
const REASON_MAX = 300;

async function keyOf(
  fingerprint: string,
  packages: readonly Package[],
  modules: readonly string[],
): Promise<string> {
  const facts = [fingerprint, packages.map(({ name, digest }) => [name, digest]), modules];
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);

class Maker implements MadeImages {
  readonly #deps: ImageMakerDeps;
  readonly #waiting = new Map<string, Importing>();
  readonly #modules = new Map<string, Set<string>>();
  #running: Promise<void> | null = null;
  readonly #closing = new AbortController();
  #made = 0;
  #failed = 0;

  constructor(deps: ImageMakerDeps) {
    this.#deps = deps;
  }

  images(): Readonly<Record<string, KnownImage>> {
    return this.#deps.store.images();
  }

  async use(name: string): Promise<boolean> {
    const isThere = await this.#deps.store.use(name);
    if (!isThere) this.#deps.log.warn("image.damaged", { image: name });
    return isThere;
  }

  digest(name: string): string | null {
    return this.#deps.store.digest(name);
  }

  figures(): ImageFigures {
    return { ...this.#deps.store.figures(), made: this.#made, failed: this.#failed };
  }

  wanted({ imports, modules, paths }: Importing): void {
    const needed = imports.filter((top) =>
      Object.values(this.#deps.catalogue.packages).some((each) => each.modules.includes(top))
    );
    if (this.#closing.signal.aborted || needed.length === 0 || this.#waiting.size >= WAITING_MAX) {
      return;
    }
    const server = { imports: needed, modules, paths: [...paths] };
    this.#waiting.set(JSON.stringify(server), server);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("Berth is shutting down"));
    this.#waiting.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const [key, server] of this.#waiting) {
      this.#waiting.delete(key);
      try {
        await this.#makeFor(server);
      } catch (error) {
        this.#deps.log.warn("image.failed", { error });
      }
    }
    this.#running = null;
  }

  /** Reads the modules of the packages once each. */
  async #readModules(server: Importing): Promise<void> {
    const all = neededImage(this.#deps.catalogue.packages, server, { hasModule: () => false });
    for (const name of all?.packages ?? []) {
      if (this.#modules.has(name)) continue;
      this.#modules.set(name, moduleNames(await this.#deps.package(name)));
    }
  }

  #needed(server: Importing, without: ReadonlySet<string>): NeededImage | null {
    const hasModule = (packages: ReadonlySet<string>, module: string) =>
      [...packages].some((name) => this.#modules.get(name)?.has(module));
    return neededImage(this.#deps.catalogue.packages, server, { hasModule, without });
  }

  /** Whether setup made one of the same packages. */
  #isCommon({ packages }: NeededImage): boolean {
    return Object.values(this.#deps.catalogue.images).some((image) =>
      image.packages.length === packages.length &&
      image.packages.every((name) => packages.includes(name))
    );
  }

  async #makeFor(server: Importing): Promise<void> {
    const { store, log, fingerprint } = this.#deps;
    await this.#readModules(server);
    const wanted = this.#needed(server, new Set());
    if (wanted === null || this.#isCommon(wanted)) return;
    const packages = await Promise.all(wanted.packages.map((name) => this.#deps.package(name)));
    const key = await keyOf(fingerprint, packages, wanted.modules);
    if (store.outcome(key) !== null) return;
    const begun = performance.now();
    const reasons: Record<string, string> = {};
    let image: string | null = null;
    let again: number | null = null;
    try {
      image = await this.#makeMost(server, reasons);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      // For want of room, of disk: not for good.
      if (error instanceof RangeError || error instanceof Deno.errors.NotFound) throw error;
      if (error instanceof OutOfTime) again = this.#deps.now().getTime() + AGAIN_MS;
      reasons["image"] = reasonOf(error);
    }
    await store.setOutcome(key, { image, reasons, again });
    if (image === null) this.#failed++;
    const seconds = Math.round((performance.now() - begun) / 1000);
    const fields = { image, packages: wanted.packages.length, reasons, seconds };
    if (image === null) log.warn("image.none", fields);
    else log.info("image.made", fields);
  }

  /** Makes an image of all that may be in one, and says why of the rest. @returns Its name. */
  async #makeMost(server: Importing, reasons: Record<string, string>): Promise<string | null> {
    const { store, making, fingerprint } = this.#deps;
    const { signal } = this.#closing;
    for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
      const needed = this.#needed(server, new Set(Object.keys(reasons)));
      if (needed === null || this.#isCommon(needed)) return null;
      const packages = await Promise.all(needed.packages.map((name) => this.#deps.package(name)));
      const name = await keyOf(fingerprint, packages, needed.modules);
      if (Object.hasOwn(store.images(), name)) return name;
      const { pages, reads, refused } = await making.make(needed, packages, signal);
      Object.assign(reasons, refused);
      if (Object.keys(refused).length > 0) continue;
      const image = { ...needed, reads, pages, files: dataFiles(packages) };
      await store.put(name, image, (untried) => making.attempt(untried, needed, signal));
      this.#made++;
      return name;
    }
    return null;
  }
}

/** A maker that has made nothing yet. */
export function createImageMaker(deps: ImageMakerDeps): MadeImages {
  return new Maker(deps);
}
