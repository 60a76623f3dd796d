/**
 * Does a task with each of many files: where there is much to do, in threads side by side.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { FileError } from "./file_error.ts";
import { doTask, type FileTasks, type TaskName } from "./tasks.ts";
import { createPauses } from "./visiting.ts";
import type { ThreadReply, ThreadTask } from "./thread.ts";

export interface FileToDo<Given> {
  path: string;
  /** Bytes or characters, roughly. */
  size: number;
  given: Given;
}

/** A file with what the task gave. */
export interface FileDone<Name extends TaskName> {
  file: FileToDo<FileTasks[Name]["given"]>;
  result: FileTasks[Name]["gives"];
}

/** Below this size, altogether, starting threads takes longer than what they save. */
const WORTH_THREADS = 2_000_000;
/** Tasks that a thread has waiting, so that it need not wait for this one. */
const AHEAD = 3;
/** Threads end when nothing was to be done for so long: they hold engines. */
const IDLE_MS = 5_000;

let threads: Worker[] = [];
let idle: ReturnType<typeof setTimeout> | undefined;

function threadsFor(count: number): Worker[] {
  clearTimeout(idle);
  while (threads.length < count) {
    threads.push(new Worker(new URL("./thread.ts", import.meta.url), { type: "module" }));
  }
  return threads.slice(0, count);
}

/** Ends the threads at once. They end by themselves when nothing is to be done. */
export function endThreads(): void {
  clearTimeout(idle);
  for (const thread of threads) thread.terminate();
  threads = [];
}

function release(): void {
  clearTimeout(idle);
  idle = setTimeout(endThreads, IDLE_MS);
}

/** With bytes of its own: of a view, all that it is a view of would be sent to a thread. */
export function withOwnBytes<Given extends object>(given: Given): Given {
  return "bytes" in given && given.bytes instanceof Uint8Array
    ? { ...given, bytes: given.bytes.slice() }
    : given;
}

async function* inThreads<Name extends TaskName>(
  name: Name,
  files: readonly FileToDo<FileTasks[Name]["given"]>[],
  input: Pick<AnalyserInput, "begin" | "threads">,
): AsyncGenerator<FileDone<Name>> {
  const workers = threadsFor(input.threads);
  const waiting = workers.map(() => 0);
  const results = new Map<number, FileTasks[Name]["gives"]>();
  let failure: FileError | null = null;
  let next = 0;
  let ended = false;
  let wake: () => void = () => {};

  function send(thread: number): void {
    while (waiting[thread]! < AHEAD && next < files.length) {
      const { path, given } = files[next]!;
      const task: ThreadTask = { number: next++, name, file: path, given: withOwnBytes(given) };
      waiting[thread]!++;
      workers[thread]!.postMessage(task);
    }
  }
  function heard(thread: number, reply: ThreadReply): void {
    if (reply.type === "begin") return input.begin(reply.file, thread + 1);
    waiting[thread]!--;
    if (waiting[thread] === 0) input.begin(null, thread + 1);
    if (reply.type === "done") results.set(reply.number, reply.result as never);
    else failure ??= new FileError(files[reply.number]!.path, reply.reason);
    if (failure === null && !ended) send(thread);
    wake();
  }

  input.begin(null);
  for (const [thread, worker] of workers.entries()) {
    worker.onmessage = ({ data }: MessageEvent<ThreadReply>) => heard(thread, data);
    send(thread);
  }
  const change = () => new Promise<void>((resolve) => wake = resolve);
  try {
    for (let wanted = 0; wanted < files.length; wanted++) {
      while (!results.has(wanted)) {
        if (failure !== null) throw failure;
        await change();
      }
      const result = results.get(wanted)!;
      results.delete(wanted);
      yield { file: files[wanted]!, result };
    }
  } finally {
    // Whoever wants no more leaves threads at work, whose answers must not be taken for others.
    ended = true;
    while (waiting.some((count) => count > 0)) await change();
    release();
  }
}

/** Whether tasks with these files leave this thread free. */
export function goesToThreads(
  files: readonly FileToDo<unknown>[],
  { threads }: Pick<AnalyserInput, "threads">,
): boolean {
  return threads > 1 && files.reduce((sum, { size }) => sum + size, 0) >= WORTH_THREADS;
}

/** Does a task with each of the files; the results are in the order of the files. */
export async function* eachFile<Name extends TaskName>(
  name: Name,
  files: readonly FileToDo<FileTasks[Name]["given"]>[],
  input: Pick<AnalyserInput, "begin" | "threads">,
): AsyncGenerator<FileDone<Name>> {
  if (goesToThreads(files, input)) return yield* inThreads(name, files, input);
  const pause = createPauses();
  for (const file of files) {
    input.begin(file.path);
    yield { file, result: await doTask(name, file.given) };
    await pause(file.size);
  }
}
