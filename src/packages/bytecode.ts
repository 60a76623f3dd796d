/**
 * Has the bytecode of servers' packages made, in the background, so that no session compiles their
 * sources: in the sandbox, by Berth's own code, before any code of a package has run.
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
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Files that wait; others are noted when they are given again. */
const WAITING_MAX = 2000;

/** Waits; rejects when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = () => reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  });
}

class Compiling implements Bytecode {
  readonly #deps: BytecodeDeps;
  /** Those that wait. */
  readonly #waiting = new Set<string>();
  /** Those that were compiled in this process, or could not be. */
  readonly #done = new Set<string>();
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;

  constructor(deps: BytecodeDeps) {
    this.#deps = deps;
  }

  want(files: readonly string[]): void {
    for (const file of files) {
      if (plainName(file) !== file || this.#done.has(file)) continue;
      if (this.#waiting.size < WAITING_MAX) this.#waiting.add(file);
    }
    if (this.#waiting.size > 0 && !this.#closing.signal.aborted) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { withCompiler, delayMs, log } = this.#deps;
    const { signal } = this.#closing;
    try {
      await pause(delayMs, signal);
      while (this.#waiting.size > 0 && !signal.aborted) {
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
  }

  async #compileAll(compile: Compile): Promise<void> {
    const { files, log, quiet } = this.#deps;
    for (const file of this.#waiting) {
      await quiet();
      this.#waiting.delete(file);
      this.#done.add(file);
      const packed = await Deno.readFile(`${files.folder}/${file}`).catch(() => null);
      if (packed === null) continue;
      const compiled = await compile(packed);
      await files.putCompiled(file, compiled);
      log.debug("bytecode.made", { file });
    }
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("Berth is shutting down"));
    this.#waiting.clear();
    await this.#running;
  }
}

/** Compiles nothing until it is told of something. */
export function createBytecode(deps: BytecodeDeps): Bytecode {
  return new Compiling(deps);
}
