/** Leaving, and taking one's data along. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { deleteAccount } from "../../src/account/delete.ts";
import type { AccountDeps } from "../../src/account/deps.ts";
import { exportAccount } from "../../src/account/export.ts";
import { previewDeletion } from "../../src/account/preview.ts";
import { AccountExport } from "../../src/account/schema.ts";
import type { Denial } from "../../src/identity/api_tokens/denied_store.ts";
import { keepValue } from "../../src/keys/keep.ts";
import { createKeyRing } from "../../src/keys/key_ring.ts";
import { keptOrigins } from "../../src/keys/session_values.ts";
import { ownersOfAuthor } from "../../src/names/namespaces.ts";
import { userOf } from "../../src/names/users.ts";
import { answerInvitation, inviteOwner } from "../../src/registry/ownership/owners.ts";
import { listTransfers, offerServer } from "../../src/registry/ownership/transfer.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { ownedServers } from "../../src/registry/servers/get.ts";
import { describeDatabases } from "../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  callerOf,
  carol,
  context,
  refusal,
  serverInput,
  type TestRegistry,
  testRegistry,
} from "../helpers/registry.ts";

const SECRET = "s3cr3t-0123456789";
const RING = (await createKeyRing({ keys: [new Uint8Array(32).fill(3)], lost: [] }))!;

interface Setting {
  registry: TestRegistry;
  deps: AccountDeps;
  /** What happened beside the database. */
  denials: Denial[];
  ended: string[];
}

