import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer, startCreate } from "../../../src/registry/servers/create.ts";
import { createJobs } from "../../../src/registry/scanning/jobs.ts";
import { SCANS_AT_ONCE } from "../../../src/registry/scanning/scan_limits.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { callerOf, refusal, reportOn, serverInput, testRegistry } from "../../helpers/registry.ts";

const never = new AbortController().signal;

Deno.test("createJobs() gives places in order, and to the next when one gives up", async () => {
  const jobs = createJobs(1);
  const order: string[] = [];
  const leave = await jobs.enter(never);
  const impatient = new AbortController();
  const gone = assertRejects(() => jobs.enter(impatient.signal));
  const second = jobs.enter(never).then((leave) => {
    order.push("second");
    return leave;
  });
  impatient.abort(new Error("enough"));
  await gone;
  order.push("first leaves");
  leave();
  leave(); // Leaving twice makes no second place.
  const third = jobs.enter(never).then(() => order.push("third"));
  const leaveSecond = await second;
  await Promise.resolve();
  assertEquals(order, ["first leaves", "second"]);
  leaveSecond();
  await third;
  await jobs.close();
  assert(jobs.signal.aborted);
});

Deno.test("scans wait for a place, and one user cannot take all of them", async () => {
  const database = await openTestDatabase();
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  const deps = testRegistry(database, {
    jobs: createJobs(2),
    scan: async (request) => {
      most = Math.max(most, ++running);
      if (running === 2) both.resolve();
      await gate.promise;
      running--;
      return reportOn(request);
    },
  });
  const context = { requestId: "r" };
  const alice = callerOf("alice");
  try {
    const started = [];
    for (let n = 0; n < SCANS_AT_ONCE; n++) {
      started.push(await startCreate(deps, alice, serverInput(`server-${n}`), context));
    }
    const error = await refusal(
      () => startCreate(deps, alice, serverInput("too-many"), context),
      "rate_limited",
    );
    assertEquals(error.headers["Retry-After"], "30");
    const other = createServer(deps, callerOf("bob"), serverInput("bobs"), context);
    await both.promise;
    gate.resolve();
    const outcomes = await Promise.all(started.map(({ done }) => done));
    assertEquals(outcomes.filter(({ kind }) => kind === "stored").length, SCANS_AT_ONCE);
    await other;
    assertEquals(most, 2);
    await createServer(deps, alice, serverInput("again"), context);
  } finally {
    await deps.jobs.close();
    await database.close();
  }
});
