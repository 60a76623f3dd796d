import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Database } from "../../../src/database/open.ts";
import { AppError } from "../../../src/errors.ts";
import { createServer, startCreate } from "../../../src/registry/servers/create.ts";
import type { RegistryDeps } from "../../../src/registry/deps.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { SCANS_AT_ONCE } from "../../../src/registry/scanning/scan_limits.ts";
import { startUpdate } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  callerOf,
  context,
  refusal,
  reportOn,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

const ada = callerOf("ada");
const SCANS_PER_HOUR = 5;
const START = Date.UTC(2026, 0, 1);

async function withRegistry(
  open: () => Promise<Database>,
  overrides: Partial<RegistryDeps>,
  test: (deps: RegistryDeps) => Promise<void>,
): Promise<void> {
  const database = await open();
  const deps = testRegistry(database, overrides);
  try {
    await test(deps);
  } finally {
    await deps.jobs.close();
    await database.close();
  }
}

describeDatabases((kind, open) => {
  Deno.test(`a user has a maximum number of scans at once, however they start (${kind})`, async () => {
    const gate = Promise.withResolvers<void>();
    const scan: RegistryDeps["scan"] = async (request) => {
      await gate.promise;
      return reportOn(request);
    };
    await withRegistry(open, { scan }, async (deps) => {
      const begun = await Promise.allSettled(
        Array.from(
          { length: 8 },
          (_, n) => startCreate(deps, ada, serverInput(`server-${n}`), context),
        ),
      );
      const refused = begun.flatMap((one) => one.status === "rejected" ? [one.reason] : []);
      assertEquals(refused.length, 8 - SCANS_AT_ONCE);
      for (const error of refused) {
        assert(error instanceof AppError);
        assertEquals([error.code, error.headers["Retry-After"]], ["rate_limited", "30"]);
      }
      // Others have theirs, and administrators any number.
      const started = [startCreate(deps, callerOf("bob"), serverInput("bobs"), context)];
      const root = callerOf("root", { isAdmin: true });
      for (let n = 0; n <= SCANS_AT_ONCE; n++) {
        started.push(startCreate(deps, root, serverInput(`root-${n}`), context));
      }
      const running = await Promise.all(started);
      gate.resolve();
      await Promise.all(running.map(({ done }) => done));
      for (const one of begun) if (one.status === "fulfilled") await one.value.done;
      // A refused one has not taken its name.
      const again = Array.from({ length: 8 }, (_, n) => `server-${n}`);
      const kept = await deps.sql`select name from servers where name = any(${again})`;
      assertEquals(kept.length, SCANS_AT_ONCE);
      const free = again.find((name) => kept.every((row) => row["name"] !== name))!;
      await createServer(deps, ada, serverInput(free), context);
    });
  });

  Deno.test(`a user has a maximum number of scans per hour, refused ones not counted (${kind})`, async () => {
    let time = START;
    await withRegistry(open, { now: () => new Date(time) }, async (registry) => {
      const deps = { ...registry, policy: { ...registry.policy, scansPerHour: SCANS_PER_HOUR } };
      await createServer(deps, ada, serverInput("one"), context);
      time += 60_000;
      for (let n = 1; n < SCANS_PER_HOUR; n++) {
        await deps.sql`
          insert into scans (id, server, action, state, actor, owner, request_id, stages,
            started_at, finished_at, lease_until)
          values (${`s${n}`}, 'one', 'rescan', 'refused', ${ada.userId}, ${ada.userId}, 'r', '[]',
            ${new Date(time)}, ${new Date(time)}, ${new Date(time)})`;
      }
      const attempts = [
        () => rescanServer(deps, ada, "one", context),
        () => startUpdate(deps, ada, "one", { version: "2.0.0" }, context),
        () => createServer(deps, ada, serverInput("two"), context),
      ];
      for (const attempt of attempts) {
        const error = await refusal(attempt, "rate_limited");
        assertEquals(error.headers["Retry-After"], String(59 * 60));
        assertStringIncludes(error.message, "5 per hour (SCANS_PER_HOUR)");
      }
      // What needs no scan has no such limit.
      const changed = await startUpdate(deps, ada, "one", { description: "Other" }, context);
      assertEquals(changed.kind, "changed");
      time += 59 * 60_000;
      await createServer(deps, ada, serverInput("two"), context);
      await refusal(() => rescanServer(deps, ada, "one", context), "rate_limited");
      const root = callerOf("root", { isAdmin: true });
      await (await rescanServer(deps, root, "one", context)).done;
    });
  });

  Deno.test(`scans of nodes that died do not count as running (${kind})`, async () => {
    await withRegistry(open, {}, async (deps) => {
      for (let n = 0; n < SCANS_AT_ONCE; n++) {
        await deps.sql`
          insert into scans (id, server, action, state, actor, owner, request_id, stages,
            started_at, lease_until)
          values (${`s${n}`}, ${`s${n}`}, 'create', 'running', ${ada.userId}, ${ada.userId}, 'r',
            '[]', now(), now() - interval '1 hour')`;
      }
      await createServer(deps, ada, serverInput("one"), context);
    });
  });
});