describeDatabases((kind, open) => {
  function test(
    name: string,
    run: (setting: Setting) => Promise<void>,
    authorPolicy: "claimed" | "free" = "claimed",
  ) {
    Deno.test(`${name} (${kind})`, async () => {
      const database = await open();
      const made = testRegistry(database);
      const registry = { ...made, policy: { ...made.policy, authorPolicy } };
      const denials: Denial[] = [];
      const ended: string[] = [];
      const deps: AccountDeps = {
        sql: database.sql,
        now: registry.now,
        policy: { authorPolicy, payments: false },
        ring: RING,
        denied: { add: (denial) => denials.push(denial) },
        ownClients: ["berth-web"],
        endSignIns: async (sql, userId) => {
          await sql`delete from web_sessions where subject = ${userId}`;
        },
        endSessions: (server) => {
          ended.push(server);
          return Promise.resolve();
        },
      };
      try {
        for (const { userId, username } of [alice, bob, carol, admin]) {
          await userOf(registry, userId, `${username}@example.com`);
        }
        await run({ registry, deps, denials, ended });
      } finally {
        await registry.jobs.close();
        await database.close();
      }
    });
  }

  const leave = ({ deps }: Setting, caller = alice) =>
    deleteAccount(deps, caller, caller.username, context);

  test("an account goes with its servers, keys and tokens, and others keep theirs", async (setting) => {
    const { registry, deps, denials, ended } = setting;
    const { sql } = deps;
    await createServer(registry, alice, serverInput("weather"), context);
    await createServer(registry, bob, serverInput("tides"), context);
    const keep = (caller: typeof alice, server: string, audience: "me" | "everyone" = "me") =>
      keepValue(deps, caller, { server, variable: "API_KEY" }, {
        value: SECRET,
        for: audience,
      }, context);
    await keep(alice, "tides");
    await keep(bob, "tides");
    await keep(bob, "weather");
    await sql`
      insert into parked_sessions (id, instance, server, archive_sha256, user_id, client, runtime,
        key_id, size, expires_at)
      values ('s1', gen_random_uuid(), 'tides', 'x', ${alice.userId}, 'c', 'r', 'k', 1, now())`;
    assertEquals(await leave(setting), { removed: ["weather"], passed_on: [] });
    assertEquals(await ownedServers(registry, bob.userId), ["tides"]);
    const kept = await sql`select server, subject from kept_values`;
    assertEquals(kept.map((row) => ({ ...row })), [{ server: "tides", subject: bob.userId }]);
    const left = await sql`
      select (select count(*)::int from users where subject = ${alice.userId}) as users,
        (select count(*)::int from parked_sessions) as parked,
        (select count(*)::int from servers where name = 'weather') as servers`;
    assertEquals({ ...left[0] }, { users: 0, parked: 0, servers: 0 });
    assertEquals(ended, ["weather"]);
    assertEquals(denials.map((denial) => denial.kind).sort(), ["token", "user"]);
    const [entry] = await sql`select actor, subject, details from audit_log
      where action = 'user.delete'`;
    assertEquals({ ...entry }, {
      actor: alice.userId,
      subject: "alice",
      details: { servers: 1, passed_on: 0 },
    });
  });

  test("what an owner gave to everyone goes with the owner", async (setting) => {
    const { registry, deps } = setting;
    await createServer(registry, bob, serverInput("tides"), context);
    const give = { server: "tides", variable: "API_KEY" };
    await keepValue(deps, bob, give, { value: SECRET, for: "everyone" }, context);
    // As after a transfer: alice entered it, bob owns the server.
    await deps.sql`
      update kept_values set terms = terms || ${deps.sql.json({ by: alice.userId })}`;
    assertEquals((await keptOrigins(deps, "tides", carol.userId)).size, 1);
    await leave(setting);
    assertEquals((await keptOrigins(deps, "tides", carol.userId)).size, 0);
  });

  test("servers under a name with other owners go to whoever has owned it for longest", async (setting) => {
    const { registry, deps } = setting;
    await createServer(registry, alice, serverInput("weather", { author: "Acme" }), context);
    await createServer(registry, alice, serverInput("own"), context);
    for (const caller of [bob, carol]) {
      await inviteOwner(registry, alice, "acme", caller.username, context);
      await answerInvitation(registry, caller, "acme", "accept", context);
    }
    await deps.sql`
      insert into service_clients
        (server, name, origin, key_id, wrapped, sealed, service, owner, set_at)
      values ('weather', 'TOKEN', 'owner', 'k', '', '', 's', ${alice.userId}, now())`;
    const expected = { removed: ["own"], passed_on: ["weather"] };
    assertEquals(await previewDeletion(deps, alice), expected);
    assertEquals(await leave(setting), expected);
    assertEquals(await ownedServers(registry, bob.userId), ["weather"]);
    assertEquals(await ownersOfAuthor(deps.sql, "acme"), [bob.userId, carol.userId]);
    assertEquals([...await deps.sql`select 1 from service_clients`], []);
  });

  test("where author names are free, a server is its owner's alone", async (setting) => {
    const { registry, deps } = setting;
    await createServer(registry, alice, serverInput("weather", { author: "Acme" }), context);
    const expected = { removed: ["weather"], passed_on: [] };
    assertEquals(await previewDeletion(deps, alice), expected);
    assertEquals(await leave(setting), expected);
  }, "free");

  test("a name that its last owner has left is nobody's, and no new user gets it", async (setting) => {
    const { registry } = setting;
    await createServer(registry, alice, serverInput("weather", { author: "Acme" }), context);
    await leave(setting);
    for (const author of ["Acme", "alice"]) {
      await refusal(
        () => createServer(registry, bob, serverInput("other", { author }), context),
        "forbidden",
      );
    }
    await refusal(() => createServer(registry, bob, serverInput("weather"), context), "conflict");
    // Whoever signs in again begins anew, under another name.
    const again = await userOf(registry, alice.userId, "alice@example.com");
    assertEquals([again.username, again.isAdmin], ["alice-2", false]);
    const other = await userOf(registry, "user-other", "alice@example.com");
    assertEquals(other.username, "alice-3");
  });

  test("invitations and offers from and to the user end", async (setting) => {
    const { registry, deps } = setting;
    await createServer(registry, bob, serverInput("tides", { author: "Bay" }), context);
    await inviteOwner(registry, bob, "bay", "alice", context);
    await offerServer(registry, bob, "tides", { to: "alice" }, context);
    await leave(setting);
    assertEquals((await listTransfers(registry, bob)).outgoing, []);
    assertEquals([...await deps.sql`select 1 from namespace_invitations`], []);
    await offerServer(registry, bob, "tides", { to: "carol" }, context);
  });

  test("nothing is deleted without the username, nor by an API token", async (setting) => {
    const { deps } = setting;
    for (const typed of ["", "bob", "ALICE", "alice "]) {
      const error = await refusal(
        () => deleteAccount(deps, alice, typed, context),
        "invalid_request",
      );
      assertEquals(error.errors, [{ path: "username", message: "must be your username" }]);
    }
    const script = callerOf("alice", { tokenDigest: "a".repeat(64) });
    await deps.sql`
      insert into api_tokens (id, digest, owner, name, created_at, expires_at)
      values (gen_random_uuid(), ${script.tokenDigest}, ${alice.userId}, 'ci', now(),
        now() + interval '1 hour')`;
    const error = await refusal(
      () => deleteAccount(deps, script, "alice", context),
      "forbidden",
    );
    assertStringIncludes(error.message, "Sign in");
    assertEquals([...await deps.sql`select 1 from users where username = 'alice'`].length, 1);
  });

  test("an account ends by Berth's own clients alone", async ({ deps }) => {
    const application = { ...alice, clientId: "https://app.example/client.json" };
    const error = await refusal(
      () => deleteAccount(deps, application, "alice", context),
      "forbidden",
    );
    assertStringIncludes(error.message, "An application cannot delete the account");
    const elsewhere = { ...deps, ownClients: null };
    await deleteAccount(elsewhere, { ...bob, clientId: "any" }, "bob", context);
    await deleteAccount(deps, { ...alice, clientId: "berth-web" }, "alice", context);
    assertEquals([...await deps.sql`select 1 from users where username in ('alice', 'bob')`], []);
  });

  test("an export has all that is kept of the user, no secret, and nothing of others", async (setting) => {
    const { registry, deps } = setting;
    const { sql } = deps;
    await createServer(registry, alice, serverInput("weather", { author: "Acme" }), context);
    await createServer(registry, bob, serverInput("tides"), context);
    const place = { server: "tides", variable: "API_KEY" };
    await keepValue(deps, alice, place, { value: SECRET, for: "me" }, context);
    await keepValue(deps, bob, place, { value: `${SECRET}-bob`, for: "me" }, context);
    await sql`
      insert into issuer_accounts (id, email, email_key, email_verified, password, created_at)
      values (${alice.userId}, 'alice@example.com', 'alice@example.com', true, 'hash-of-it', now())`;
    await sql`
      insert into issuer_identities (provider, subject, account_id, created_at)
      values ('github.com', '4711', ${alice.userId}, now())`;
    await sql`
      insert into api_tokens (id, digest, owner, name, created_at, expires_at)
      values (gen_random_uuid(), 'digest-of-it', ${alice.userId}, 'ci', now(), now())`;
    const exported = AccountExport.parse(await exportAccount(deps, alice));
    assertEquals(exported.user.username, "alice");
    assertEquals(exported.sign_in?.providers.map(({ subject }) => subject), ["4711"]);
    assertEquals(exported.servers.map(({ name }) => name), ["weather"]);
    assertEquals(exported.authors.map(({ author }) => author), ["Acme", "alice"]);
    assertEquals(exported.keys.map(({ server, variable }) => [server, variable]), [
      ["tides", "API_KEY"],
    ]);
    assertEquals(exported.api_tokens.map(({ name }) => name), ["ci"]);
    assertEquals(exported.scans.map(({ server }) => server), ["weather"]);
    assert(exported.activity.some(({ action }) => action === "server.create"));
    const text = JSON.stringify(exported);
    for (const hidden of [SECRET, "hash-of-it", "digest-of-it", "bob"]) {
      assert(!text.includes(hidden), hidden);
    }
  });
});
