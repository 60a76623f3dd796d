/**
 * Jobs that one node does for all: whoever comes first when one is due takes it.
 *
 * @module
 */
import type { Logger } from "../log.ts";
import type { Queryable, Sql } from "./client.ts";

/** Work that is done now and then. */
export interface Job {
  name: string;
  everySeconds: number;
  /** @returns How much it removed. */
  work: () => Promise<number>;
}

export interface JobsOptions {
  sql: Sql;
  log: Logger;
  /** What this node is called. */
  node: string;
}

/** When and where a job was done last, and what came of it. */
export interface JobRun {
  name: string;
  node: string;
  began_at: Date;
  /** Null while it runs, or where its node died. */
  ended_at: Date | null;
  removed: number;
  failure: string | null;
}

// The first half of the lock's key: any number, the same on every node.
const LOCK_CLASS = 7_261_002;
const FAILURE_MAX_CHARS = 500;

/** The last run of every job. */
export async function readJobs(sql: Queryable): Promise<JobRun[]> {
  return await sql<JobRun[]>`
    select name, node, began_at, ended_at, removed::float8 as removed, failure
    from upkeep_jobs order by name`;
}

/** Takes note of the run, where the job is due by the database's clock. */
async function begin(sql: Queryable, { name, everySeconds }: Job, node: string): Promise<boolean> {
  const taken = await sql`
    insert into upkeep_jobs (name, node, began_at) values (${name}, ${node}, now())
    on conflict (name) do update
      set node = excluded.node, began_at = now(), ended_at = null, removed = 0, failure = null
      where upkeep_jobs.began_at <= now() - make_interval(secs => ${everySeconds})
        or upkeep_jobs.began_at > now()
    returning name`;
  return taken.length === 1;
}

/**
 * Does `job` where it is due and no other node is doing it. A lock of the connection says so: it goes
 * with the connection, however its node ends. Failures are logged and kept for operators.
 *
 * @returns Whether it was done.
 */
export async function doJob({ sql, log, node }: JobsOptions, job: Job): Promise<boolean> {
  const connection = await sql.reserve();
  try {
    const [row] = await connection<[{ isMine: boolean }]>`
      select pg_try_advisory_lock(${LOCK_CLASS}, hashtext(${job.name})) as "isMine"`;
    if (!row.isMine) return false;
    try {
      if (!await begin(connection, job, node)) return false;
      let removed = 0;
      let failure: string | null = null;
      try {
        removed = await job.work();
      } catch (error) {
        log.warn("upkeep.failed", { job: job.name, error });
        failure = (error instanceof Error ? error.message : "It failed").slice(
          0,
          FAILURE_MAX_CHARS,
        );
      }
      await connection`
        update upkeep_jobs set ended_at = clock_timestamp(), removed = ${removed},
          failure = ${failure}
        where name = ${job.name}`;
      if (removed > 0) log.info("upkeep.removed", { job: job.name, removed });
      return true;
    } finally {
      await connection`select pg_advisory_unlock(${LOCK_CLASS}, hashtext(${job.name}))`;
    }
  } finally {
    connection.release();
  }
}

const ROUND_MS = 60_000;

/** Looks every minute which of `jobs` are due. @returns What ends that. */
export function startJobs(options: JobsOptions, jobs: readonly Job[]): () => Promise<void> {
  let closed = false;
  let running: Promise<void> | null = null;
  async function round() {
    for (const job of jobs) {
      if (closed) break;
      try {
        await doJob(options, job);
      } catch (error) {
        options.log.warn("upkeep.not_begun", { job: job.name, error });
      }
    }
    running = null;
  }
  const timer = setInterval(() => void (running ??= round()), ROUND_MS);
  return async () => {
    closed = true;
    clearInterval(timer);
    await running;
  };
}
