import { assertEquals } from "@std/assert";
import { doJob, type Job, readJobs } from "../../src/database/jobs.ts";
import { describeDatabases, silentLog } from "../helpers/database.ts";

describeDatabases((kind, open) => {
  Deno.test(`a job is done by one node, once in its time, whoever asks (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    let runs = 0;
    const job: Job = {
      name: "archives",
      everySeconds: 3600,
      async work() {
        runs += 1;
        await sql`select 1`;
        return 7;
      },
    };
    const nodes = ["a", "b", "c"].map((node) => ({ sql, log: silentLog, node }));
    try {
      const done = await Promise.all(nodes.map((node) => doJob(node, job)));
      assertEquals(done.filter((one) => one).length, 1);
      for (const node of nodes) assertEquals(await doJob(node, job), false);
      assertEquals(runs, 1);
      const [run] = await readJobs(sql);
      assertEquals([run!.name, run!.removed, run!.failure], ["archives", 7, null]);
      assertEquals(run!.ended_at !== null, true);

      await sql`update upkeep_jobs set began_at = began_at - interval '2 hours'`;
      assertEquals(await doJob(nodes[1]!, job), true);
      // A clock that was ahead does not put it off for ever.
      await sql`update upkeep_jobs set began_at = now() + interval '2 years'`;
      assertEquals(await doJob(nodes[2]!, job), true);
      assertEquals([(await readJobs(sql))[0]!.node, runs], ["c", 3]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`a job that fails is told of, and tried again in its time (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    const node = { sql, log: silentLog, node: "a" };
    let fails = true;
    const job: Job = {
      name: "audit",
      everySeconds: 0,
      work: () => fails ? Promise.reject(new Error("disk full")) : Promise.resolve(0),
    };
    try {
      assertEquals(await doJob(node, job), true);
      assertEquals((await readJobs(sql))[0]!.failure, "disk full");
      fails = false;
      assertEquals(await doJob(node, job), true);
      assertEquals((await readJobs(sql))[0]!.failure, null);
    } finally {
      await database.close();
    }
  });
});
