/**
 * Makes images of the packages that servers of this node import, one after the other and in the
 * background. What is made is a matter of the packages and modules alone: no code, variable or file of
 * a server has a part in it.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { type KnownImage, withOwn } from "../hosts/images.ts";
import { type ImageMaking, type MakingLimits, OutOfTime } from "./making.ts";
import type { Importing, NeededImage } from "./needed.ts";
import { dataFiles } from "./packed.ts";
import { type ImagePlan, ImagePlans, type ImagePlansDeps } from "./plans.ts";
import { ImageQueue } from "./queue.ts";
import type { ImageStore, StoreFigures } from "./types.ts";

export interface ImageMakerDeps extends ImagePlansDeps {
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

const OUTCOMES_MAX = 1000;
/** Each round leaves out what the one before found to be in no image. */
const ROUNDS_MAX = 5;
/** After so long, what was out of time or had no room is tried again. */
const AGAIN_MS = 60 * 60_000;
/** A late try that was stopped so often goes on to its end. */
const STOPS_MAX = 3;
const REASON_MAX = 300;

/** Of a traceback what it comes to. */
function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
  const said = lines.length > 1 ? [lines[0]!.slice(0, REASON_MAX / 2), lines.at(-1)!] : lines;
  return said.join(" … ").slice(0, REASON_MAX);
}

class Maker implements MadeImages {
  readonly #deps: ImageMakerDeps;
  readonly #plans: ImagePlans;
  readonly #queue = new ImageQueue();
  /** By server: the key of what became of its image; null: it needs none of its own. */
  readonly #outcomes = new Map<string, string | null>();
  /** Keys of images whose first try was out of time. */
  readonly #slow = new Set<string>();
  #running: Promise<void> | null = null;
  readonly #closing = new AbortController();
  /** Stops what takes long. */
  #late: AbortController | null = null;
  #made = 0;
  #failed = 0;

  constructor(deps: ImageMakerDeps) {
    this.#deps = deps;
    this.#plans = new ImagePlans(deps);
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

  wanted({ imports, modules, paths, packages, author }: Importing): void {
    const known = Object.values(withOwn(this.#deps.catalogue.packages, packages));
    const needed = imports.filter((top) => known.some((each) => each.modules.includes(top)));
    if (this.#closing.signal.aborted || needed.length === 0) return;
    const server = { imports: needed, modules, paths: [...paths], packages, author };
    const key = JSON.stringify({ ...server, packages: packages?.set, author: null });
    if (this.#isSettled(key)) return;
    if (this.#queue.add(key, server)) this.#late?.abort(new Error("Another server is waiting"));
    this.#running ??= this.#run();
  }

  /** Whether it is known what became of the image for a server, which its packages need not be read for. */
  #isSettled(key: string): boolean {
    const outcome = this.#outcomes.get(key);
    return outcome === null ||
      (outcome !== undefined && this.#deps.store.outcome(outcome) !== null);
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
      this.#late = turn.isLate && turn.stops < STOPS_MAX ? new AbortController() : null;
      const signals = [this.#closing.signal, ...this.#late === null ? [] : [this.#late.signal]];
      try {
        const limits = { signal: AbortSignal.any(signals), isLate: turn.isLate };
        const outcome = await this.#makeFor(turn.server, limits);
        if (this.#outcomes.size >= OUTCOMES_MAX) this.#outcomes.clear();
        if (outcome === "later") this.#queue.postpone(turn);
        else this.#outcomes.set(turn.key, outcome?.key ?? null);
      } catch (error) {
        if (!this.#closing.signal.aborted) this.#deps.log.warn("image.failed", { error });
      }
    }
    this.#late = null;
    this.#running = null;
  }

  /** @returns The key of what became of it; null where it needs no image of its own. */
  async #makeFor(
    server: Importing,
    limits: MakingLimits,
  ): Promise<{ key: string } | "later" | null> {
    const { store } = this.#deps;
    const plan = await this.#plans.planFor(server);
    if (plan === null) return null;
    const { key } = plan;
    if (store.outcome(key) !== null) return { key };
    if (this.#slow.has(key) && !limits.isLate) return "later";
    const begun = performance.now();
    const reasons: Record<string, string> = {};
    let image: string | null = null;
    let again: number | null = null;
    try {
      image = await this.#makeMost(plan, { reasons, limits });
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      if (limits.signal.aborted) return "later";
      if (error instanceof OutOfTime && !limits.isLate) {
        if (this.#slow.size >= OUTCOMES_MAX) this.#slow.clear();
        this.#slow.add(key);
        return "later";
      }
      if (error instanceof Deno.errors.NotFound) throw error;
      // For want of time or room: not for good.
      if (error instanceof OutOfTime || error instanceof RangeError) {
        again = this.#deps.now().getTime() + AGAIN_MS;
      }
      reasons["image"] = reasonOf(error);
    }
    await store.setOutcome(key, { image, reasons, again });
    this.#tell(plan.needed, { image, reasons, begun });
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
    whole: ImagePlan,
    { reasons, limits }: { reasons: Record<string, string>; limits: MakingLimits },
  ): Promise<string | null> {
    const { store, making } = this.#deps;
    let plan: ImagePlan | null = whole;
    for (let round = 0; round < ROUNDS_MAX && plan !== null; round++) {
      limits.signal.throwIfAborted();
      const { needed, files, key } = plan;
      const there = this.#there(plan);
      if (there !== null) return there;
      const { pages, reads, refused, packages } = await making.make(needed, files, limits);
      Object.assign(reasons, refused);
      if (Object.keys(refused).length > 0) {
        plan = await whole.without(Object.keys(reasons));
        continue;
      }
      const inIt = files.filter((each) => packages.includes(each.name));
      const image = {
        packages: inIt.map(({ name }) => name),
        modules: needed.modules,
        own: needed.own?.set ?? null,
        reads,
        pages,
        files: dataFiles(inIt),
      };
      await store.put(key, image, (untried) => making.attempt(untried, needed, limits));
      this.#made++;
      return key;
    }
    return null;
  }

  /** The image of a plan that is there: this node's, or another's with the same modules. */
  #there({ key, needed: { modules, own } }: ImagePlan): string | null {
    const images = this.#deps.store.images();
    if (Object.hasOwn(images, key)) return key;
    const same = Object.entries(images).find(([, image]) =>
      (image.own ?? null) === (own?.set ?? null) && image.modules?.join() === modules.join()
    );
    return same?.[0] ?? null;
  }
}

/** A maker that has made nothing yet. */
export function createImageMaker(deps: ImageMakerDeps): MadeImages {
  return new Maker(deps);
}
