/**
 * Servers' packages on this node: unpacked files in the interpreter's folder, where session hosts read
 * them. Those that nobody used for longest go when there are too many.
 *
 * @module
 */
import { exists, writeWhole } from "../files.ts";
import { createHeld, type Held, KEPT_MS, renewFile } from "../held.ts";
import { FORMAT } from "./store.ts";

export interface PackageFilesDeps {
  /** The interpreter's, absolute; other processes of this node may have it too. */
  folder: string;
  /** Most bytes of all; more only while all of it is in use. */
  maxBytes: number;
  now: () => Date;
}

/** What of a stored package goes to a node: its files, one after the other, with a list in front. */
export interface Unpacked {
  /** How it was packed. */
  format: number;
  content: Uint8Array;
}

/** What a node has of servers' packages. */
export interface PackageFiles extends Pick<Held, "hold"> {
  readonly folder: string;
  /**
   * The file of a package, which `load` gives if it is not there; null when that has none. It stays for
   * some minutes, and for as long as it is held.
   */
  ensure(sha256: string, load: () => Promise<Unpacked | null>): Promise<string | null>;
  /** Puts a file with the same content and its bytecode in place of one without, for later sessions. */
  putCompiled(name: string, content: Uint8Array): Promise<void>;
}

const NAME = /^package-\d+-[0-9a-f]{64}(-compiled)?$/;
/** The same, and what is left of a node that was stopped while it wrote one. */
const REMOVABLE = /^package-\d+-[0-9a-f]{64}(-compiled)?(\.[0-9a-f-]{36}\.new)?$/;
const COMPILED = "-compiled";
const READABLE = 0o644;
const RENEW_EVERY_MS = 60_000;

const LOOK_AGAIN_MS = 10 * 60_000;

function nameOf(sha256: string, format: number): string {
  return `package-${format}-${sha256}`;
}

/** The name that a file has, or would have, without its bytecode: what says which package it is. */
export function plainName(file: string): string {
  return file.endsWith(COMPILED) ? file.slice(0, -COMPILED.length) : file;
}

class FolderFiles implements PackageFiles {
  readonly #deps: PackageFilesDeps;
  readonly #held: Held;
  /** When a file's time was last set, in milliseconds. */
  readonly #renewed = new Map<string, number>();
  /** Packages that no scan has packed anew yet, by digest, and until when that is not looked up. */
  readonly #older = new Map<string, { format: number; until: number }>();
  /** Bytes of all; null while nobody has looked. */
  #bytes: number | null = null;

  constructor(deps: PackageFilesDeps) {
    this.#deps = deps;
    this.#held = createHeld((name) => renewFile(this.#path(name), deps.now()));
  }

  get folder(): string {
    return this.#deps.folder;
  }

  #path(name: string): string {
    return `${this.#deps.folder}/${name}`;
  }

  hold(names: readonly string[]): () => void {
    return this.#held.hold(names.filter((name) => NAME.test(name)));
  }

  async #isThere(name: string): Promise<boolean> {
    if (!await exists(this.#path(name))) return false;
    const now = this.#deps.now();
    if (now.getTime() - (this.#renewed.get(name) ?? 0) > RENEW_EVERY_MS) {
      this.#renewed.set(name, now.getTime());
      await renewFile(this.#path(name), now);
    }
    return true;
  }

  async #files() {
    const found: { name: string; bytes: number; used: number }[] = [];
    for await (const { name } of Deno.readDir(this.#deps.folder)) {
      if (!REMOVABLE.test(name)) continue;
      // Another process may have removed it meanwhile.
      const stat = await Deno.stat(this.#path(name)).catch(() => null);
      if (stat !== null) found.push({ name, bytes: stat.size, used: stat.mtime?.getTime() ?? 0 });
    }
    return found.sort((a, b) => a.used - b.used);
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { maxBytes, now } = this.#deps;
    if (this.#bytes !== null && this.#bytes + bytes <= maxBytes) return;
    const files = await this.#files();
    this.#bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      if (this.#bytes + bytes <= maxBytes) return;
      if (this.#held.has(file.name) || now().getTime() - file.used <= KEPT_MS) continue;
      await Deno.remove(this.#path(file.name)).catch(() => {});
      this.#bytes -= file.bytes;
    }
  }

  async #put(name: string, content: Uint8Array): Promise<void> {
    await this.#makeRoom(content.length);
    await writeWhole(this.#path(name), content, { mode: READABLE });
    await renewFile(this.#path(name), this.#deps.now());
    this.#bytes = (this.#bytes ?? 0) + content.length;
  }

  /** The file of a package that was packed so, the one with bytecode first. */
  async #find(sha256: string, format: number): Promise<string | null> {
    const name = nameOf(sha256, format);
    for (const each of [`${name}${COMPILED}`, name]) if (await this.#isThere(each)) return each;
    return null;
  }

  async ensure(
    sha256: string,
    load: () => Promise<Unpacked | null>,
  ): Promise<string | null> {
    const now = this.#deps.now().getTime();
    const older = this.#older.get(sha256);
    const known = older !== undefined && older.until > now ? older.format : FORMAT;
    const there = await this.#find(sha256, known);
    if (there !== null) return there;
    const loaded = await load();
    if (loaded === null) return null;
    const { format, content } = loaded;
    if (format < FORMAT) this.#older.set(sha256, { format, until: now + LOOK_AGAIN_MS });
    const found = await this.#find(sha256, format);
    if (found !== null) return found;
    await this.#put(nameOf(sha256, format), content);
    return nameOf(sha256, format);
  }

  async putCompiled(name: string, content: Uint8Array): Promise<void> {
    await this.#put(`${name}${COMPILED}`, content);
  }
}

/** The packages in `deps.folder`. */
export function openPackageFiles(deps: PackageFilesDeps): PackageFiles {
  return new FolderFiles(deps);
}
