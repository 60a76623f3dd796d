import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Caller } from "../../../src/identity/caller.ts";
import { renameUser } from "../../../src/identity/rename.ts";
import { userOf } from "../../../src/names/users.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { getServer, ownedServers } from "../../../src/registry/servers/get.ts";
import { answerInvitation, inviteOwner } from "../../../src/registry/ownership/owners.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { getScan } from "../../../src/registry/scanning/scan_watch.ts";
import {
  acceptOffer,
  cancelOffer,
  declineOffer,
  listTransfers,
  offerServer,
} from "../../../src/registry/ownership/transfer.ts";
import { startUpdate, updateServer } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  carol,
  context,
  refusal,
  reportOn,
  serverInput,
  type TestRegistry,
  testRegistry,
} from "../../helpers/registry.ts";

const TO_BOB = { to: "bob" };

/** Makes users of `callers`, as their first requests do. */
async function meet(deps: TestRegistry, ...callers: Caller[]): Promise<void> {
  for (const { userId, username } of callers) {
    await userOf(deps, userId, `${username}@example.com`);
  }
}

describeDatabases((kind, open) => {
  function test(
    name: string,
    run: (deps: TestRegistry) => Promise<void>,
    overrides: Parameters<typeof testRegistry>[1] = {},
  ) {
    Deno.test(`${name} (${kind})`, async () => {
      const database = await open();
      const deps = testRegistry(database, overrides);
      try {
        await meet(deps, alice, bob, carol, admin);
        await run(deps);
      } finally {
        await deps.jobs.close();
        await database.close();
      }
    });
  }

  async function audited(deps: TestRegistry) {
    const rows = await deps.sql`
      select actor, action, details from audit_log
      where subject = 'weather' order by id offset 1`;
    return rows.map((row) => [row["action"], row["actor"], row["details"]]);
  }

  test("acceptOffer() gives the server to the recipient, under the recipient's name", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    const before = await getServer(deps, "weather", null);
    deps.clock.time = new Date("2026-01-02T00:00:00.000Z");
    const offer = await offerServer(deps, alice, "weather", TO_BOB, context);
    assertEquals(offer, {
      server: "weather",
      from: "alice",
      to: "bob",
      created_at: "2026-01-02T00:00:00.000Z",
      expires_at: "2026-01-16T00:00:00.000Z",
    });
    assertEquals((await getServer(deps, "weather", null)).etag, before.etag);
    assertEquals(await listTransfers(deps, { userId: "user-alice" }), {
      incoming: [],
      outgoing: [offer],
    });
    assertEquals(await listTransfers(deps, { userId: "user-bob" }), {
      incoming: [offer],
      outgoing: [],
    });
    assertEquals(await listTransfers(deps, { userId: "user-carol" }), {
      incoming: [],
      outgoing: [],
    });

    deps.clock.time = new Date("2026-01-03T00:00:00.000Z");
    const server = await acceptOffer(deps, bob, "weather", context);
    assertEquals(server.author, "bob");
    assertEquals(server.updated_at, "2026-01-03T00:00:00.000Z");
    const after = await getServer(deps, "weather", null);
    assertEquals(after.server, server);
    assertNotEquals(after.etag, before.etag);
    assertEquals(await ownedServers(deps, "user-alice"), []);
    assertEquals(await ownedServers(deps, "user-bob"), ["weather"]);
    assertEquals(await listTransfers(deps, { userId: "user-bob" }), { incoming: [], outgoing: [] });
    assertEquals(await audited(deps), [
      ["server.offer", "user-alice", { from: "user-alice", to: "user-bob" }],
      ["server.transfer", "user-bob", {
        reason: "accepted",
        from: "user-alice",
        to: "user-bob",
        author: "bob",
        author_before: "alice",
      }],
    ]);

    // What the record shows can be sent back by its new owner, and by nobody else.
    const back = serverInput("weather", { author: "bob", description: "Mine" });
    await updateServer(deps, bob, "weather", back, context);
    await refusal(() => updateServer(deps, alice, "weather", back, context), "forbidden");
    const alices = { ...back, author: "alice" };
    const refused = await refusal(
      () => updateServer(deps, bob, "weather", alices, context),
      "forbidden",
    );
    assertEquals(refused.details["required"], "namespace owner");
    // Its name is reserved for its last owner.
    await removeServer(deps, bob, "weather", context);
    await refusal(() => createServer(deps, alice, serverInput("weather"), context), "conflict");
    await createServer(deps, bob, serverInput("weather"), context);
  });

  test("acceptOffer() keeps an author that the recipient owns too", async (deps) => {
    await createServer(deps, alice, serverInput("weather", { author: "Acme" }), context);
    await inviteOwner(deps, alice, "acme", "bob", context);
    await answerInvitation(deps, bob, "acme", "accept", context);
    const before = await getServer(deps, "weather", null);
    await offerServer(deps, alice, "weather", TO_BOB, context);
    deps.clock.time = new Date("2026-01-03T00:00:00.000Z");
    assertEquals((await acceptOffer(deps, bob, "weather", context)).author, "Acme");
    assertNotEquals((await getServer(deps, "weather", null)).etag, before.etag);
    // Whoever owns the name still may change what is published under it.
    await updateServer(deps, alice, "weather", { description: "Ours" }, context);
  });

  test("acceptOffer() keeps the author where author names are free", async (deps) => {
    const free = { ...deps, policy: { ...deps.policy, authorPolicy: "free" as const } };
    await createServer(free, alice, serverInput("weather", { author: "carol" }), context);
    await offerServer(free, alice, "weather", TO_BOB, context);
    assertEquals((await acceptOffer(free, bob, "weather", context)).author, "carol");
    await refusal(
      () => updateServer(free, carol, "weather", { version: "2.0.0" }, context),
      "forbidden",
    );
    // Also after the operator has begun to let names be owned.
    await refusal(
      () => updateServer(deps, carol, "weather", { version: "2.0.0" }, context),
      "forbidden",
    );
    await updateServer(deps, bob, "weather", { author: "carol", description: "Same" }, context);
  }, {});

  test("offerServer() checks server, permission, recipient and present offers", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    await refusal(() => offerServer(deps, alice, "nothing", TO_BOB, context), "not_found");
    const refused = await refusal(
      () => offerServer(deps, bob, "weather", { to: "nobody" }, context),
      "forbidden",
    );
    assertEquals(refused.details, { required: "owner", current: "user" });
    const unknown = await refusal(
      () => offerServer(deps, alice, "weather", { to: "nobody" }, context),
      "not_found",
    );
    assertEquals(unknown.message, 'User "nobody" was not found');
    const own = await refusal(
      () => offerServer(deps, alice, "weather", { to: "alice" }, context),
      "invalid_request",
    );
    assertEquals(own.errors.map(({ path }) => path), ["to"]);
    await refusal(
      () => offerServer(deps, admin, "weather", { to: "alice" }, context),
      "invalid_request",
    );
    await offerServer(deps, admin, "weather", TO_BOB, context);
    await refusal(
      () => offerServer(deps, alice, "weather", { to: "carol" }, context),
      "conflict",
    );
    assertEquals((await listTransfers(deps, { userId: "user-alice" })).outgoing.length, 1);
  });

  test("offers end by expiry, cancelling, declining, and with their servers", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    function reason() {
      return refusal(() => acceptOffer(deps, bob, "weather", context), "conflict");
    }

    await offerServer(deps, alice, "weather", TO_BOB, context);
    deps.clock.time = new Date("2026-01-15T00:00:00.000Z");
    assertMatch((await reason()).message, /has expired$/);
    assertEquals((await listTransfers(deps, { userId: "user-bob" })).incoming, []);
    await refusal(() => cancelOffer(deps, alice, "weather", context), "conflict");

    await offerServer(deps, alice, "weather", TO_BOB, context);
    await refusal(() => cancelOffer(deps, bob, "weather", context), "forbidden");
    await cancelOffer(deps, alice, "weather", context);
    assertMatch((await reason()).message, /was cancelled$/);

    await offerServer(deps, alice, "weather", TO_BOB, context);
    await refusal(() => declineOffer(deps, alice, "weather", context), "forbidden");
    await declineOffer(deps, bob, "weather", context);
    assertMatch((await reason()).message, /was declined$/);
    await refusal(() => declineOffer(deps, bob, "weather", context), "conflict");

    await offerServer(deps, alice, "weather", TO_BOB, context);
    await removeServer(deps, alice, "weather", context);
    await refusal(() => acceptOffer(deps, bob, "weather", context), "not_found");
    await createServer(deps, alice, serverInput("weather"), context);
    await refusal(() => acceptOffer(deps, bob, "weather", context), "forbidden");
    assertEquals(
      (await audited(deps)).map(([action]) => action),
      [
        "server.offer",
        "server.offer",
        "server.offer_cancel",
        "server.offer",
        "server.offer_decline",
        "server.offer",
        "server.remove",
        "server.create",
      ],
    );
  });

  test("only the recipient answers an offer, and others learn nothing of it", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    const before = await refusal(() => acceptOffer(deps, carol, "weather", context), "forbidden");
    await offerServer(deps, alice, "weather", TO_BOB, context);
    for (const who of [alice, carol, admin]) {
      const refused = await refusal(() => acceptOffer(deps, who, "weather", context), "forbidden");
      assertEquals(refused.details, { required: "recipient", current: "user" });
      assertEquals(refused.message, before.message);
      await refusal(() => declineOffer(deps, who, "weather", context), "forbidden");
    }
  });

  test("an offer goes to the user, whatever the user is called later", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    await offerServer(deps, alice, "weather", TO_BOB, context);
    const robert = await renameUser(deps, bob, "robert", context);
    assertEquals((await listTransfers(deps, { userId: "user-bob" })).incoming[0]?.to, "robert");
    assertEquals((await acceptOffer(deps, robert, "weather", context)).author, "robert");
  });

  test("of many answers at once one counts", async (deps) => {
    for (let round = 0; round < 4; round++) {
      const name = `server-${round}`;
      await createServer(deps, alice, serverInput(name), context);
      await offerServer(deps, alice, name, TO_BOB, context);
      const results = await Promise.allSettled([
        acceptOffer(deps, bob, name, context),
        cancelOffer(deps, alice, name, context),
        acceptOffer(deps, bob, name, context),
        declineOffer(deps, bob, name, context),
      ]);
      assertEquals(results.filter(({ status }) => status === "fulfilled").length, 1);
      for (const result of results) {
        if (result.status === "rejected") assertMatch(result.reason.code, /^(conflict|forbidden)$/);
      }
      const [row] = await deps.sql`select owner from servers where name = ${name}`;
      const accepted = results[0].status === "fulfilled" || results[2].status === "fulfilled";
      assertEquals(row?.["owner"], accepted ? "user-bob" : "user-alice");
      const [count] = await deps.sql`
        select count(*)::int as n from audit_log
        where subject = ${name} and action in ('server.transfer', 'server.offer_cancel',
          'server.offer_decline')`;
      assertEquals(count?.["n"], 1);
    }
  });

  test("acceptance and removal at once leave no server or a new owner's", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    await offerServer(deps, alice, "weather", TO_BOB, context);
    const [accepted, removed] = await Promise.allSettled([
      acceptOffer(deps, bob, "weather", context),
      removeServer(deps, alice, "weather", context),
    ]);
    assertNotEquals(accepted.status, removed.status);
    assertEquals(
      await ownedServers(deps, "user-bob"),
      accepted.status === "fulfilled" ? ["weather"] : [],
    );
  });

  const gate = Promise.withResolvers<void>();
  test("a scan that runs through a transfer stores nothing for the former owner", async (deps) => {
    await createServer(deps, alice, serverInput("weather"), context);
    const update = await startUpdate(deps, alice, "weather", { version: "2.0.0" }, context);
    assert(update.kind === "scanning");
    await offerServer(deps, alice, "weather", TO_BOB, context);
    await refusal(() => getScan(deps, update.scanId, bob), "not_found");
    await acceptOffer(deps, bob, "weather", context);
    // It is about the new owner's server now.
    assertEquals((await getScan(deps, update.scanId, bob)).state, "running");
    assertEquals((await getScan(deps, update.scanId, alice)).state, "running");
    await refusal(() => getScan(deps, update.scanId, carol), "not_found");
    gate.resolve();
    const outcome = await update.done;
    assert(outcome.kind === "refused");
    assertEquals(outcome.error.code, "forbidden");
    assertEquals((await getServer(deps, "weather", null)).server.version, "1.0.0");
    await (await rescanServer(deps, bob, "weather", context)).done;
  }, {
    async scan(request) {
      // The first scan is the creation's.
      if (request.serverName === "weather" && held++ === 1) await gate.promise;
      return reportOn(request);
    },
  });
  let held = 0;
});
