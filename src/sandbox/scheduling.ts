/**
 * How large a share of the processors sandboxed processes that run already get, and may get back. The
 * kernel groups processes by session (autogroup), and unlike a process's own niceness that of a group
 * may be lowered again without privileges. Where it does not, all shares stay as they are.
 *
 * @module
 */
import { SHELL } from "./control_group.ts";

// A line has the process and its group's niceness. An unprivileged process may change one group each
// tenth of a second.
const SHARE = `
while read -r pid niceness; do
  test -e "/proc/$pid/autogroup" || continue
  for pause in 0.1 0.1 0.1 0; do
    { echo "$niceness" > "/proc/$pid/autogroup"; } 2>/dev/null && break
    sleep "$pause"
  done
done`;

/** Changes the shares of processes, each the leader of a session of its own. */
export interface Scheduling {
  /**
   * Best effort, and soon.
   *
   * @param niceness 0 for a whole share, 19 for the smallest.
   */
  share(pid: number, niceness: number): void;
  /** Changes nothing more. */
  close(): Promise<void>;
}

interface Shell {
  child: Deno.ChildProcess;
  writer: WritableStreamDefaultWriter<Uint8Array>;
}

const encoder = new TextEncoder();

function startShell(): Shell | null {
  try {
    const child = new Deno.Command(SHELL, {
      args: ["-c", SHARE],
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    return { child, writer: child.stdin.getWriter() };
  } catch {
    // No shell here.
    return null;
  }
}

/** Deno lets only programs of every permission write these files: a shell does it, which is kept. */
export function createScheduling(): Scheduling {
  let shell: Shell | null | undefined;
  let closed = false;
  return {
    share(pid, niceness) {
      if (closed || Deno.build.os !== "linux" || shell === null) return;
      shell ??= startShell();
      // One that has ended is not started again: it only made the machine fairer.
      shell?.writer.write(encoder.encode(`${pid} ${niceness}\n`)).catch(() => shell = null);
    },
    async close() {
      closed = true;
      if (!shell) return;
      await shell.writer.close().catch(() => {});
      await shell.child.status;
    },
  };
}
