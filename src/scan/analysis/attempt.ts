/**
 * One attempt to run an analyser in a host process, watched: total time, time a file, memory.
 *
 * @module
 */
import {
  HostReply,
  type NotAnalysable,
  type RunRequest,
} from "../../../workers/analysis/messages.ts";
import type { HostProcess } from "./process.ts";

/** Bounds of an attempt. */
export interface Watch {
  /** Milliseconds for the whole attempt. */
  deadlineMs: number;
  /** Milliseconds for one file. */
  fileMs: number;
  /** Resident bytes of the process. */
  memoryBytes: number;
  signal?: AbortSignal | undefined;
}

/** How an attempt ended. After `broken` the process is gone or must be ended. */
export type Attempt =
  | { kind: "done"; result: unknown; notAnalysable: NotAnalysable[] }
  | {
    kind: "broken";
    why: "deadline" | "file" | "memory" | "crash" | "throw";
    /** The file that was worked on; null when it cannot be told. */
    file: string | null;
    /** Several were worked on side by side: which of them it was cannot be told. */
    unclear: boolean;
    reason: string;
  }
  | { kind: "aborted" };

// Looking takes a program each time: see `readUsage`.
const MEMORY_EVERY_MS = 500;

/** Runs `request` in `host` and tells how it ended. */
export function attempt(
  host: HostProcess,
  request: RunRequest,
  body: readonly Uint8Array[],
  watch: Watch,
): Promise<Attempt> {
  return new Promise((resolve) => {
    /** The file that each thread works on. */
    const working = new Map<number, { file: string; timer: ReturnType<typeof setTimeout> }>();
    const deadline = setTimeout(
      () => broken("deadline", `took longer than ${seconds(watch.deadlineMs)}`),
      watch.deadlineMs,
    );
    let looking = false;
    const memory = setInterval(async () => {
      if (looking) return;
      looking = true;
      const bytes = await host.memory().finally(() => looking = false);
      if (bytes !== null && bytes > watch.memoryBytes) {
        broken("memory", `needed more than ${Math.round(watch.memoryBytes / 2 ** 20)} MiB`);
      }
    }, MEMORY_EVERY_MS);
    const abort = () => settle({ kind: "aborted" });
    watch.signal?.addEventListener("abort", abort, { once: true });

    function settle(outcome: Attempt): void {
      clearTimeout(deadline);
      for (const { timer } of working.values()) clearTimeout(timer);
      clearInterval(memory);
      watch.signal?.removeEventListener("abort", abort);
      host.listen(null);
      resolve(outcome);
    }
    function broken(
      why: (Attempt & { kind: "broken" })["why"],
      reason: string,
      culprit: string | null = working.size === 1 ? [...working.values()][0]!.file : null,
    ): void {
      const unclear = culprit === null && working.size > 1;
      settle({ kind: "broken", why, file: culprit, unclear, reason });
    }
    function watchFile(file: string, thread: number): void {
      const timer = setTimeout(() => {
        // The first thread passes on what the others say: while it is busy, they may be further.
        if (thread > 0 && working.has(0)) return watchFile(file, thread);
        broken("file", `took longer than ${seconds(watch.fileMs)}`, file);
      }, watch.fileMs);
      working.set(thread, { file, timer });
    }
    function begun(file: string | null, thread: number): void {
      clearTimeout(working.get(thread)?.timer);
      working.delete(thread);
      if (file !== null && request.files.some(({ path }) => path === file)) watchFile(file, thread);
    }

    host.listen({
      onReply(given) {
        const reply = HostReply.parse(given);
        // A host works on one request; words about another are stale or forged.
        if (reply.type === "ready" || reply.id !== request.id) return;
        if (reply.type === "file") {
          begun(reply.file, reply.thread);
        } else if (reply.type === "threw") {
          broken("throw", reply.reason, reply.file);
        } else {
          settle({ kind: "done", result: reply.result, notAnalysable: reply.not_analysable });
        }
      },
      onEnd: (detail) => broken("crash", detail),
    });
    host.send(request, body);
  });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
