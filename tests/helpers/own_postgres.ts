/**
 * A PostgreSQL server of a test's own, in a temporary folder, that may be killed.
 *
 * @module
 */
import postgres from "postgres";
import { freePort } from "./berth_process.ts";
import { until } from "./interpreter.ts";
import { descendants, textOf } from "./processes.ts";

const INSTALLED = "/usr/lib/postgresql";

/** The folder of the newest server's programs on this machine (Debian); null: there is none. */
export async function postgresPrograms(): Promise<string | null> {
  const versions: number[] = [];
  try {
    for await (const { name } of Deno.readDir(INSTALLED)) versions.push(Number(name));
  } catch {
    return null;
  }
  const newest = versions.filter(Number.isInteger).sort((a, b) => a - b).at(-1);
  return newest === undefined ? null : `${INSTALLED}/${newest}/bin`;
}

/** A server with an empty database. */
export interface OwnPostgres extends AsyncDisposable {
  port: number;
  folder: string;
  /** The address of its database by another port, such as that of a way to it. */
  urlBy(port: number): string;
  /** Starts it again. */
  start(): Promise<void>;
  /** `fast` cuts connections; `immediate` also leaves what a crash does. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Its processes. */
  pids(): Promise<number[]>;
  /** Its first process is killed; the others end as they notice. */
  kill(): Promise<void>;
  /** Asks it by a connection that is no other's, and that it always has room for. */
  ask<T extends object = Record<string, unknown>>(statement: string): Promise<T[]>;
  /** A copy that follows it as a standby, without being able to say no. */
  standby(): Promise<OwnPostgres & { promote(): Promise<void> }>;
}

async function run(program: string, args: string[]): Promise<void> {
  // PostgreSQL does not run as root.
  const [command, all] = Deno.uid() === 0
    ? ["runuser", ["-u", "postgres", "--", program, ...args]]
    : [program, args];
  const { success, stderr } = await new Deno.Command(command!, {
    args: all as string[],
    cwd: "/",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

// A commit is kept when a process dies; that the machine does is nothing that is tried.
const SETTINGS = [
  "-c listen_addresses=127.0.0.1 -c dynamic_shared_memory_type=mmap -c max_connections=40",
  "-c synchronous_commit=on -c wal_level=replica",
].join(" ");
const CHANGEABLE = "fsync = off\nfull_page_writes = off\n";

function open(bin: string, folder: string): OwnPostgres {
  const port = freePort();
  const data = `${folder}/data`;
  const urlBy = (by: number) => `postgres://postgres@127.0.0.1:${by}/postgres`;
  async function control(...args: string[]) {
    await run(`${bin}/pg_ctl`, ["-D", data, "-s", "-w", "-t", "60", ...args]);
  }
  async function pid() {
    return Number((await textOf(`${data}/postmaster.pid`)).split("\n")[0]);
  }
  const server: OwnPostgres = {
    port,
    folder,
    urlBy,
    start: () =>
      // What a killed one has left may still be ending.
      until(() =>
        control("start", "-l", `${folder}/log`, "-o", `-p ${port} -k ${folder} ${SETTINGS}`)
          .then(() => true, () => false), 60_000),
    stop: (mode) => control("stop", "-m", mode),
    async pids() {
      const first = await pid();
      return [first, ...await descendants(first)];
    },
    async kill() {
      Deno.kill(await pid(), "SIGKILL");
    },
    async ask<T extends object>(statement: string) {
      const sql = postgres(urlBy(port), { max: 1, onnotice: () => {}, fetch_types: false });
      try {
        return await sql.unsafe<T[]>(statement);
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
    async standby() {
      const copy = await makeFolder();
      const source = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres"];
      await run(`${bin}/pg_basebackup`, [...source, "-D", `${copy}/data`, "-R", "-X", "stream"]);
      const standby = open(bin, copy);
      await standby.start();
      return {
        ...standby,
        promote: () => run(`${bin}/pg_ctl`, ["-D", `${copy}/data`, "-s", "-w", "promote"]),
      };
    },
    async [Symbol.asyncDispose]() {
      await control("stop", "-m", "immediate").catch(() => {});
      await Deno.remove(folder, { recursive: true });
    },
  };
  return server;
}

async function makeFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "berth-postgres-" });
  await Deno.chmod(folder, 0o755);
  if (Deno.uid() === 0) {
    await new Deno.Command("chown", { args: ["postgres", folder] }).output();
  }
  return folder;
}

/** Starts a server. @param bin See {@link postgresPrograms}. */
export async function startOwnPostgres(bin: string): Promise<OwnPostgres> {
  const folder = await makeFolder();
  const access = ["-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "-N"];
  await run(`${bin}/initdb`, ["-D", `${folder}/data`, ...access]);
  await Deno.writeTextFile(`${folder}/data/postgresql.conf`, CHANGEABLE, { append: true });
  const server = open(bin, folder);
  await server.start();
  return server;
}
