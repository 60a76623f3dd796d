/**
 * Makes images of the packages that servers of this node import, one after the other and in the
 * background. What is made is a matter of the packages and modules alone: no code, variable or file of
 * a server has a part in it.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { type ImageCatalogue, type KnownImage, withOwn } from "../hosts/images.ts";
import { type ImageMaking, type MakingLimits, OutOfTime } from "./making.ts";
import { type Importing, type NeededImage, neededImage } from "./needed.ts";
import { dataFiles, moduleNames, type Package } from "./packed.ts";
import { ImageQueue } from "./queue.ts";
import type { ImageStore, StoreFigures } from "./types.ts";

export interface ImageMakerDeps {
  /** Of the interpreter, its snapshot and the profile: images of another are other images. */
  fingerprint: string;
  catalogue: ImageCatalogue;
  /** A package of the catalogue, as this node has it. */
  package: (name: string) => Promise<Package>;
  /** A package of servers' own, by its file in the interpreter's folder. */
  ownPackage: (name: string, file: string) => Promise<Package>;
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
  /** Keeps it, if this node made it, until the function that is returned is called. */
  hold(name: string): () => void;
  /** Takes note of a server that runs: its packages may be worth an image. */
  wanted(server: Importing): void;
  figures(): ImageFigures;
  /** Resolves when nothing is being made. */
  idle(): Promise<void>;
  /** Makes no more. */
  close(): Promise<void>;
}

/** A package with the dotted names of its modules. */
type KnownPackage = Package & { modules: ReadonlySet<string> };

/** More than this is not read for an image: all of it is in memory while that is made. */
const PACKAGES_MAX_BYTES = 128 << 20;

const OUTCOMES_MAX = 1000;
/** Each round leaves out what the one before found to be in no image. */
const ROUNDS_MAX = 5;
/** After so long, what was out of time is tried again. */
const AGAIN_MS = 60 * 60_000;
const REASON_MAX = 300;

async function keyOf(
  fingerprint: string,
  packages: readonly Package[],
  { modules, own }: NeededImage,
): Promise<string> {
  const files = packages.map(({ name, digest }) => [name, digest]);
  const facts = [fingerprint, files, modules, ...own === null ? [] : [own.set]];
  const bytes = new TextEncoder().encode(JSON.stringify(facts));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

function filesOf(
  { packages }: NeededImage,
  known: ReadonlyMap<string, KnownPackage>,
): KnownPackage[] {
  return packages.map((name) => known.get(name)!);
}

/** Of a traceback what it comes to. */
function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
  const said = lines.length > 1 ? [lines[0]!.slice(0, REASON_MAX / 2), lines.at(-1)!] : lines;
  return said.join(" … ").slice(0, REASON_MAX);
}

class Maker implements MadeImages {
  readonly #deps: ImageMakerDeps;
  readonly #queue = new ImageQueue();
  /** By server: the key of what became of its image. */
  readonly #outcomes = new Map<string, string>();
  /** Sets of own packages of which no image is tried. */
  readonly #tooLarge = new Set<string | null>();
  #running: Promise<void> | null = null;
  readonly #closing = new AbortController();
  /** Stops what takes long. */
  #late: AbortController | null = null;
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

  hold(name: string): () => void {
    return this.#deps.store.hold(name);
  }

