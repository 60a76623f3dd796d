/**
 * A thread that does tasks, one after the other.
 *
 * @module
 */
import "../no_environment.ts";
import { doTask, type FileTasks, type TaskName } from "./tasks.ts";

export interface ThreadTask {
  number: number;
  name: TaskName;
  file: string;
  given: FileTasks[TaskName]["given"];
}

/** What a thread says: which file it begins, and how a task ended. */
export type ThreadReply =
  | { type: "begin"; file: string }
  | { type: "done"; number: number; result: FileTasks[TaskName]["gives"] }
  | { type: "threw"; number: number; reason: string };

interface ThreadScope {
  onmessage: ((event: MessageEvent<ThreadTask>) => void) | null;
  postMessage(message: ThreadReply): void;
}

const scope = globalThis as unknown as ThreadScope;
let before: Promise<void> = Promise.resolve();

async function run({ number, name, file, given }: ThreadTask): Promise<void> {
  scope.postMessage({ type: "begin", file });
  try {
    const result = await doTask(name, given as never);
    scope.postMessage({ type: "done", number, result });
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : "Unknown error";
    scope.postMessage({ type: "threw", number, reason });
  }
}

scope.onmessage = ({ data }) => {
  before = before.then(() => run(data));
};
