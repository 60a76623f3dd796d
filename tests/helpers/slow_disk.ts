/**
 * A disk that is slow for some processes: by Linux control groups, which let them write to it so many
 * times a second and no more. What is in memory is as fast as ever.
 *
 * @module
 */

const FIRST = "/sys/fs/cgroup/blkio";
const SECOND = "/sys/fs/cgroup";

/** The number of the disk that has `folder`, as the kernel writes it; null: it is on none. */
async function diskOf(folder: string): Promise<string | null> {
  const { dev } = await Deno.stat(folder);
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  if (major === 0) return null;
  // Of a partition, the disk's: limits are of whole disks.
  const path = await Deno.realPath(`/sys/dev/block/${major}:${minor}`).catch(() => null);
  if (path === null) return null;
  const isPartition = await Deno.stat(`${path}/partition`).then(() => true, () => false);
  const text = await Deno.readTextFile(`${isPartition ? `${path}/..` : path}/dev`);
  return text.trim();
}

/** Where the limit is written, and what; null: this system has neither version of control groups. */
async function limitFor(group: string, disk: string, perSecond: number) {
  const controllers = await Deno.readTextFile(`${SECOND}/cgroup.controllers`).catch(() => "");
  if (controllers.split(/\s/).includes("io")) {
    await Deno.writeTextFile(`${SECOND}/cgroup.subtree_control`, "+io");
    return { folder: `${SECOND}/${group}`, file: "io.max", text: `${disk} wiops=${perSecond}` };
  }
  if (!await Deno.stat(FIRST).then(() => true, () => false)) return null;
  const file = "blkio.throttle.write_iops_device";
  return { folder: `${FIRST}/${group}`, file, text: `${disk} ${perSecond}` };
}

async function slowByGroup(
  folder: string,
  pids: readonly number[],
  perSecond: number,
): Promise<AsyncDisposable | null> {
  const disk = await diskOf(folder);
  const limit = disk === null ? null : await limitFor(`berth-${Deno.pid}`, disk, perSecond);
  if (limit === null) return null;
  await Deno.mkdir(limit.folder);
  const root = limit.folder.slice(0, limit.folder.lastIndexOf("/"));
  async function dispose() {
    const moved = await Deno.readTextFile(`${limit!.folder}/cgroup.procs`);
    for (const pid of moved.split("\n").filter((line) => line !== "")) {
      // It may have ended.
      await Deno.writeTextFile(`${root}/cgroup.procs`, pid).catch(() => {});
    }
    await Deno.remove(limit!.folder);
  }
  try {
    await Deno.writeTextFile(`${limit.folder}/${limit.file}`, limit.text);
    for (const pid of pids) {
      await Deno.writeTextFile(`${limit.folder}/cgroup.procs`, String(pid)).catch(() => {});
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  return { [Symbol.asyncDispose]: dispose };
}

/** Has `pids` stand still for most of the time: what others see of processes that wait for a disk. */
function slowByStops(pids: readonly number[]): AsyncDisposable {
  let [isOver, isStopped] = [false, false];
  function signal(name: Deno.Signal) {
    for (const pid of pids) {
      try {
        Deno.kill(pid, name);
      } catch (error) {
        // It has ended.
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
  }
  const turning = (async () => {
    while (!isOver) {
      isStopped = !isStopped;
      signal(isStopped ? "SIGSTOP" : "SIGCONT");
      await new Promise((resolve) => setTimeout(resolve, isStopped ? 200 : 20));
    }
    signal("SIGCONT");
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await turning;
    },
  };
}

/**
 * Makes the disk that has `folder` slow for `pids` and what they start. Where nobody may limit it,
 * the processes stand still in between instead.
 */
export async function slowDisk(
  folder: string,
  pids: readonly number[],
  perSecond: number,
): Promise<AsyncDisposable> {
  // It fails where the groups are another's: in most containers.
  const slow = await slowByGroup(folder, pids, perSecond).catch(() => null);
  return slow ?? slowByStops(pids);
}
