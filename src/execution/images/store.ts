/**
 * The images that this node made, in a folder of its own: raw, as sessions copy the pages from the
 * system's cache in a tenth of the time that unpacking them would take; pages that are as in the common
 * snapshot, or zero, are not there. An image is there whole or not at all, its digests are checked
 * before it is used, and those that nobody used for longest go when there are too many.
 *
 * @module
 */
import type { z } from "zod";
import { writeWhole } from "../../files.ts";
import { createHeld, type Held, KEPT_MS, renewFile } from "../../held.ts";
import type { KnownImage } from "../hosts/images.ts";
import {
  outcome,
  partOf,
  readJson,
  removeIfThere,
  sha256,
  stateOf,
  type Stored,
  stored,
} from "./store_files.ts";

/** What a node has made and is about to try. */
export interface NewImage {
  packages: string[];
  modules: string[];
  /** See {@link KnownImage}. */
  own: string | null;
  reads: string[];
  pages: Uint8Array;
  /** What its packages read of their files, packed; null for nothing. */
  files: Uint8Array | null;
}

export type ImageOutcome = Omit<z.infer<typeof outcome>, "base">;

/** How many there are now, and how much of the disk they take. */
export interface StoreFigures {
  images: number;
  bytes: number;
}

/** Keeps images within bounds. */
export interface ImageStore {
  /** The images that there are, by name. */
  images(): Readonly<Record<string, KnownImage>>;
  /**
   * Notes that a session is about to begin with it; false when it is damaged or gone, and then it is
   * no longer there.
   */
  use(name: string): Promise<boolean>;
  /** A session begins with it, and may read it until that is over. @returns What ends that. */
  hold(name: string): () => void;
  /** Keeps an image under `name` once `attempt` has run with the name that it has meanwhile. */
  put(name: string, image: NewImage, attempt: (name: string) => Promise<void>): Promise<void>;
  /** SHA-256 of its pages; null when there is no such image any more. */
  digest(name: string): string | null;
  outcome(key: string): ImageOutcome | null;
  setOutcome(key: string, outcome: ImageOutcome): Promise<void>;
  figures(): StoreFigures;
}

export interface ImageStoreDeps {
  /** Its folder, absolute; other processes of this node may have it too. */
  folder: string;
  /** Names the snapshot that images differ from. */
  base: string;
  /** Most bytes of all images. */
  maxBytes: number;
  now: () => Date;
  newId: () => string;
}

const NAME = /^[0-9a-f]{64}$/;
const DESCRIPTION = /^([0-9a-f]{64})\.json$/;
const OUTCOME = /^([0-9a-f]{64})\.outcome$/;
/** What is left of a node that was stopped while it wrote is older than this. */
const LEFT_MS = 60 * 60_000;
const TOUCH_EVERY_MS = 60_000;
const OUTCOMES_MAX = 5000;
const FILE_MODE = 0o644;

interface Entry extends Stored {
  /** When a session was last given it, in milliseconds. */
  used: number;
  touched: number;
  /** What its files were when they were last checked; null: not in this process. */
  checked: string | null;
}

class FolderStore implements ImageStore {
  readonly #deps: ImageStoreDeps;
  readonly #held: Held;
  readonly #entries = new Map<string, Entry>();
  readonly #outcomes = new Map<string, ImageOutcome>();

  constructor(deps: ImageStoreDeps) {
    this.#deps = deps;
    this.#held = createHeld((name) => renewFile(this.#path(`${name}.json`), deps.now()));
  }

