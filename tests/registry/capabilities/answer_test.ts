import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Database } from "../../../src/database/open.ts";
import { AppError } from "../../../src/errors.ts";
import { admit } from "../../../src/execution/admission/admission.ts";
import { clientOf } from "../../../src/execution/admission/clients.ts";
import { answerCapabilities } from "../../../src/registry/capabilities/answer.ts";
import { countWaiting, listCapabilities } from "../../../src/registry/capabilities/list.ts";
import { CapabilityQuery } from "../../../src/registry/capabilities/schema.ts";
import { acceptOffer, offerServer } from "../../../src/registry/ownership/transfer.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { findRunnable, getServer } from "../../../src/registry/servers/get.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import type { Runs } from "../../../src/scan/capabilities_schema.ts";
import type { ScanStatus } from "../../../src/scan/schema.ts";
import { capabilitiesOf } from "../../helpers/capable_servers.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  callerOf,
  context,
  refusal,
  reportOn,
  serverInput,
  testRegistry,
} from "../../helpers/registry.ts";

/** A registry that asks, whose next scan finds these capabilities. */
function asking(database: Database) {
  const next: { runs: Runs[]; status: ScanStatus } = { runs: ["sql"], status: "passed" };
  const registry = testRegistry(database, {
    scan: (request) =>
      Promise.resolve({
        ...reportOn(request, { status: next.status }),
        capabilities: capabilitiesOf(next.runs),
      }),
  });
  registry.policy = { ...registry.policy, capabilities: "ask" };
  const { sql } = database;
  const answer = (name: string, answer: "allow" | "refuse", capabilities: Runs[]) =>
    answerCapabilities(
      registry,
      admin,
      name,
      { answer, capabilities, reason: "Because." },
      context,
    );
  const stateOf = async (name: string) =>
    (await getServer(registry, name, null)).server.capability_decision?.state ?? null;
  let version = 1;
  const publishAgain = async (name: string, runs: Runs[]) => {
    next.runs = runs;
    await updateServer(registry, alice, name, { version: `1.0.${version++}` }, context);
    return await stateOf(name);
  };
  const run = (name: string) =>
    admit(
      {
        findRunnable: (each) => findRunnable(sql, each),
        policy: "unless-failed",
        capabilities: "ask",
      },
      name,
      clientOf(null, "203.0.113.7"),
    );
  const list = async (state: string, more: Record<string, string> = {}) =>
    await listCapabilities(registry, CapabilityQuery.parse({ state, ...more }));
  return { registry, next, answer, stateOf, publishAgain, run, list };
}

async function told(work: Promise<unknown>): Promise<[string, unknown]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return [error.message, error.details];
    throw error;
  }
  return ["runs", null];
}

