/**
 * What became of sets of packages, kept beside the images.
 *
 * @module
 */
import { z } from "zod";
import { writeWhole } from "../../files.ts";
import { FILE_MODE, readJson, removeIfThere } from "./store_files.ts";

/** What became of a set of packages and modules, by its key. */
const outcome = z.object({
  base: z.string(),
  /** The image of it, or of as much as may be in one; null for none. */
  image: z.string().nullable(),
  /** By module, or `image` for all: why it is not in it. */
  reasons: z.record(z.string(), z.string()),
  /** When it is worth another try, in milliseconds; null: not with this interpreter. */
  again: z.number().nullable(),
});
export type ImageOutcome = Omit<z.infer<typeof outcome>, "base">;

const NAME = /^([0-9a-f]{64})\.outcome$/;
const MOST = 5000;

/** The key whose outcome is in a file of that name; undefined where none is. */
export function keyOfOutcome(file: string): string | undefined {
  return NAME.exec(file)?.[1];
}

/** The outcomes in a folder, by key: those with its snapshot. */
export class Outcomes {
  readonly #deps: { folder: string; base: string; now: () => Date };
  readonly #known = new Map<string, ImageOutcome>();

  constructor(deps: { folder: string; base: string; now: () => Date }) {
    this.#deps = deps;
  }

  #path(key: string): string {
    return `${this.#deps.folder}/${key}.outcome`;
  }

  /** Reads the file of a key; removes it where it is of no use. */
  async read(key: string): Promise<void> {
    const found = await readJson(this.#path(key), outcome);
    if (found?.read.base !== this.#deps.base) return await removeIfThere(this.#path(key));
    const { image, reasons, again } = found.read;
    this.#known.set(key, { image, reasons, again });
  }

  /** What became of it; null where nothing is known, or it is worth another try. */
  find(key: string): ImageOutcome | null {
    const found = this.#known.get(key);
    if (found === undefined) return null;
    return found.again !== null && found.again <= this.#deps.now().getTime() ? null : found;
  }

  async set(key: string, found: ImageOutcome): Promise<void> {
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST) {
      this.#known.delete(oldest!);
      await removeIfThere(this.#path(oldest!));
    }
    const text = JSON.stringify({ base: this.#deps.base, ...found });
    await writeWhole(this.#path(key), text, { mode: FILE_MODE });
  }
}
