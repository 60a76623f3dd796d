/**
 * What the system puts around a sandboxed process beside Deno's permissions: a user of its own, no
 * privileges to gain, no network, no other processes to see, no rare system calls, limits, a lower
 * priority. Each is a small program in front of the process's command; one that does not work here
 * is left out and named, so that the operator knows.
 *
 * @module
 */
import { type ControlGroups, SHELL } from "./control_group.ts";
import { type Way, waysThatWork } from "./probe.ts";
import { seccompCommands } from "./seccomp.ts";
import { SYSTEM, type WallsSystem } from "./system.ts";
import { createUsers, type ProcessKind, type Users } from "./users.ts";

export interface WallsOptions {
  kind: ProcessKind;
  /** Most megabytes of data a process may map; null: no limit. */
  dataMb: number | null;
  /** Most megabytes of memory of a process, where it gets a control group. */
  memoryMb: number;
  /** How far processes stand back for others: 0 not at all, 19 most. */
  niceness: number;
  /** Files that a process must be able to read, absolute. */
  mustRead: readonly string[];
}

/** A wall that could not be raised. */
export interface MissingWall {
  wall: string;
  /** What is the matter, and what to do. */
  why: string;
}

/** What to start one process with. */
export interface Place {
  /** Words in front of its command. */
  prefix: string[];
  /** The process is gone: another may have its user id. */
  leave(): void;
}

/** What to start processes with. */
export interface Walls {
  /** For a process that may map this many megabytes of data. */
  enter(dataMb: number | null): Place;
  missing: MissingWall[];
  /** User ids that processes run as: the first of a range, or one for all; null: Berth's own. */
  uid: number | null;
  niceness: number;
  groups: ControlGroups | null;
}

/** No walls but Deno's: for what runs no stranger's code. */
export const NO_WALLS: Walls = {
  enter: () => ({ prefix: [], leave() {} }),
  missing: [],
  uid: null,
  niceness: 0,
  groups: null,
};

/** `nobody` on every Linux; no file is its own. */
const NOBODY = 65534;
const OPEN_FILES = 256;
const PROCESSES = 256;

/** One way to raise a wall, and what is missing then. The last is to leave it out. */
interface Variant extends Way {
  missing: MissingWall[];
}

const DATA_LIMIT = "--data=";
/** Stands for the user id of the process, which is known when it is started. */
const USER = "{user}";

function dataLimit(megabytes: number): string {
  return `${DATA_LIMIT}${megabytes * 2 ** 20}`;
}

const NO_NETWORK = ["--net", "--ipc", "--uts"];
const OWN_PROCESSES = ["--pid", "--fork", "--kill-child"];
const OWN_PROC = "--mount-proc";
/** By this the system tells what the process behind the namespace's own uses. */
const CHILDREN = "/proc/1/task/1/children";

function namespaces(isRoot: boolean): Variant[] {
  const unshare = ["unshare", ...(isRoot ? [] : ["--user"]), ...NO_NETWORK];
  const network = {
    wall: "no network",
    why:
      "unshare (util-linux) is missing or cannot create namespaces here. Only Deno's permissions " +
      "keep sandboxed processes off the network",
  };
  const processes = {
    wall: "no other processes",
    why: "unshare (util-linux) is too old or cannot create process namespaces here. Only " +
      (isRoot ? "other users' ids" : "Deno's permissions") +
      " separate sandboxed processes from each other",
  };
  const view = {
    wall: "no view of other processes",
    why: "/proc cannot be mounted here: sandboxed processes can see others, but not reach them",
  };
  const files = [CHILDREN];
  // The process that waits for the namespace's first one ends with Berth, too.
  const ending = ["setpriv", "--pdeathsig=KILL", ...unshare, ...OWN_PROCESSES];
  return [
    { words: [...ending, OWN_PROC], files, missing: [] },
    { words: ending, files, missing: [view] },
    { words: unshare, missing: [processes] },
    { words: [], missing: [network, processes] },
  ];
}

const NO_PRIVILEGES = ["setpriv", "--no-new-privs", "--pdeathsig=KILL"];
const NO_CAPABILITIES = ["--inh-caps=-all", "--bounding-set=-all"];

function asUser(user: number | string): string[] {
  return [`--reuid=${user}`, `--regid=${user}`, "--clear-groups"];
}

function rights(files: readonly string[], isRoot: boolean): Variant[] {
  const without = [...NO_PRIVILEGES, ...NO_CAPABILITIES];
  const own = {
    wall: "a user of its own",
    why: `user ids from ${USER} on are not mapped in this user namespace: all ` +
      "sandboxed processes run as one user",
  };
  const other = {
    wall: "another user",
    why: "sandboxed processes run as root: setpriv (util-linux) is missing or cannot change the " +
      `user, or user ${NOBODY} cannot read one of ${files.join(", ")}. Put Berth, DATA_DIR and ` +
      "Deno into folders that other users can enter, or do not run Berth as root",
  };
  const same = {
    wall: "another user",
    why:
      "Berth is not root, so sandboxed processes run as its user: if they break the other walls, they " +
      "have Berth's rights. Start Berth as root, as deploy/berth.service does",
  };
  const privileges = { wall: "no new privileges", why: "setpriv (util-linux) is missing" };
  const missing = [isRoot ? other : same];
  return [
    ...(isRoot
      ? [
        { words: [...without, ...asUser(USER)], files, missing: [] },
        { words: [...without, ...asUser(NOBODY)], files, missing: [own] },
      ]
      : []),
    { words: without, missing },
    { words: NO_PRIVILEGES, missing },
    { words: [], missing: [...missing, privileges] },
  ];
}