  #path(file: string): string {
    return `${this.#deps.folder}/${file}`;
  }

  /** Reads what is in the folder; removes what is of no use. */
  async read(): Promise<void> {
    const { folder, base, now } = this.#deps;
    await Deno.mkdir(folder, { recursive: true, mode: 0o755 });
    const known = new Set<string>();
    const others: string[] = [];
    for await (const { name: file } of Deno.readDir(folder)) {
      const name = DESCRIPTION.exec(file)?.[1];
      const key = OUTCOME.exec(file)?.[1];
      if (name !== undefined) {
        if (await this.#readEntry(name)) known.add(name);
      } else if (key === undefined) others.push(file);
      else {
        const read = await readJson(this.#path(file), outcome);
        if (read?.base !== base) await removeIfThere(this.#path(file));
        else this.#outcomes.set(key, withoutBase(read));
      }
    }
    for (const name of this.#entries.keys()) if (!known.has(name)) this.#entries.delete(name);
    for (const file of others) {
      if (known.has(file.replace(/\.files$/, ""))) continue;
      const { mtime } = await Deno.stat(this.#path(file)).catch(() => ({ mtime: null }));
      if (mtime !== null && now().getTime() - mtime.getTime() > LEFT_MS) {
        await removeIfThere(this.#path(file));
      }
    }
  }

  async #readEntry(name: string): Promise<boolean> {
    if (this.#entries.has(name)) return true;
    const path = this.#path(`${name}.json`);
    const read = await readJson(path, stored);
    if (read === null || read.base !== this.#deps.base) {
      await this.#remove(name);
      return false;
    }
    const used = (await Deno.stat(path).catch(() => null))?.mtime?.getTime() ?? 0;
    this.#entries.set(name, { ...read, used, touched: used, checked: null });
    return true;
  }

  images(): Record<string, KnownImage> {
    return Object.fromEntries(this.#entries);
  }

  digest(name: string): string | null {
    return this.#entries.get(name)?.pages.digest ?? null;
  }

  figures(): StoreFigures {
    const all = [...this.#entries.values()];
    return { images: all.length, bytes: all.reduce((sum, entry) => sum + sizeOf(entry), 0) };
  }

  async #isWhole(name: string): Promise<boolean> {
    const entry = this.#entries.get(name)!;
    const isAs = async (file: string, { digest }: Stored["pages"]) =>
      await sha256(await Deno.readFile(this.#path(file))) === digest;
    try {
      const state = await stateOf(filesOf(this.#path(name), entry));
      if (state === entry.checked) return true;
      const good = await isAs(name, entry.pages) &&
        (entry.files === null || await isAs(`${name}.files`, entry.files));
      if (good) entry.checked = state;
      return good;
    } catch {
      return false;
    }
  }

  async use(name: string): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return false;
    entry.used = this.#deps.now().getTime();
    if (!await this.#isWhole(name)) {
      await this.#remove(name);
      return false;
    }
    if (entry.used - entry.touched > TOUCH_EVERY_MS) {
      entry.touched = entry.used;
      await renewFile(this.#path(`${name}.json`), this.#deps.now());
    }
    return true;
  }

  hold(name: string): () => void {
    return this.#held.hold([name]);
  }

  /** When it was last used, in this process or another, in milliseconds. */
  async #lastUse(name: string, { used }: Entry): Promise<number> {
    const file = await Deno.stat(this.#path(`${name}.json`)).catch(() => null);
    return Math.max(used, file?.mtime?.getTime() ?? 0);
  }

  /** The description first: without it the rest is nothing. */
  async #remove(name: string): Promise<void> {
    this.#entries.delete(name);
    for (const file of [`${name}.json`, name, `${name}.files`]) {
      await removeIfThere(this.#path(file));
    }
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { maxBytes, now } = this.#deps;
    await this.read();
    const entries = await Promise.all(
      [...this.#entries].map(async ([name, entry]) => ({
        name,
        used: await this.#lastUse(name, entry),
      })),
    );
    for (const { name, used } of entries.sort((a, b) => a.used - b.used)) {
      if (this.figures().bytes + bytes <= maxBytes) return;
      // A session that was just given one may not hold it yet.
      if (!this.#held.has(name) && now().getTime() - used > KEPT_MS) await this.#remove(name);
    }
    if (this.figures().bytes + bytes > maxBytes) {
      throw new RangeError("There is no room for another image");
    }
  }

  async put(
    name: string,
    image: NewImage,
    attempt: (name: string) => Promise<void>,
  ): Promise<void> {
    const { base, newId, now } = this.#deps;
    if (!NAME.test(name)) throw new TypeError("Not a name of an image");
    const untried = `new-${newId()}`;
    const { packages, modules, own, reads } = image;
    const files = image.files === null ? null : await partOf(image.files);
    const entry = { base, packages, modules, own, reads, pages: await partOf(image.pages), files };
    await this.#makeRoom(sizeOf(entry));
    const mode = { mode: FILE_MODE };
    try {
      await writeWhole(this.#path(untried), image.pages, mode);
      if (image.files !== null) {
        await writeWhole(this.#path(`${untried}.files`), image.files, mode);
      }
      await attempt(untried);
      if (files !== null) {
        await Deno.rename(this.#path(`${untried}.files`), this.#path(`${name}.files`));
      }
      await Deno.rename(this.#path(untried), this.#path(name));
      await writeWhole(this.#path(`${name}.json`), JSON.stringify(entry), mode);
    } catch (error) {
      await removeIfThere(this.#path(untried));
      await removeIfThere(this.#path(`${untried}.files`));
      throw error;
    }
    const used = now().getTime();
    this.#entries.set(name, { ...entry, used, touched: used, checked: null });
  }

  outcome(key: string): ImageOutcome | null {
    const found = this.#outcomes.get(key);
    if (found === undefined) return null;
    if (found.again !== null && found.again <= this.#deps.now().getTime()) return null;
    // It may have gone since, for want of room.
    return found.image === null || this.#entries.has(found.image) ? found : null;
  }

  async setOutcome(key: string, found: ImageOutcome): Promise<void> {
    if (!NAME.test(key)) throw new TypeError("Not a key of packages");
    this.#outcomes.set(key, found);
    const [oldest] = this.#outcomes.keys();
    if (this.#outcomes.size > OUTCOMES_MAX) {
      this.#outcomes.delete(oldest!);
      await removeIfThere(this.#path(`${oldest}.outcome`));
    }
    const text = JSON.stringify({ base: this.#deps.base, ...found });
    await writeWhole(this.#path(`${key}.outcome`), text, { mode: FILE_MODE });
  }
}

function withoutBase({ image, reasons, again }: z.infer<typeof outcome>): ImageOutcome {
  return { image, reasons, again };
}

function filesOf(path: string, { files }: Stored): string[] {
  return files === null ? [path] : [path, `${path}.files`];
}

function sizeOf({ pages, files }: Pick<Stored, "pages" | "files">): number {
  return pages.bytes + (files?.bytes ?? 0);
}

/** The images in `deps.folder`, which is made if it is not there. */
export async function openImageStore(deps: ImageStoreDeps): Promise<ImageStore> {
  const store = new FolderStore(deps);
  await store.read();
  return store;
}
