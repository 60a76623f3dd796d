/**
 * What the system puts around a session host beside Deno's permissions: another user, no
 * privileges to gain, no network, limits, a lower priority. Each is a small program in front of
 * the host's command; one that does not work here is left out and named, so that the operator
 * knows.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ControlGroups, findControlGroups } from "./control_group.ts";
import { HOST_MODULE } from "./import_map.ts";
import { denoProgram } from "./launcher.ts";
import { dataLimitMb, residentLimitMb } from "./limits.ts";

/** What the walls are built from. */
export interface WallsOptions {
  /** Most megabytes of data a host may map. */
  dataMb: number;
  /** Most megabytes of memory of a host, where it gets a control group. */
  memoryMb: number;
  /** How far hosts stand back for other processes: 0 not at all, 19 most. */
  niceness: number;
  /** Files that a host must be able to read, absolute. */
  mustRead: readonly string[];
}

/** A wall that could not be raised. */
export interface MissingWall {
  wall: string;
  /** What is the matter, and what to do. */
  why: string;
}

/** What to start hosts with. */
export interface Walls {
  /** Words in front of the command of a host that may map so many megabytes of data. */
  prefix(dataMb: number | null): string[];
  missing: MissingWall[];
  /** User id that hosts run as; null: Berth's own. */
  uid: number | null;
  niceness: number;
  groups: ControlGroups | null;
}

/** No walls but Deno's: for what runs no stranger's code. */
export const NO_WALLS: Walls = {
  prefix: () => [],
  missing: [],
  uid: null,
  niceness: 0,
  groups: null,
};

/** How to try something out. */
export interface WallsSystem {
  os: string;
  isRoot: boolean;
  /** Whether `command` runs and ends well. */
  works(command: string[]): Promise<boolean>;
  findControlGroups(): Promise<string | null>;
}

/** `nobody` on every Linux; no file is its own. */
const NOBODY = "65534";
const SHELL = "/bin/sh";
const OPEN_FILES = 256;
const PROCESSES = 256;
// Long: what a busy machine is too slow to say would be missing from every host.
const PROBE_TIMEOUT_MS = 60_000;

interface Wall {
  name: string;
  command: string[];
  why: string;
}

const DATA_LIMIT = "--data=";

function dataLimit(megabytes: number): string {
  return `${DATA_LIMIT}${megabytes * 2 ** 20}`;
}

function linuxWalls(options: WallsOptions, isRoot: boolean): Wall[] {
  const namespaces = ["--net", "--ipc", "--uts"];
  return [
    {
      name: "no network",
      command: ["unshare", ...(isRoot ? [] : ["--user"]), ...namespaces],
      why: "unshare (util-linux) is missing or may not make namespaces here; Deno's permissions " +
        "alone keep hosts from the network",
    },
    {
      name: "lower priority",
      command: ["nice", "-n", String(options.niceness)],
      why: "nice (coreutils) is missing",
    },
    {
      name: "limits",
      command: ["prlimit", "--core=0", `--nofile=${OPEN_FILES}`, dataLimit(options.dataMb)],
      why: "prlimit (util-linux) is missing, or the limits of this process are lower",
    },
  ];
}

const NO_PRIVILEGES = ["setpriv", "--no-new-privs", "--pdeathsig=KILL"];
const NO_CAPABILITIES = ["--inh-caps=-all", "--bounding-set=-all"];
const OTHER_USER = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** Whether a file is readable, as a command of its own; `"$@"` are the files. */
const CAN_READ = 'for f; do test -r "$f" || exit 1; done';

/** The real system. */
export const SYSTEM: WallsSystem = {
  os: Deno.build.os,
  get isRoot() {
    return Deno.uid() === 0;
  },
  // With an empty environment, as hosts are started.
  works: (command) =>
    new Promise((resolve) => {
      const args = ["-c", 'exec "$@"', "sh", ...command];
      const options = { env: {}, timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL" } as const;
      execFile(SHELL, args, options, (error) => resolve(error === null));
    }),
  findControlGroups: () => findControlGroups(),
};

type Works = (variant: string[], files?: readonly string[]) => Promise<boolean>;

/** The part in front of the host's command that takes its rights away. */
async function dropRights(
  { mustRead }: WallsOptions,
  isRoot: boolean,
  works: Works,
): Promise<Pick<Walls, "missing" | "uid"> & { prefix: string[] }> {
  const without = [...NO_PRIVILEGES, ...NO_CAPABILITIES];
  const nobody = [...without, ...OTHER_USER];
  if (isRoot && await works(nobody, mustRead)) {
    return { prefix: nobody, missing: [], uid: Number(NOBODY) };
  }
  const missing: MissingWall[] = [];
  if (isRoot) {
    const why =
      "Hosts run as root: setpriv (util-linux) is missing or may not change the user, or " +
      `user ${NOBODY} cannot read one of ${mustRead.join(", ")}. Put Berth, DATA_DIR and Deno ` +
      "where other users may enter, or run Berth as another user than root";
    missing.push({ wall: "another user", why });
  }
  for (const prefix of [without, NO_PRIVILEGES]) {
    if (await works(prefix)) return { prefix, missing, uid: null };
  }
  missing.push({ wall: "no new privileges", why: "setpriv (util-linux) is missing" });
  return { prefix: [], missing, uid: null };
}

/** Tries out what works here. */
export async function raiseWalls(
  options: WallsOptions,
  system: WallsSystem = SYSTEM,
): Promise<Walls> {
  const { niceness } = options;
  if (system.os !== "linux") {
    const why = `Hosts run as Berth's own user on ${system.os}: only Deno's permissions and the ` +
      "limits of the shell hold them. Run Berth on Linux for strangers' servers";
    return { ...NO_WALLS, missing: [{ wall: "another user", why }] };
  }

  const prefix: string[] = [];
  const missing: MissingWall[] = [];
  const works: Works = (variant, files = []) =>
    system.works([...prefix, ...variant, SHELL, "-c", CAN_READ, "sh", ...files]);

  for (const { name, command, why } of linuxWalls(options, system.isRoot)) {
    if (await works(command)) prefix.push(...command);
    else missing.push({ wall: name, why });
  }
  const rights = await dropRights(options, system.isRoot, works);
  const folder = await system.findControlGroups();
  return {
    prefix(dataMb) {
      const data = dataMb === null ? [] : [dataLimit(dataMb)];
      const limited = prefix.flatMap((word) => word.startsWith(DATA_LIMIT) ? data : [word]);
      return [...limited, ...rights.prefix];
    },
    missing: [...missing, ...rights.missing],
    uid: rights.uid,
    niceness,
    groups: folder === null ? null : { folder, memoryMb: options.memoryMb, processes: PROCESSES },
  };
}

/**
 * The walls for hosts of the interpreter in `folder`: their bounds follow from how many sessions a
 * host may have and what each may use.
 */
export function raiseHostWalls(
  given: { interpreter: string; sessionsPerHost: number; memoryMb: number; niceness: number },
): Promise<Walls> {
  const { interpreter, sessionsPerHost, memoryMb, niceness } = given;
  return raiseWalls({
    dataMb: dataLimitMb(sessionsPerHost, memoryMb),
    memoryMb: residentLimitMb(sessionsPerHost, memoryMb),
    niceness,
    mustRead: [`${interpreter}/index.json`, fileURLToPath(HOST_MODULE), denoProgram()],
  });
}