function optional(wall: string, words: string[], why: string): Variant[] {
  return [{ words, missing: [] }, { words: [], missing: [{ wall, why }] }];
}

function systemCalls(arch: string): Variant[] {
  const why =
    "perl and python3, one of which must install the system call filter, are missing, the " +
    `kernel does not support it, or Berth does not support this processor (${arch})`;
  return [
    ...seccompCommands(arch).map((words) => ({ words, missing: [] })),
    { words: [], missing: [{ wall: "fewer system calls", why }] },
  ];
}

/** The walls from the outermost to the one next to the process. */
function linuxWalls(options: WallsOptions, system: WallsSystem): Variant[][] {
  const { niceness, dataMb, mustRead } = options;
  const limits = ["prlimit", "--core=0", `--nofile=${OPEN_FILES}`];
  return [
    namespaces(system.isRoot),
    optional("lower priority", ["nice", "-n", String(niceness)], "nice (coreutils) is missing"),
    optional(
      "limits",
      dataMb === null ? limits : [...limits, dataLimit(dataMb)],
      "prlimit (util-linux) is missing, or the limits of this process are lower",
    ),
    rights(mustRead, system.isRoot),
    systemCalls(system.arch),
  ];
}

/** A place for one process behind the walls with these words. */
function enter(words: readonly string[], users: Users, dataMb: number | null): Place {
  const hasOwn = words.some((word) => word.includes(USER));
  const user = hasOwn ? users.take() : null;
  const data = dataMb === null ? [] : [dataLimit(dataMb)];
  return {
    prefix: words.flatMap((word) =>
      word.startsWith(DATA_LIMIT) ? data : [word.replace(USER, String(user ?? NOBODY))]
    ),
    leave() {
      if (user !== null) users.giveBack(user);
    },
  };
}

function isOtherUser(word: string): boolean {
  return word.startsWith("--reuid=");
}

/** Walls of these ways, the first of each wall that is to be raised. */
function wallsOf(
  chosen: readonly Variant[],
  { kind, niceness }: WallsOptions,
): Omit<Walls, "groups"> {
  const users = createUsers(kind, Deno.pid);
  const named = namedBy(users);
  const words = chosen.flatMap((variant) => variant.words);
  const asked = words.map((word) => /^--reuid=(.*)$/.exec(named(word))?.[1]).find(Boolean);
  return {
    enter: (dataMb) => enter(words, users, dataMb),
    missing: chosen.flatMap(({ missing }) => missing)
      .map(({ wall, why }) => ({ wall, why: named(why) })),
    uid: asked === undefined ? null : Number(asked),
    niceness,
  };
}

/** Writes the first user id into texts about any. */
function namedBy(users: Users): (text: string) => string {
  return (text) => text.replaceAll(USER, String(users.first));
}

/** Tries out what works here. */
export async function raiseWalls(
  options: WallsOptions,
  system: WallsSystem = SYSTEM,
): Promise<Walls> {
  const { kind, memoryMb } = options;
  if (system.os !== "linux") {
    const why = `On ${system.os}, sandboxed processes run as Berth's own user, and only Deno's ` +
      "permissions and the shell's limits confine them. Use Linux to run untrusted servers";
    return { ...NO_WALLS, missing: [{ wall: "another user", why }] };
  }
  const named = namedBy(createUsers(kind, Deno.pid));
  const [chosen, folder] = await Promise.all([
    waysThatWork(linuxWalls(options, system), (command) => system.run(command.map(named))),
    system.findControlGroups(),
  ]);
  return {
    ...wallsOf(chosen, options),
    groups: folder === null ? null : { folder, memoryMb, processes: PROCESSES },
  };
}

// Arguments: the number of files, the files, the command. Where control groups may have been
// delegated, that is for {@link raiseWalls} to find out.
const ONLY_WHERE_ALL_WORKS = `
while read -r line
do
  case $line in 0::*/main) exit 1;; esac
done < /proc/self/cgroup
left=$1
shift
while test "$left" -gt 0
do
  test -r "$1" || exit 1
  shift
  left=$((left - 1))
done
exec "$@"`;

/**
 * The best way of each wall, none of them tried out: a process that cannot have all of them, or one
 * of the files that it needs behind them, ends before its program begins. It never runs behind less
 * than {@link raiseWalls} would give, as only another user is left out, and that where such users
 * cannot get at those files. Whoever starts it asks {@link raiseWalls} once it has ended so.
 */
export function strongestWalls(options: WallsOptions, system: WallsSystem = SYSTEM): Walls {
  const isHidden = system.isRoot && options.mustRead.some((path) => system.isHidden(path));
  const best = linuxWalls(options, system).map((ways) =>
    ways.find(({ words }) => !isHidden || !words.some(isOtherUser)) ?? ways.at(-1)!
  );
  const files = best.flatMap(({ files = [] }) => files);
  const checking: Variant = {
    words: [SHELL, "-c", ONLY_WHERE_ALL_WORKS, "sh", String(files.length), ...files],
    missing: [],
  };
  return { ...wallsOf([...best, checking], options), groups: null };
}
