/**
 * Has the bytecode of servers' packages made, so that no session compiles their sources: in the
 * sandbox, by Berth's own code, before any code of a package has run. At once for a server that is
 * being scanned, whose build is the first to import them, else in the background.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import { type PackageFiles, plainName } from "./files.ts";

/** The files of a package, packed, with the bytecode of its sources beside them. */
export type Compile = (packed: Uint8Array) => Promise<Uint8Array>;

export interface BytecodeDeps {
  files: Pick<PackageFiles, "folder" | "putCompiled">;
  /** Runs `work` with a process that compiles each package in an interpreter of its own. */
  withCompiler(work: (compile: Compile) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Resolves when there is nothing more urgent to do. */
  quiet(): Promise<void>;
  /** Milliseconds from the first package that is wanted to the first that is compiled. */
  delayMs: number;
  log: Logger;
}

/** A queue of packages to compile, each once in the life of this process. */
export interface Bytecode {
  /** Takes note of files that sessions are given; those with bytecode are left out. */
  want(files: readonly string[]): void;
  /** Compiles these before all others. Resolves when each is compiled, or cannot be. */
  make(files: readonly string[]): Promise<void>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Files that wait; others are noted when they are given again. */
const WAITING_MAX = 2000;

/** Waits, but no longer than for `end`. */
function pause(ms: number, end: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
}

class Compiling implements Bytecode {
  readonly #deps: BytecodeDeps;
  /** Those that wait. */
  readonly #waiting = new Set<string>();
  /** Those that somebody waits for. */
  readonly #urgent = new Map<string, PromiseWithResolvers<void>>();
  /** Resolves when there is one that somebody waits for, or no time left. */
  #hurry = Promise.withResolvers<void>();
  /** Those that were compiled in this process, or could not be. */
  readonly #done = new Set<string>();
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;

  constructor(deps: BytecodeDeps) {
    this.#deps = deps;
  }

  #lacks(file: string): boolean {
    return plainName(file) === file && !this.#done.has(file);
  }

  want(files: readonly string[]): void {
    for (const file of files.filter((file) => this.#lacks(file))) {
      if (this.#urgent.has(file)) continue;
      if (this.#waiting.size < WAITING_MAX) this.#waiting.add(file);
    }
    this.#start();
  }

  async make(files: readonly string[]): Promise<void> {
    const made = files.filter((file) => this.#lacks(file) || this.#urgent.has(file)).map((file) => {
      const known = this.#urgent.get(file) ?? Promise.withResolvers<void>();
      this.#waiting.delete(file);
      this.#urgent.set(file, known);
      return known.promise;
    });
    if (made.length > 0) this.#hurry.resolve();
    this.#start();
    await Promise.all(made);
  }

  get #left(): boolean {
    return this.#waiting.size + this.#urgent.size > 0;
  }

  #start(): void {
    if (this.#closing.signal.aborted) this.#release();
    else if (this.#left) this.#running ??= this.#run();
  }

  /** Nobody waits any longer. */
  #release(): void {
    for (const { resolve } of this.#urgent.values()) resolve();
    this.#urgent.clear();
  }

  async #run(): Promise<void> {
    const { withCompiler, delayMs, log } = this.#deps;
    const { signal } = this.#closing;
    if (this.#urgent.size === 0) this.#hurry = Promise.withResolvers();
    try {
      await pause(delayMs, this.#hurry.promise);
      while (this.#left && !signal.aborted) {
        const done = this.#done.size;
        try {
          await withCompiler((compile) => this.#compileAll(compile), signal);
        } catch (error) {
          // A package that breaks its process is not tried again; the others get a new one.
          if (this.#done.size === done) throw error;
          if (!signal.aborted) log.warn("bytecode.failed", { error });
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn("bytecode.failed", { error });
    }
    this.#running = null;
    this.#release();
  }

  /** The next file, as soon as it may be compiled. */
  async #next(): Promise<string | null> {
    const first = () => this.#urgent.keys().next().value ?? null;
    if (this.#urgent.size === 0) {
      this.#hurry = Promise.withResolvers();
      await Promise.race([this.#deps.quiet(), this.#hurry.promise]);
    }
    return first() ?? this.#waiting.keys().next().value ?? null;
  }

  async #compileAll(compile: Compile): Promise<void> {
    const { files, log } = this.#deps;
    while (this.#left) {
      const file = await this.#next();
      if (file === null) return;
      this.#waiting.delete(file);
      this.#done.add(file);
      try {
        const packed = await Deno.readFile(`${files.folder}/${file}`).catch(() => null);
        if (packed === null) continue;
        await files.putCompiled(file, await compile(packed));
        log.debug("bytecode.made", { file });
      } finally {
        this.#urgent.get(file)?.resolve();
        this.#urgent.delete(file);
      }
    }
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("Berth is shutting down"));
    this.#waiting.clear();
    this.#release();
    this.#hurry.resolve();
    await this.#running;
  }
}

/**
 * What `give` gives once all of it is compiled, or as it is after `waitMs`, or when that is nothing.
 */
export async function whenCompiled<T extends { files: Readonly<Record<string, string>> }>(
  give: () => Promise<T | undefined>,
  bytecode: Pick<Bytecode, "make">,
  waitMs: number,
): Promise<T | undefined> {
  const given = await give();
  if (given === undefined) return undefined;
  await pause(waitMs, bytecode.make(Object.values(given.files)));
  return await give();
}

/** Compiles nothing until it is told of something. */
export function createBytecode(deps: BytecodeDeps): Bytecode {
  return new Compiling(deps);
}
