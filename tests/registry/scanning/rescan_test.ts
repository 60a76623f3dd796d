import { GITHUB } from "../../helpers/code_host.ts";
import { assert, assertEquals } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { recoverScans, startBackgroundWork } from "../../../src/registry/background.ts";
import { createServer, startCreate } from "../../../src/registry/servers/create.ts";
import { getServer } from "../../../src/registry/servers/get.ts";
import { rescanServer, retryErroredScans } from "../../../src/registry/scanning/rescan.ts";
import { getScan, watchScan } from "../../../src/registry/scanning/scan_watch.ts";
import { type ScanStatus, STAGES } from "../../../src/scan/schema.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  context,
  refusal,
  reportOn,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

const MINUTE = 60_000;

describeDatabases((kind, open) => {
  Deno.test(`rescanServer() on ${kind}`, async () => {
    const database = await open();
    let tools = ["one"];
    let text = "1";
    const deps = testRegistry(database, {
      fetchRepository: ({ url }) => repositoryOf(url, text),
      scan: (request) => Promise.resolve(reportOn(request, { tools })),
      policy: {
        authorPolicy: "claimed",
        scanPolicy: "reject",
        codeHosts: [GITHUB],
        scansPerHour: 1000,
        payments: false,
      },
    });
    try {
      await createServer(deps, alice, serverInput("weather"), context);
      await refusal(() => rescanServer(deps, alice, "none", context), "not_found");
      await refusal(() => rescanServer(deps, bob, "weather", context), "forbidden");
      tools = ["two", "three"];
      text = "2";
      deps.clock.time = new Date("2026-02-01T00:00:00.000Z");
      const started = await rescanServer(deps, admin, "weather", context);
      const outcome = await started.done;
      assert(outcome.kind === "stored");
      assertEquals(outcome.server.tools.names, ["two", "three"]);
      assertEquals(outcome.server.updated_at, "2026-01-01T00:00:00.000Z");
      const view = await getScan(deps, started.scanId, null);
      assertEquals([view.action, view.state], ["rescan", "stored"]);
      assertEquals(view.outcome!.status, "passed");
      // What a new scan of a record says is stored under either policy.
      const failing = testRegistry(database, {
        policy: deps.policy,
        scan: (request) => Promise.resolve(reportOn(request, { status: "failed" })),
      });
      await (await rescanServer(failing, alice, "weather", context)).done;
      const { server } = await getServer(deps, "weather", null);
      assertEquals(server.security_report.status, "failed");
    } finally {
      await database.close();
    }
  });

  Deno.test(`retryErroredScans() on ${kind} after 1, 5, 30 minutes, then hourly`, async (t) => {
    const database = await open();
    let status: ScanStatus = "error";
    const deps = testRegistry(database, {
      scan: (request) => Promise.resolve(reportOn(request, { status })),
    });
    function pass(minutes: number) {
      deps.clock.time = new Date(deps.clock.time.getTime() + minutes * MINUTE);
    }
    try {
      await createServer(deps, alice, serverInput("weather"), context);
      await createServer(deps, alice, serverInput("other"), context);
      for (const minutes of [1, 5, 30, 60, 60]) {
        await t.step(`after ${minutes}`, async () => {
          pass(minutes - 0.5);
          assertEquals(await retryErroredScans(deps), 0);
          pass(0.5);
          const nodes = await Promise.all([retryErroredScans(deps), retryErroredScans(deps)]);
          assertEquals(nodes[0] + nodes[1], 2);
        });
      }
      await t.step("scans the same bytes without the code host", () => {
        assertEquals(deps.fetched.length, 2);
        const [first, last] = [deps.scanned[0]!, deps.scanned.at(-1)!];
        assertEquals(
          last.repository.files.get("server.py"),
          first.repository.files.get("server.py"),
        );
        assertEquals(last.repository.owner, "acme");
      });
      await t.step("until there is a verdict", async () => {
        status = "passed";
        pass(60);
        assertEquals(await retryErroredScans(deps), 2);
        pass(600);
        assertEquals(await retryErroredScans(deps), 0);
        const { server } = await getServer(deps, "weather", null);
        assertEquals(server.security_report.status, "passed");
      });
    } finally {
      await database.close();
    }
  });

  Deno.test(`scans on ${kind} while they run`, async (t) => {
    const database = await open();
    const { sql } = database;
    const gate = Promise.withResolvers<void>();
    const deps = testRegistry(database, {
      scan: async (request, { onProgress }) => {
        for (const running of STAGES) {
          onProgress!(STAGES.map((stage) => ({
            stage,
            state: stage === running ? "running" : "waiting",
            started_at: null,
            finished_at: null,
            issues: null,
          })));
        }
        await gate.promise;
        return reportOn(request);
      },
    });
    try {
      const started = await startCreate(deps, alice, serverInput("weather"), context);
      const id = started.scanId;

      await t.step("are seen by their owner and administrators only", async () => {
        assertEquals((await getScan(deps, id, alice)).state, "running");
        assertEquals((await getScan(deps, id, admin)).state, "running");
        await refusal(() => getScan(deps, id, bob), "not_found");
        await refusal(() => getScan(deps, id, null), "not_found");
        await refusal(() => getScan(deps, "a\0b", admin), "not_found");
        await refusal(() => getScan(deps, "none", admin), "not_found");
      });

      await t.step("hold the name", async () => {
        await refusal(() => startCreate(deps, bob, serverInput("weather"), context), "conflict");
      });

      await t.step(
        "are watched stage by stage until they are stored, then seen by all",
        async () => {
          const states: string[] = [];
          for await (const view of watchScan(deps, id, alice, new AbortController().signal)) {
            states.push(view.state);
            if (view.stages.at(-1)!.state === "running") gate.resolve();
          }
          assertEquals(states.at(-1), "stored");
          assert(states.length >= 2);
          assertEquals((await started.done).kind, "stored");
          const view = await getScan(deps, id, null);
          assertEquals(view.stages.length, STAGES.length);
          assertEquals(view.outcome, {
            status: "passed",
            summary: { scan_passed: true, total_issues_all_scanners: 0, critical_issues: 0 },
          });
        },
      );

      await t.step("end as interrupted when their node dies, which frees the name", async () => {
        const death = Promise.withResolvers<never>();
        // On a busy machine no scan may wait for it yet.
        death.promise.catch(() => {});
        const dead = testRegistry(database, { scan: () => death.promise });
        const first = await startCreate(dead, alice, serverInput("orphan"), context);
        const { scanId } = first;
        await recoverScans(deps);
        assertEquals((await getScan(deps, scanId, alice)).state, "running");
        await sql`update scans set lease_until = now() - interval '1 hour' where id = ${scanId}`;
        const again = await startCreate(deps, bob, serverInput("orphan"), context);
        assertEquals((await again.done).kind, "stored");
        const view = await getScan(deps, scanId, alice);
        assertEquals([view.state, view.failure!.code], ["refused", "unavailable"]);
        const other = await startCreate(dead, alice, serverInput("second"), context);
        const background = await startBackgroundWork(deps, { alone: true });
        background.stop();
        assertEquals((await getScan(deps, other.scanId, alice)).state, "refused");
        // The node was only slow: what it does now changes nothing any more.
        death.reject(new Error("late"));
        const late = await first.done;
        assert(late.kind === "refused" && late.error.code === "unavailable");
        await other.done;
      });

      await t.step("end in order at shutdown", async () => {
        const stopping = testRegistry(database, {
          scan: (_, { signal }) =>
            new Promise((_resolve, reject) =>
              signal!.addEventListener("abort", () => reject(signal!.reason))
            ),
        });
        const scan = await startCreate(stopping, alice, serverInput("stopped"), context);
        await stopping.jobs.close();
        const outcome = await scan.done;
        assert(outcome.kind === "refused");
        assertEquals(outcome.error.code, "unavailable");
        assert(outcome.error instanceof AppError);
        assertEquals((await getScan(deps, scan.scanId, alice)).failure!.code, "unavailable");
      });
    } finally {
      await database.close();
    }
  });
});
