import { assertEquals, assertMatch } from "@std/assert";
import type { Caller } from "../../../src/identity/caller.ts";
import { renameUser } from "../../../src/identity/rename.ts";
import { userOf } from "../../../src/names/users.ts";
import { authorizeChange } from "../../../src/registry/ownership/access.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { ownedServers } from "../../../src/registry/servers/get.ts";
import { removeExpiredInvitations } from "../../../src/registry/ownership/invitations.ts";
import { ownersOfAuthor } from "../../../src/names/namespaces.ts";
import {
  answerInvitation,
  inviteOwner,
  listAuthors,
  listOwners,
  removeOwner,
} from "../../../src/registry/ownership/owners.ts";
import { removeServer } from "../../../src/registry/servers/remove.ts";
import { rescanServer } from "../../../src/registry/scanning/rescan.ts";
import { getScan } from "../../../src/registry/scanning/scan_watch.ts";
import { listTransfers, offerServer } from "../../../src/registry/ownership/transfer.ts";
import { updateServer } from "../../../src/registry/servers/update.ts";
import { describeDatabases } from "../../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  carol,
  context,
  refusal,
  serverInput,
  type TestRegistry,
  testRegistry,
} from "../../helpers/registry.ts";

const JAN_1 = "2026-01-01T00:00:00.000Z";
const JAN_15 = "2026-01-15T00:00:00.000Z";

/** Makes `caller` an owner of Acme, which alice owns. */
async function join(deps: TestRegistry, caller: Caller): Promise<void> {
  await inviteOwner(deps, alice, "acme", caller.username, context);
  await answerInvitation(deps, caller, "acme", "accept", context);
}

