/**
 * The real world of commands: this process's streams, clock and network.
 *
 * @module
 */
import type { Interface } from "node:readline";
import { type CliContext, type LineOptions, plainLines } from "./context.ts";

const DEFAULT_COLUMNS = 80;
const encoder = new TextEncoder();

function writeAll(stream: { writeSync(data: Uint8Array): number }, text: string): void {
  let rest = encoder.encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    // Whoever read it, such as head, has had enough.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function columns(): number {
  try {
    return Deno.consoleSize().columns;
  } catch {
    return DEFAULT_COLUMNS;
  }
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(resolve, ms);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function launch(program: string, args: string[]): Promise<boolean> {
  try {
    const child = new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    // The browser outlives this program.
    child.unref();
    return await Promise.race([
      child.status.then(({ success }) => success),
      sleep(1000).then(() => true),
    ]);
  } catch {
    return false;
  }
}

function createInterrupt(): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller === undefined) {
      const begun = new AbortController();
      controller = begun;
      Deno.addSignalListener("SIGINT", () => begun.abort());
      if (Deno.build.os !== "windows") {
        Deno.addSignalListener("SIGTERM", () => begun.abort());
      }
    }
    return controller.signal;
  };
}

/** The reader that has the terminal's input, if one does: two would share out the keys. */
let reading: Interface | null = null;

async function ask(question: string): Promise<string | null> {
  if (reading !== null) {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const end = () => resolve(null);
    reading.once("close", end);
    reading.question(question, resolve);
    const answer = await promise;
    reading?.off("close", end);
    return answer;
  }
  const { createInterface } = await import("node:readline/promises");
  const { stdin, stderr } = await import("node:process");
  const reader = createInterface({ input: stdin, output: stderr });
  try {
    return await reader.question(question);
  } catch {
    return null;
  } finally {
    reader.close();
  }
}

/** A reader that writes nothing of what is typed. */
async function askSecret(question: string): Promise<string | null> {
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  const { stdin } = await import("node:process");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: nowhere, terminal: true });
  writeAll(Deno.stderr, question);
  try {
    return await reader.question("");
  } catch {
    return null;
  } finally {
    reader.close();
    writeAll(Deno.stderr, "\n");
  }
}

async function* lines(options: LineOptions): AsyncGenerator<string> {
  if (!Deno.stdin.isTerminal()) return yield* plainLines(Deno.stdin.readable);
  const { createInterface } = await import("node:readline");
  const { stdin, stderr } = await import("node:process");
  const reader = createInterface({
    input: stdin,
    output: stderr,
    prompt: options.prompt,
    completer: options.complete,
    history: options.history,
    terminal: true,
  });
  reading = reader;
  // Ctrl-C empties the line first, as in shells; at an empty one it ends.
  reader.on("SIGINT", () => {
    if (reader.line === "") return reader.close();
    stderr.write("\n");
    reader.write(null, { ctrl: true, name: "u" });
    reader.prompt();
  });
  try {
    reader.prompt();
    for await (const line of reader) {
      yield line;
      reader.prompt();
    }
  } finally {
    reading = null;
    reader.close();
  }
}

/** This process's world, with the environment that its entry file reads. */
export function terminalContext(env: Pick<Deno.Env, "get" | "toObject">): CliContext {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => writeAll(Deno.stderr, text),
    terminals: {
      in: Deno.stdin.isTerminal(),
      out: Deno.stdout.isTerminal(),
      err: Deno.stderr.isTerminal(),
      columns: columns(),
    },
    env: (name) => env.get(name) || undefined,
    variables: () => Object.keys(env.toObject()),
    cwd: () => Deno.cwd(),
    os: Deno.build.os,
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
    sleep,
    stdin: () => Deno.stdin.readable,
    ask,
    askSecret,
    lines,
    launch,
    interrupted: createInterrupt(),
  };
}
