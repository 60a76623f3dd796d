/**
 * The `berth` command line in process, in a home folder of its own.
 *
 * @module
 */
import { type CliContext, type LineOptions, plainLines } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/program.ts";

/** What one run printed. */
export interface CliRun {
  code: number;
  out: string;
  err: string;
  /** Standard output as JSON. */
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** How a run differs from a script's. */
export interface RunOptions {
  /** All of standard input. */
  stdin?: string | ReadableStream<Uint8Array>;
  /** Answers to questions, in turn; then the end of input. Makes the streams terminals. */
  answers?: string[];
  /** Makes the output a terminal of this width. */
  columns?: number;
  env?: Record<string, string>;
  cwd?: string;
  /** Called with what is being waited for; the clock has moved on then. */
  onSleep?: (ms: number, run: { err: string; out: string }) => Promise<void> | void;
  onOutput?: (text: string) => void;
  /** Called with what a shell asks for. */
  onLines?: (options: LineOptions) => void;
  signal?: AbortSignal;
}

/** A user's command line. */
export interface TestCli {
  home: string;
  /** The user's clock, in milliseconds since the epoch; null: the machine's, which goes on. */
  clock: { heldAt: number | null };
  /** Programs that were started. */
  launched: string[][];
  run(args: string[], options?: RunOptions): Promise<CliRun>;
  /** The credentials file as JSON. */
  // deno-lint-ignore no-explicit-any
  credentials(): Promise<any>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A function like `fetch` over an application's `request`. */
export type Request = (url: string, init: RequestInit) => Response | Promise<Response>;

/** @param request Answers what commands ask; the network by default. */
export async function testCli(
  request: Request = (url, init) => fetch(url, init),
  env: Record<string, string> = {},
): Promise<TestCli> {
  const home = await Deno.makeTempDir({ prefix: "berth-test-" });
  const clock: TestCli["clock"] = { heldAt: null };
  const launched: string[][] = [];

  async function run(args: string[], options: RunOptions = {}): Promise<CliRun> {
    const written = { out: "", err: "" };
    const variables: Record<string, string> = { HOME: home, ...env, ...options.env };
    const answers = [...options.answers ?? []];
    const terminal = options.answers !== undefined || options.columns !== undefined;
    const context: CliContext = {
      out(text) {
        written.out += text;
        options.onOutput?.(text);
      },
      err: (text) => written.err += text,
      terminals: {
        in: options.answers !== undefined,
        out: options.columns !== undefined,
        err: terminal,
        columns: options.columns ?? 80,
      },
      env: (name) => variables[name] || undefined,
      variables: () => Object.keys(variables),
      cwd: () => options.cwd ?? home,
      os: "linux",
      fetch: (input, init) => {
        init?.signal?.throwIfAborted();
        return Promise.resolve(request(String(input), init ?? {}));
      },
      now: () => clock.heldAt ?? Date.now(),
      async sleep(ms) {
        clock.heldAt = (clock.heldAt ?? Date.now()) + ms;
        await options.onSleep?.(ms, written);
      },
      stdin: () =>
        typeof options.stdin === "object"
          ? options.stdin
          : new Response(options.stdin ?? "").body ?? new ReadableStream(),
      ask(question) {
        written.err += question;
        return Promise.resolve(answers.shift() ?? null);
      },
      askSecret(question) {
        written.err += question;
        return Promise.resolve(answers.shift() ?? null);
      },
      lines(lineOptions) {
        options.onLines?.(lineOptions);
        return plainLines(context.stdin());
      },
      launch(program, rest) {
        launched.push([program, ...rest]);
        return Promise.resolve(true);
      },
      interrupted: () => options.signal ?? new AbortController().signal,
    };
    const code = await runCli(args, context);
    return {
      code,
      ...written,
      get json() {
        return JSON.parse(written.out);
      },
    };
  }

  return {
    home,
    clock,
    launched,
    run,
    async credentials() {
      return JSON.parse(await Deno.readTextFile(`${home}/.local/share/berth/credentials.json`));
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(home, { recursive: true });
    },
  };
}
