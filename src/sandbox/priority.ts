/**
 * Lowering the priority of a sandboxed process that runs already.
 *
 * @module
 */
import { SHELL } from "./control_group.ts";

// The group is that of the process, with all threads of what it started. The kernel may group
// processes by session, where the priority of the group is what counts.
const STAND_BACK = `
renice -n "$2" -g "$1" >/dev/null
echo "$2" > "/proc/$1/autogroup"`;

/**
 * Makes the process `pid`, the leader of a group of its own, stand back for others. Best effort: a
 * container may forbid it, and the process is then as it was.
 *
 * @param niceness 0 not at all, 19 most; at least what the process has.
 */
export async function standBack(pid: number, niceness: number): Promise<void> {
  try {
    await new Deno.Command(SHELL, {
      args: ["-c", STAND_BACK, "sh", String(pid), String(niceness)],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  } catch {
    // No shell here: nothing stands back.
  }
}
