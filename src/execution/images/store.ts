/**
 * The images that this node made, in a folder of its own: raw, as sessions copy the pages from the
 * system's cache in a tenth of the time that unpacking them would take; pages that are as in the common
 * snapshot, or zero, are not there. An image is there whole or not at all, its digests are checked
 * before it is used, and those that nobody used for longest go when there are too many.
 *
 * @module
 */
import { concat, sha256Of } from "../../bytes.ts";
import { readIfThere, writeWhole } from "../../files.ts";
import { createHeld, type Held, KEPT_MS, renewFile } from "../../held.ts";
import type { KnownImage } from "../hosts/images.ts";
import { digestOf, type ImageContent, openContent, type OpenedImage } from "./content.ts";
import { type ImageOutcome, keyOfOutcome, Outcomes } from "./outcomes.ts";
import {
  FILE_MODE,
  filesOf,
  partOf,
  readJson,
  removeIfThere,
  sizeOf,
  stateOf,
  type Stored,
  stored,
} from "./store_files.ts";
import type { ImageStore, NewImage, StoreFigures } from "./types.ts";

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
/** What is left of a node that was stopped while it wrote is older than this. */
const LEFT_MS = 60 * 60_000;
const TOUCH_EVERY_MS = 60_000;

interface Entry extends Stored {
  digest: string;
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
  readonly #outcomes: Outcomes;
  /** What looks for room, and what takes it, come one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Bytes of those that are being written or tried. */
  #coming = 0;

  constructor(deps: ImageStoreDeps) {
    this.#deps = deps;
    this.#outcomes = new Outcomes(deps);
    this.#held = createHeld((name) => renewFile(this.#path(`${name}.json`), deps.now()));
  }

  #path(file: string): string {
    return `${this.#deps.folder}/${file}`;
  }

  /** Does `work` when what came before is done. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  /** Reads what was in the folder when it was opened. */
  async open(): Promise<void> {
    await this.#read(true);
  }

  /** Reads what is in the folder; removes what is of no use. */
  async #read(withOutcomes: boolean): Promise<void> {
    const { folder, now } = this.#deps;
    await Deno.mkdir(folder, { recursive: true, mode: 0o755 });
    const known = new Set<string>();
    const others: string[] = [];
    for await (const { name: file } of Deno.readDir(folder)) {
      const name = DESCRIPTION.exec(file)?.[1];
      const key = keyOfOutcome(file);
      if (name !== undefined) {
        if (await this.#readEntry(name)) known.add(name);
      } else if (key === undefined) others.push(file);
      else if (withOutcomes) await this.#outcomes.read(key);
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
    const found = await readJson(path, stored);
    if (found === null || found.read.base !== this.#deps.base) {
      await this.#remove(name);
      return false;
    }
    const used = (await Deno.stat(path).catch(() => null))?.mtime?.getTime() ?? 0;
    const digest = await digestOf(found.text);
    this.#entries.set(name, { ...found.read, digest, used, touched: used, checked: null });
    return true;
  }

  images(): Record<string, KnownImage> {
    return Object.fromEntries(this.#entries);
  }

  digest(name: string): string | null {
    return this.#entries.get(name)?.digest ?? null;
  }

  named(digest: string): string | null {
    return [...this.#entries].find(([, entry]) => entry.digest === digest)?.[0] ?? null;
  }

  figures(): StoreFigures {
    const all = [...this.#entries.values()];
    return { images: all.length, bytes: all.reduce((sum, entry) => sum + sizeOf(entry), 0) };
  }

  async #isWhole(name: string): Promise<boolean> {
    const entry = this.#entries.get(name)!;
    const isAs = async (file: string, { digest }: Stored["pages"]) =>
      await sha256Of(await Deno.readFile(this.#path(file))) === digest;
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
    await this.#read(false);
    const entries = await Promise.all(
      [...this.#entries].map(async ([name, entry]) => ({
        name,
        used: await this.#lastUse(name, entry),
      })),
    );
    const isEnough = () => this.figures().bytes + this.#coming + bytes <= maxBytes;
    for (const { name, used } of entries.sort((a, b) => a.used - b.used)) {
      if (isEnough()) return;
      // A session that was just given one may not hold it yet.
      if (!this.#held.has(name) && now().getTime() - used > KEPT_MS) await this.#remove(name);
    }
    if (!isEnough()) throw new RangeError("There is no room for another image");
  }

  async put(
    name: string,
    image: NewImage,
    attempt: (name: string) => Promise<void>,
  ): Promise<void> {
    if (!NAME.test(name)) throw new TypeError("Not a name of an image");
    const { packages, modules, own, reads, pages } = image;
    const files = image.files === null ? null : await partOf(image.files);
    const { base } = this.#deps;
    const entry = { base, packages, modules, own, reads, pages: await partOf(pages), files };
    await this.#add(name, JSON.stringify(entry), { ...image, entry }, attempt);
  }

  /** `description`: of `image.entry`. */
  async #add(
    name: string,
    description: string,
    { entry, pages, files }: OpenedImage,
    attempt: (name: string) => Promise<void>,
  ): Promise<void> {
    const { newId, now } = this.#deps;
    const untried = `new-${newId()}`;
    const size = sizeOf(entry);
    const mode = { mode: FILE_MODE };
    await this.#inTurn(async () => {
      await this.#makeRoom(size);
      this.#coming += size;
    });
    try {
      await writeWhole(this.#path(untried), pages, mode);
      if (files !== null) await writeWhole(this.#path(`${untried}.files`), files, mode);
      await attempt(untried);
      const digest = await digestOf(description);
      await this.#inTurn(async () => {
        if (files !== null) {
          await Deno.rename(this.#path(`${untried}.files`), this.#path(`${name}.files`));
        }
        await Deno.rename(this.#path(untried), this.#path(name));
        await writeWhole(this.#path(`${name}.json`), description, mode);
        const used = now().getTime();
        this.#entries.set(name, { ...entry, digest, used, touched: used, checked: null });
      });
    } catch (error) {
      await removeIfThere(this.#path(untried));
      await removeIfThere(this.#path(`${untried}.files`));
      throw error;
    } finally {
      this.#coming -= size;
    }
  }

  async content(name: string): Promise<ImageContent | null> {
    const entry = this.#entries.get(name);
    const description = await readIfThere(this.#path(`${name}.json`));
    if (entry === undefined || description === null) return null;
    try {
      const parts = filesOf(this.#path(name), entry).map((file) => Deno.readFile(file));
      const content = { description, bytes: concat(await Promise.all(parts)) };
      return await openContent(entry.digest, content) === null ? null : content;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  }

  async receive(digest: string, content: ImageContent): Promise<void> {
    const image = await openContent(digest, content);
    if (image?.entry.base !== this.#deps.base) throw new Error("Not that image");
    // Its own name is that of the packages, of which this node may have made one.
    if (this.named(digest) !== null) return;
    await this.#add(digest, content.description, image, async () => {});
  }

  outcome(key: string): ImageOutcome | null {
    const found = this.#outcomes.find(key);
    // Its image may have gone since, for want of room.
    return found === null || found.image === null || this.#entries.has(found.image) ? found : null;
  }

  async setOutcome(key: string, found: ImageOutcome): Promise<void> {
    if (!NAME.test(key)) throw new TypeError("Not a key of packages");
    await this.#outcomes.set(key, found);
  }
}

/** The images in `deps.folder`, which is made if it is not there. */
export async function openImageStore(deps: ImageStoreDeps): Promise<ImageStore> {
  const store = new FolderStore(deps);
  await store.open();
  return store;
}