  figures(): ImageFigures {
    return { ...this.#deps.store.figures(), made: this.#made, failed: this.#failed };
  }

  wanted({ imports, modules, paths, packages }: Importing): void {
    const known = Object.values(withOwn(this.#deps.catalogue.packages, packages));
    const needed = imports.filter((top) => known.some((each) => each.modules.includes(top)));
    if (this.#closing.signal.aborted || needed.length === 0) return;
    const server = { imports: needed, modules, paths: [...paths], packages };
    const key = JSON.stringify({ ...server, packages: packages?.set });
    if (this.#isSettled(key)) return;
    if (this.#queue.add(key, server)) this.#late?.abort(new Error("Another server is waiting"));
    this.#running ??= this.#run();
  }

  /** Whether it is known what became of the image for a server, which its packages need not be read for. */
  #isSettled(key: string): boolean {
    const outcome = this.#outcomes.get(key);
    return outcome !== undefined && this.#deps.store.outcome(outcome) !== null;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("Berth is shutting down"));
    this.#queue.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let turn = this.#queue.take(); turn !== null; turn = this.#queue.take()) {
      const { key, server, isLate } = turn;
      this.#late = isLate ? new AbortController() : null;
      const signals = [this.#closing.signal, ...this.#late === null ? [] : [this.#late.signal]];
      const limits = { signal: AbortSignal.any(signals), isLate };
      try {
        const outcome = await this.#makeFor(server, limits);
        if (this.#outcomes.size >= OUTCOMES_MAX) this.#outcomes.clear();
        if (outcome === "later") this.#queue.postpone(key, server);
        else if (outcome !== null) this.#outcomes.set(key, outcome.key);
      } catch (error) {
        this.#deps.log.warn("image.failed", { error });
      }
    }
    this.#late = null;
    this.#running = null;
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

  #needed(
    server: Importing,
    known: ReadonlyMap<string, KnownPackage>,
    without: ReadonlySet<string> = new Set(),
  ): NeededImage | null {
    const hasModule = (packages: ReadonlySet<string>, module: string) =>
      [...packages].some((name) => known.get(name)?.modules.has(module));
    return neededImage(this.#deps.catalogue.packages, server, { hasModule, without });
  }

  /** Whether setup made one of the same packages. */
  #isCommon({ packages, own }: NeededImage): boolean {
    return own === null &&
      Object.values(this.#deps.catalogue.images).some((image) =>
        image.packages.length === packages.length &&
        image.packages.every((name) => packages.includes(name))
      );
  }

  /** @returns The key of what became of it; null where nothing is remembered. */
  async #makeFor(
    server: Importing,
    limits: MakingLimits,
  ): Promise<{ key: string } | "later" | null> {
    const { store, fingerprint } = this.#deps;
    const { set = null } = server.packages ?? {};
    if (this.#tooLarge.has(set)) return null;
    const known = await this.#known(server);
    if (known === null) this.#tooLarge.add(set);
    if (known === null) return null;
    const wanted = this.#needed(server, known);
    if (wanted === null || this.#isCommon(wanted)) return null;
    const key = await keyOf(fingerprint, filesOf(wanted, known), wanted);
    if (store.outcome(key) !== null) return { key };
    const begun = performance.now();
    const reasons: Record<string, string> = {};
    let image: string | null = null;
    let again: number | null = null;
    try {
      image = await this.#makeMost(server, known, { reasons, limits });
    } catch (error) {
      if (this.#closing.signal.aborted) return null;
      if (limits.signal.aborted || (error instanceof OutOfTime && !limits.isLate)) return "later";
      // For want of room, of disk: not for good.
      if (error instanceof RangeError || error instanceof Deno.errors.NotFound) throw error;
      if (error instanceof OutOfTime) again = this.#deps.now().getTime() + AGAIN_MS;
      reasons["image"] = reasonOf(error);
    }
    await store.setOutcome(key, { image, reasons, again });
    this.#tell(wanted, { image, reasons, begun });
    return { key };
  }

  #tell(
    { packages }: NeededImage,
    { image, reasons, begun }: {
      image: string | null;
      reasons: Record<string, string>;
      begun: number;
    },
  ): void {
    const seconds = Math.round((performance.now() - begun) / 1000);
    const fields = { image, packages: packages.length, reasons, seconds };
    if (image !== null) return this.#deps.log.info("image.made", fields);
    this.#failed++;
    this.#deps.log.warn("image.none", fields);
  }

  /** Makes an image of all that may be in one, and says why of the rest. @returns Its name. */
  async #makeMost(
    server: Importing,
    known: ReadonlyMap<string, KnownPackage>,
    { reasons, limits }: { reasons: Record<string, string>; limits: MakingLimits },
  ): Promise<string | null> {
    const { store, making, fingerprint } = this.#deps;
    for (let round = 0; round < ROUNDS_MAX; round++) {
      limits.signal.throwIfAborted();
      const needed = this.#needed(server, known, new Set(Object.keys(reasons)));
      if (needed === null || this.#isCommon(needed)) return null;
      const files = filesOf(needed, known);
      const name = await keyOf(fingerprint, files, needed);
      if (Object.hasOwn(store.images(), name)) return name;
      const { pages, reads, refused, packages } = await making.make(needed, files, limits);
      Object.assign(reasons, refused);
      if (Object.keys(refused).length > 0) continue;
      const inIt = files.filter((each) => packages.includes(each.name));
      const image = {
        packages: inIt.map(({ name }) => name),
        modules: needed.modules,
        own: needed.own?.set ?? null,
        reads,
        pages,
        files: dataFiles(inIt),
      };
      await store.put(name, image, (untried) => making.attempt(untried, needed, limits));
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