describeDatabases((kind, open) => {
  /** Runs `run` where alice has the server `weather` under `Acme`. */
  function test(name: string, run: (deps: TestRegistry) => Promise<void>) {
    Deno.test(`${name} (${kind})`, async () => {
      const database = await open();
      const deps = testRegistry(database);
      try {
        for (const { userId, username } of [alice, bob, carol, admin]) {
          await userOf(deps, userId, `${username}@example.com`);
        }
        await createServer(deps, alice, serverInput("weather", { author: "Acme" }), context);
        await run(deps);
      } finally {
        await deps.jobs.close();
        await database.close();
      }
    });
  }

  test("an invited user owns the name once accepted", async (deps) => {
    await refusal(
      () => createServer(deps, bob, serverInput("b", { author: "acme" }), context),
      "forbidden",
    );
    const invitation = await inviteOwner(deps, alice, "ACME", "bob", context);
    assertEquals(invitation, {
      username: "bob",
      invited_by: "alice",
      created_at: JAN_1,
      expires_at: JAN_15,
    });
    assertEquals(await listOwners(deps, alice, "acme"), {
      author: "Acme",
      personal: false,
      owners: [{ username: "alice", since: JAN_1 }],
      invitations: [invitation],
    });
    assertEquals(await listAuthors(deps, bob), {
      authors: [{ author: "bob", personal: true, owners: 1 }],
      invitations: [
        { author: "Acme", invited_by: "alice", created_at: JAN_1, expires_at: JAN_15 },
      ],
    });
    await refusal(
      () => createServer(deps, bob, serverInput("b", { author: "acme" }), context),
      "forbidden",
    );
    await refusal(() => listOwners(deps, bob, "acme"), "forbidden");

    deps.clock.time = new Date("2026-01-02T00:00:00.000Z");
    assertEquals(await answerInvitation(deps, bob, "acme", "accept", context), "Acme");
    assertEquals((await listOwners(deps, bob, "acme")).owners, [
      { username: "alice", since: JAN_1 },
      { username: "bob", since: "2026-01-02T00:00:00.000Z" },
    ]);
    assertEquals((await listAuthors(deps, bob)).invitations, []);
    await createServer(deps, bob, serverInput("b", { author: "acme" }), context);
    const entries = await deps.sql`
      select actor, action, details from audit_log where subject = 'acme' order by id`;
    assertEquals(entries.map((entry) => ({ ...entry })), [
      { actor: "user-alice", action: "author.invite", details: { invitee: "user-bob" } },
      { actor: "user-bob", action: "author.accept", details: {} },
    ]);
  });

  test("inviteOwner() checks name, permission, user and state", async (deps) => {
    await refusal(() => inviteOwner(deps, alice, "nobody's", "bob", context), "not_found");
    await refusal(() => inviteOwner(deps, alice, "a\0", "bob", context), "not_found");
    const refused = await refusal(
      () => inviteOwner(deps, bob, "acme", "no-such-user", context),
      "forbidden",
    );
    assertEquals(refused.details, { required: "namespace owner", current: "user" });
    await refusal(() => inviteOwner(deps, alice, "acme", "no-such-user", context), "not_found");
    await refusal(() => inviteOwner(deps, alice, "acme", "\ud800\0", context), "not_found");
    await refusal(() => inviteOwner(deps, alice, "acme", "alice", context), "conflict");
    const personal = await refusal(
      () => inviteOwner(deps, alice, "alice", "bob", context),
      "conflict",
    );
    assertMatch(personal.message, /is a username/);
    await inviteOwner(deps, admin, "acme", "bob", context);
    deps.clock.time = new Date("2026-01-02T00:00:00.000Z");
    const renewed = await inviteOwner(deps, alice, "acme", "bob", context);
    assertEquals(renewed.created_at, "2026-01-02T00:00:00.000Z");
    assertEquals((await listOwners(deps, admin, "acme")).invitations, [renewed]);
  });

  test("a name has at most 100 owners and open invitations", async (deps) => {
    for (let user = 0; user < 99; user++) {
      await userOf(deps, `many-${user}`, `many-${user}@example.com`);
      await inviteOwner(deps, alice, "acme", `many-${user}`, context);
    }
    await inviteOwner(deps, alice, "acme", "many-7", context);
    await refusal(() => inviteOwner(deps, alice, "acme", "bob", context), "conflict");
    deps.clock.time = new Date(JAN_15);
    await inviteOwner(deps, alice, "acme", "bob", context);
    await removeExpiredInvitations(deps.sql, deps.now());
    assertEquals((await deps.sql`select 1 from namespace_invitations`).length, 1);
  });

  test("answerInvitation() is for whoever is invited, in time, once", async (deps) => {
    await refusal(() => answerInvitation(deps, bob, "none", "accept", context), "not_found");
    const refused = await refusal(
      () => answerInvitation(deps, bob, "acme", "accept", context),
      "forbidden",
    );
    assertEquals(refused.details, { required: "invitee", current: "user" });
    await inviteOwner(deps, alice, "acme", "bob", context);
    await refusal(() => answerInvitation(deps, carol, "acme", "accept", context), "forbidden");
    await refusal(() => answerInvitation(deps, admin, "acme", "accept", context), "forbidden");
    deps.clock.time = new Date(JAN_15);
    await refusal(() => answerInvitation(deps, bob, "acme", "accept", context), "forbidden");
    await inviteOwner(deps, alice, "acme", "bob", context);
    await answerInvitation(deps, bob, "acme", "decline", context);
    await refusal(() => answerInvitation(deps, bob, "acme", "accept", context), "forbidden");
    await inviteOwner(deps, alice, "acme", "bob", context);
    await removeOwner(deps, alice, "acme", "bob", context);
    await refusal(() => answerInvitation(deps, bob, "acme", "accept", context), "forbidden");
    assertEquals(await ownersOfAuthor(deps.sql, "acme"), ["user-alice"]);

    await inviteOwner(deps, alice, "acme", "bob", context);
    const results = await Promise.allSettled([
      answerInvitation(deps, bob, "acme", "accept", context),
      answerInvitation(deps, bob, "acme", "decline", context),
      answerInvitation(deps, bob, "acme", "accept", context),
      removeOwner(deps, alice, "acme", "bob", context),
    ]);
    for (const result of results) {
      if (result.status === "rejected") assertMatch(result.reason.code, /^(forbidden|not_found)$/);
    }
    assertEquals(
      results.slice(0, 3).filter(({ status }) => status === "fulfilled").length <= 1,
      true,
    );
  });

  test("owners change each other's servers under the name, and no others", async (deps) => {
    await createServer(deps, alice, serverInput("private"), context);
    const before = await refusal(() => authorizeChange(deps, bob, "weather"), "forbidden");
    assertEquals(before.details["required"], "owner");
    await join(deps, bob);
    await updateServer(deps, bob, "weather", { description: "By Bob" }, context);
    await updateServer(deps, bob, "weather", { version: "1.1.0", author: "Acme" }, context);
    const scan = await rescanServer(deps, bob, "weather", context);
    assertEquals((await getScan(deps, scan.scanId, alice)).id, scan.scanId);
    await scan.done;
    await refusal(() => authorizeChange(deps, bob, "private"), "forbidden");
    const stranger = await refusal(() => authorizeChange(deps, carol, "weather"), "forbidden");
    assertEquals(stranger.details["required"], "namespace owner");

    // Giving a server away and moving it to another author are its owner's.
    const moved = await refusal(
      () => authorizeChange(deps, bob, "weather", { author: "bob" }),
      "forbidden",
    );
    assertEquals(moved.details["required"], "owner");
    await refusal(
      () => updateServer(deps, bob, "weather", { author: "new" }, context),
      "forbidden",
    );
    await refusal(() => offerServer(deps, bob, "weather", { to: "bob" }, context), "forbidden");

    await removeServer(deps, bob, "weather", context);
    await createServer(deps, alice, serverInput("weather", { author: "Acme" }), context);
  });

  test("the servers of a removed owner stay with the name", async (deps) => {
    await join(deps, bob);
    await join(deps, carol);
    await createServer(deps, carol, serverInput("cars", { author: "acme" }), context);
    await createServer(deps, carol, serverInput("own"), context);
    await offerServer(deps, carol, "cars", { to: "root" }, context);
    await removeOwner(deps, bob, "acme", "carol", context);
    assertEquals(await ownedServers(deps, "user-bob"), ["cars"]);
    assertEquals(await ownedServers(deps, "user-carol"), ["own"]);
    assertEquals((await listTransfers(deps, { userId: "user-root" })).incoming, []);
    await refusal(
      () => updateServer(deps, carol, "cars", { description: "x" }, context),
      "forbidden",
    );
    const [entry] = await deps.sql`
      select actor, details from audit_log
      where subject = 'cars' and action = 'server.transfer'`;
    assertEquals({ ...entry }, {
      actor: "user-bob",
      details: { reason: "owner removed", from: "user-carol", to: "user-bob" },
    });

    // Who leaves hands over to whoever has owned for longest; the last one stays.
    await removeOwner(deps, bob, "acme", "bob", context);
    assertEquals(await ownedServers(deps, "user-alice"), ["cars", "weather"]);
    await refusal(() => removeOwner(deps, alice, "acme", "alice", context), "conflict");
    await refusal(() => removeOwner(deps, admin, "acme", "alice", context), "conflict");
    await refusal(() => removeOwner(deps, alice, "acme", "bob", context), "not_found");
    await refusal(() => removeOwner(deps, alice, "acme", "no-such-user", context), "not_found");
    await refusal(() => removeOwner(deps, bob, "acme", "alice", context), "forbidden");
  });

  test("owners who remove each other at once leave one", async (deps) => {
    for (let round = 0; round < 3; round++) {
      await join(deps, bob);
      const results = await Promise.allSettled([
        removeOwner(deps, alice, "acme", "bob", context),
        removeOwner(deps, bob, "acme", "alice", context),
        removeOwner(deps, admin, "acme", "alice", context),
      ]);
      assertEquals(results.filter(({ status }) => status === "fulfilled").length, 1);
      const [left] = await ownersOfAuthor(deps.sql, "acme");
      assertEquals(await ownedServers(deps, left!), ["weather"]);
      if (left === "user-alice") continue;
      await inviteOwner(deps, bob, "acme", "alice", context);
      await answerInvitation(deps, alice, "acme", "accept", context);
      await removeOwner(deps, alice, "acme", "bob", context);
    }
  });

  test("who is removed while publishing leaves no server of a stranger", async (deps) => {
    for (let round = 0; round < 4; round++) {
      await join(deps, bob);
      const name = `raced-${round}`;
      const [created] = await Promise.allSettled([
        createServer(deps, bob, serverInput(name, { author: "acme" }), context),
        removeOwner(deps, alice, "acme", "bob", context),
      ]);
      if (created.status === "rejected") assertEquals(created.reason.code, "forbidden");
      assertEquals(await ownedServers(deps, "user-bob"), []);
    }
  });

  test("a name of several owners is no username, and a username no such name", async (deps) => {
    await inviteOwner(deps, alice, "acme", "bob", context);
    await join(deps, carol);
    await refusal(() => renameUser(deps, alice, "acme", context), "conflict");
    await refusal(() => renameUser(deps, bob, "acme", context), "conflict");
    const user = await userOf(deps, "user-new", "acme@example.com");
    assertEquals(user.username, "acme-2");

    await removeOwner(deps, alice, "acme", "carol", context);
    await renameUser(deps, alice, "acme", context);
    await refusal(() => answerInvitation(deps, bob, "acme", "accept", context), "forbidden");
    await refusal(() => inviteOwner(deps, alice, "acme", "bob", context), "conflict");
    assertEquals((await listOwners(deps, alice, "acme")).personal, true);
    // A username that was given up can become an organisation's.
    await inviteOwner(deps, alice, "alice", "bob", context);
  });

  test("a username and an acceptance at once do not both succeed", async (deps) => {
    await inviteOwner(deps, alice, "acme", "bob", context);
    const [renamed, accepted] = await Promise.allSettled([
      renameUser(deps, alice, "acme", context),
      answerInvitation(deps, bob, "acme", "accept", context),
    ]);
    assertEquals([renamed.status, accepted.status].sort(), ["fulfilled", "rejected"]);
    assertEquals(
      await ownersOfAuthor(deps.sql, "acme"),
      accepted.status === "fulfilled" ? ["user-alice", "user-bob"] : ["user-alice"],
    );
  });

  test("where author names are free, owners of one have no power over servers", async (deps) => {
    await join(deps, bob);
    const free = { ...deps, policy: { ...deps.policy, authorPolicy: "free" as const } };
    const refused = await refusal(() => authorizeChange(free, bob, "weather"), "forbidden");
    assertEquals(refused.details["required"], "owner");
    await removeOwner(free, bob, "acme", "alice", context);
    assertEquals(await ownedServers(free, "user-alice"), ["weather"]);
  });
});
