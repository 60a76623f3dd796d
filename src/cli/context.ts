/**
 * What commands may touch of the world; tests give their own.
 *
 * @module
 */

/** Which standard streams are terminals. */
export interface Terminals {
  in: boolean;
  out: boolean;
  err: boolean;
  /** Width of the terminal, in characters. */
  columns: number;
}

export interface LineOptions {
  prompt: string;
  /** What the word that is being typed may become, and the word. */
  complete: (line: string) => [candidates: string[], word: string];
  /** Lines of earlier times, the latest first. */
  history: string[];
}

/** Everything outside the program that commands use. */
export interface CliContext {
  /** Writes to standard output; data only. */
  out: (text: string) => void;
  /** Writes to standard error; everything that is not data. */
  err: (text: string) => void;
  terminals: Terminals;
  /** A variable of the environment; empty ones count as unset. */
  env: (name: string) => string | undefined;
  /** Names of the environment's variables. */
  variables: () => string[];
  /** The folder that relative paths begin at. */
  cwd: () => string;
  os: typeof Deno.build.os;
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Standard input, as it comes. */
  stdin: () => ReadableStream<Uint8Array>;
  /** Asks on the terminal; null at its end. */
  ask: (question: string) => Promise<string | null>;
  /** As {@link ask}; what is typed is not shown. */
  askSecret: (question: string) => Promise<string | null>;
  /** What the user types, a line each: with editing, history and completion on a terminal. */
  lines: (options: LineOptions) => AsyncIterable<string>;
  /** Starts a program that the user sees, such as a browser; false when it is not there. */
  launch: (program: string, args: string[]) => Promise<boolean>;
  /** Aborts when the user interrupts the program; the first call begins to listen. */
  interrupted: () => AbortSignal;
}

/** All of standard input as text. */
export async function readAll(context: CliContext): Promise<string> {
  return await new Response(context.stdin()).text();
}

/** Lines of standard input, as they come. */
export async function* plainLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  if (rest !== "") yield rest;
}
