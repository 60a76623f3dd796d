/**
 * Whether this process answers others while it is given something hostile to do.
 *
 * @module
 */
import { assert } from "@std/assert";

/**
 * Does `work`, which is to be done elsewhere, and asks a listener of this process for its health in
 * the meantime: the answer must be there before the work has ended.
 */
export async function answersMeanwhile<T>(work: () => Promise<T>): Promise<T> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response("well"),
  );
  try {
    const ends: string[] = [];
    const done = work().finally(() => ends.push("work"));
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/health`);
    assert(await response.text() === "well");
    ends.push("health");
    const result = await done;
    assert(ends[0] === "health", "the work kept this process from answering");
    return result;
  } finally {
    await server.shutdown();
  }
}
