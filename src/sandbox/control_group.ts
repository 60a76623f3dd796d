/**
 * Control groups of Linux (version 2) around sandboxed processes, one for each: the kernel's own bounds on
 * memory and processes. They are there where Berth's process is in a leaf `main` of a group that was
 * delegated to it (systemd: `Delegate=memory pids`, `DelegateSubgroup=main`).
 *
 * Everything is done by the shell: Deno lets only a program with every permission touch these files.
 *
 * @module
 */
import { execFile } from "node:child_process";

/** Where the groups of hosts are made, and their bounds. */
export interface ControlGroups {
  folder: string;
  /** Most megabytes of one host. */
  memoryMb: number;
  /** Most processes and threads of one host. */
  processes: number;
}

/** Where the kernel shows the hierarchy, and where it says which group a process is in. */
export interface ControlGroupFiles {
  root: string;
  own: string;
}

const FILES: ControlGroupFiles = { root: "/sys/fs/cgroup", own: "/proc/self/cgroup" };
/** The shell that starts sandboxed processes and looks at them. */
export const SHELL = "/bin/sh";
// Long: what a busy machine is too slow to say would be missing from every host.
const TIMEOUT_MS = 60_000;

// Only a leaf `main`: anything else was not made for this, and its parent may be someone else's.
const FIND = `
set -e
exec 2>/dev/null
own=$(sed -n 's/^0:://p' "$2")
test "\${own##*/}" = main
top="$1\${own%/main}"
test -f "$top/cgroup.controllers"
echo "+memory +pids" > "$top/cgroup.subtree_control"
mkdir "$top/probe"
rmdir "$top/probe"
printf %s "$top"`;

/**
 * The lines of a host's start that put its process into a group of its own, named by its process
 * id. Arguments: folder (empty: none), megabytes, processes.
 */
export const JOIN_GROUP = `
if test -n "$1"
then
  group="$1/host-$$"
  {
    mkdir "$group"
    echo "$2M" > "$group/memory.max"
    echo 0 > "$group/memory.swap.max"
    echo 1 > "$group/memory.oom.group"
    echo "$3" > "$group/pids.max"
    echo $$ > "$group/cgroup.procs"
  } 2>/dev/null
fi`;

function run(program: string, args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, stdout) => {
      resolve(error === null ? String(stdout) : null);
    });
  });
}

/** The folder in which groups can be made; null where none was delegated. */
export async function findControlGroups(
  files: ControlGroupFiles = FILES,
): Promise<string | null> {
  return await run(SHELL, ["-c", FIND, "sh", files.root, files.own]) || null;
}

// The kernel takes a moment to let go of what has just ended.
const REMOVE = `
for wait in 0 0.1 0.5 2 5
do
  sleep $wait
  rmdir "$1" && exit
done 2>/dev/null`;

/** Removes the group of a process that is gone. */
export async function removeControlGroup(groups: ControlGroups, pid: number): Promise<void> {
  await run(SHELL, ["-c", REMOVE, "sh", `${groups.folder}/host-${pid}`]);
}
