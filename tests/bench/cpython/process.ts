/**
 * A server on CPython, spoken to over its standard input and output.
 *
 * @module
 */
import { TextLineStream } from "../../helpers/lines.ts";

// deno-lint-ignore no-explicit-any -- messages have many shapes
export type Message = any;

/** Sends one request and gives its answer; null when there was none in time. */
export type Send = (method: string, params: object) => Promise<Message | null>;

const LAUNCH = new URL("launch.py", import.meta.url).pathname;
const PATIENCE_MS = 20_000;

/** A server that runs. */
export interface Running {
  send: Send;
  /** What it wrote to its standard error. */
  said(): string;
  stop(): Promise<void>;
}

/** Starts `entrypoint` of the project at `folder` with the interpreter `python`. */
export function startOnCpython(
  python: string,
  folder: string,
  entrypoint: string,
  environment: Record<string, string>,
): Running {
  const child = new Deno.Command(python, {
    args: ["-W", "ignore", LAUNCH, folder, entrypoint],
    cwd: folder,
    env: { ...environment, PYTHONHASHSEED: "0", PYTHONUTF8: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const waiting = new Map<number, (message: Message | null) => void>();
  const encoder = new TextEncoder();
  let last = 0;
  let said = "";

  const write = (message: object) =>
    writer.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`))
      .catch(() => {});

  async function read(): Promise<void> {
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(
      new TextLineStream(),
    );
    for await (const line of lines) {
      if (!line.startsWith("{")) continue;
      const message = JSON.parse(line) as Message;
      if (message.method === undefined) waiting.get(message.id)?.(message);
      else if (message.id !== undefined) {
        await write({ id: message.id, error: { code: -32601, message: "Method not found" } });
      }
    }
    for (const done of waiting.values()) done(null);
  }

  async function listen(): Promise<void> {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) said += text;
  }

  const ended = Promise.all([read(), listen(), child.status]);
  return {
    said: () => said,
    async send(method, params) {
      if (method.startsWith("notifications/")) return await write({ method, params }) ?? null;
      const id = ++last;
      const { promise, resolve } = Promise.withResolvers<Message | null>();
      waiting.set(id, resolve);
      const timer = setTimeout(() => resolve(null), PATIENCE_MS);
      await write({ id, method, params });
      const answer = await promise;
      clearTimeout(timer);
      waiting.delete(id);
      return answer;
    },
    async stop() {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
      await ended;
      await writer.close().catch(() => {});
    },
  };
}