describeDatabases((kind, open) => {
  Deno.test(`an administrator decides which servers with capabilities run, on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    try {
      const asked = asking(database);
      const { registry, next, answer, stateOf, publishAgain, run, list } = asked;
      await sql`
        insert into users (subject, username, created_at) values ('user-bob', 'bob', now())`;
      await createServer(registry, alice, serverInput("store"), context);
      next.runs = [];
      await createServer(registry, alice, serverInput("plain"), context);

      await t.step("one without capabilities needs no answer", async () => {
        assertEquals(await stateOf("plain"), null);
        assertEquals((await run("plain")).name, "plain");
        await refusal(() => answer("plain", "allow", ["sql"]), "conflict");
      });

      await t.step("one with them waits, and callers are told what for", async () => {
        assertEquals(await stateOf("store"), "waiting");
        const [message, details] = await told(run("store"));
        assertStringIncludes(message, "runs SQL that its caller writes, and waits for an admin");
        assertEquals(details, { required: "permission of an administrator", current: "waiting" });
      });

      await t.step("the queue has it with its evidence", async () => {
        const { cases, nextCursor } = await list("waiting");
        assertEquals([cases.length, nextCursor, await countWaiting(registry)], [1, null, 1]);
        assertEquals([cases[0]!.name, cases[0]!.runs, cases[0]!.answer], [
          "store",
          [{ kind: "sql", tools: ["run_sql"], file: "server.py", line: 3 }],
          null,
        ]);
      });

      await t.step("an answer to other capabilities than it has is refused", async () => {
        const error = await refusal(() => answer("store", "allow", ["sql", "code"]), "conflict");
        assertStringIncludes(error.message, "Now: sql");
        await refusal(() => answer("nowhere", "allow", ["sql"]), "not_found");
      });

      await t.step("allowed, it runs, and so do versions with the same", async () => {
        await answer("store", "allow", ["sql"]);
        assertEquals(await stateOf("store"), "allowed");
        assertEquals((await run("store")).name, "store");
        assertEquals(await publishAgain("store", ["sql"]), "allowed");
        assertEquals((await list("waiting")).cases, []);
        assertEquals((await list("allowed")).cases.map(({ name }) => name), ["store"]);
      });

      await t.step("a version with more waits again, and one with less does not", async () => {
        assertEquals(await publishAgain("store", ["sql", "commands"]), "waiting");
        assertEquals((await told(run("store")))[0] === "runs", false);
        const [one] = (await list("waiting")).cases;
        assertEquals([one?.answer?.answer, one?.answer?.capabilities], ["allow", ["sql"]]);
        await answer("store", "allow", ["commands", "sql"]);
        assertEquals(await stateOf("store"), "allowed");
        assertEquals(await publishAgain("store", ["commands"]), "allowed");
      });

      await t.step(
        "refused, it does not run, nor do versions with more; one with less waits",
        async () => {
          await publishAgain("store", ["sql", "commands"]);
          await answer("store", "refuse", ["sql", "commands"]);
          const [message, details] = await told(run("store"));
          assertStringIncludes(message, "an administrator refused that: Because");
          assertEquals(details, { required: "permission of an administrator", current: "refused" });
          assertEquals(await publishAgain("store", ["sql", "commands", "code"]), "refused");
          assertEquals(await publishAgain("store", ["sql"]), "waiting");
          assertEquals(await publishAgain("store", []), null);
          await publishAgain("store", ["sql"]);
          await answer("store", "allow", ["sql"]);
        },
      );

      await t.step("each answer is in the audit log with its reason", async () => {
        const rows = await sql<{ action: string; details: unknown }[]>`
          select action, details from audit_log where subject = 'store' and action like 'capability.%'
          order by id`;
        assertEquals(rows.map(({ action }) => action), [
          "capability.allow",
          "capability.allow",
          "capability.refuse",
          "capability.allow",
        ]);
        assertEquals(rows[2]!.details, { capabilities: ["sql", "commands"], reason: "Because." });
      });

      await t.step("it waits again when it gets another owner", async () => {
        await offerServer(registry, alice, "store", { to: "bob" }, context);
        const given = await acceptOffer(registry, bob, "store", context);
        assertEquals(given.capability_decision, {
          state: "waiting",
          reason: null,
          decided_at: null,
        });
        await answer("store", "allow", ["sql"]);
      });

      await t.step("the answer goes with the server", async () => {
        await removeServer(registry, bob, "store", context);
        registry.clock.time = new Date(registry.clock.time.getTime() + 400 * 24 * 3_600_000);
        next.runs = ["sql"];
        await createServer(registry, callerOf("eve"), serverInput("store"), context);
        assertEquals(await stateOf("store"), "waiting");
      });

      await t.step("servers whose scan failed are in the queue only where they run", async () => {
        next.status = "failed";
        await publishFailed(asked);
        assertEquals((await list("waiting")).cases.map(({ name }) => name), ["store"]);
        registry.policy = { ...registry.policy, runsFailed: true };
        assertEquals((await list("waiting")).cases.map(({ name }) => name), ["broken", "store"]);
      });

      await t.step("the queue is read page by page", async () => {
        const first = await list("waiting", { limit: "1" });
        assertEquals([first.cases[0]!.name, first.nextCursor], ["broken", "broken"]);
        const second = await list("waiting", { limit: "1", cursor: "broken" });
        assertEquals([second.cases[0]!.name, second.nextCursor], ["store", null]);
      });

      await t.step("answers are kept and decide nothing under another policy", async () => {
        registry.policy = { ...registry.policy, capabilities: "show" };
        assertEquals(await stateOf("store"), null);
      });
    } finally {
      await database.close();
    }
  });
});

async function publishFailed({ registry }: ReturnType<typeof asking>): Promise<void> {
  await createServer(registry, alice, serverInput("broken"), context);
}
