import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Sql } from "../../src/database/client.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { agreeToServer } from "../../src/keys/agree.ts";
import { keepValue } from "../../src/keys/keep.ts";
import { createKeyRing, keyId } from "../../src/keys/key_ring.ts";
import { listKeys, listServerKeys } from "../../src/keys/list.ts";
import { removeValues } from "../../src/keys/remove.ts";
import { type KeptValue, keptValues as keptNow } from "../../src/keys/session_values.ts";
import { findTermsDigest } from "../../src/keys/shown_terms.ts";
import { settleKeys } from "../../src/keys/start.ts";
import type { Configuration } from "../../src/keys/variables.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { removeServer } from "../../src/registry/servers/remove.ts";
import { updateServer } from "../../src/registry/servers/update.ts";
import { describeDatabases } from "../helpers/database.ts";
import {
  admin,
  alice,
  bob,
  context,
  refusal,
  repositoryOf,
  serverInput,
  testRegistry,
} from "../helpers/registry.ts";

const SECRET = "sk-live-0123456789abcdef-\u00fc";
const OLD_KEY = new Uint8Array(32).fill(1);
const NEW_KEY = new Uint8Array(32).fill(2);
const place = { server: "weather", variable: "API_KEY" };

async function addUser(sql: Sql, { userId, username }: Caller): Promise<void> {
  await sql`
    insert into users (subject, username, created_at) values (${userId}, ${username}, now())
    on conflict do nothing`;
}

/** What sessions get, without what tells a value from those before it. */
async function keptValues(...given: Parameters<typeof keptNow>) {
  const found = await keptNow(...given);
  return found.map((one: KeptValue) => {
    if (one.state !== "ready") return one;
    const { origin: _, ...value } = one;
    return value;
  });
}

async function ringOf(keys: Uint8Array[], lost: string[] = []) {
  return (await createKeyRing({ keys, lost }))!;
}

/** Everything that the database holds, as text. */
async function wholeDatabase(sql: Sql): Promise<string> {
  const rows = [
    await sql`select encode(sealed, 'escape') sealed, wrapped, terms, name from kept_values`,
    await sql`select * from audit_log`,
  ];
  return JSON.stringify(rows);
}

describeDatabases((kind, open) => {
  Deno.test(`kept values on ${kind}`, async (t) => {
    const database = await open();
    const { sql } = database;
    const registry = testRegistry(database, {
      fetchRepository: () => repositoryOf("https://github.com/acme/weather"),
    });
    const deps = { sql, now: registry.now, ring: await ringOf([OLD_KEY]) };
    const change = (configuration: Configuration | null) =>
      updateServer(registry, alice, "weather", { configuration }, context);
    const give = (caller: Caller, value: string, audience: "me" | "everyone" = "me") =>
      keepValue(deps, caller, place, { value, for: audience }, context);
    const ready = (value: string, hosts: string[] | null) => [
      { state: "ready" as const, name: "API_KEY", value, hosts },
    ];
    try {
      for (const user of [alice, bob, admin]) await addUser(sql, user);
      const configuration = [{ name: "API_KEY", hosts: ["api.example.com"] }, { name: "MODE" }];
      await createServer(registry, alice, serverInput("weather", { configuration }), context);
      await settleKeys(sql, deps.ring, registry.now());

      await t.step("are for the sessions of their user, and shown to nobody", async () => {
        await give(bob, SECRET);
        assertEquals(
          await keptValues(deps, "weather", bob.userId),
          ready(SECRET, [
            "api.example.com",
          ]),
        );
        assertEquals(await keptValues(deps, "weather", alice.userId), []);
        assertEquals(await keptValues(deps, "other", bob.userId), []);
        const [key] = await listKeys(deps, bob);
        assertEquals([key!.state, key!.for, key!.hosts, key!.delivery], [
          "ready",
          "me",
          ["api.example.com"],
          "placeholder",
        ]);
        assert(key!.last_used_at !== null);
        assert(!(JSON.stringify(key) + await wholeDatabase(sql)).includes("sk-live"));
      });

      await t.step("are checked, and kept for variables of the server only", async () => {
        const keep = (variable: string, value: string) =>
          keepValue(deps, bob, { server: "weather", variable }, { value, for: "me" }, context);
        await refusal(() => keep("OTHER", "x"), "invalid_request");
        const long = await refusal(() => keep("API_KEY", "x".repeat(20_000)), "invalid_request");
        assertStringIncludes(long.message, "at most 16384 characters");
        const none = { ...place, server: "none" };
        await refusal(
          () => keepValue(deps, bob, none, { value: "x", for: "me" }, context),
          "not_found",
        );
        const closed = { ...deps, ring: null };
        await refusal(
          () => keepValue(closed, bob, place, { value: "x", for: "me" }, context),
          "conflict",
        );
      });

      await t.step("wait for consent when the server asks for more", async () => {
        await change([{ name: "API_KEY", hosts: ["api.example.com", "evil.example.net"] }]);
        const changed = [{ state: "changed" as const, name: "API_KEY" }];
        assertEquals(await keptValues(deps, "weather", bob.userId), changed);
        const [key] = await listServerKeys(deps, bob, "weather");
        assertEquals(key!.asked?.hosts, ["api.example.com", "evil.example.net"]);
        await change([{ name: "API_KEY", hosts: ["api.example.com"], exposed: true }]);
        assertEquals(await keptValues(deps, "weather", bob.userId), changed);
        await change(null);
        assertEquals(await keptValues(deps, "weather", bob.userId), changed);
        assertEquals(await agreeToServer(deps, bob, { server: "weather" }, context), ["API_KEY"]);
        assertEquals(await keptValues(deps, "weather", bob.userId), ready(SECRET, null));
        await change(configuration);
        assertEquals(
          await keptValues(deps, "weather", bob.userId),
          ready(SECRET, ["api.example.com"]),
        );
      });

      await t.step("are given to the terms that were shown, and to no others", async () => {
        const shown = await findTermsDigest(deps, null, "weather");
        const others: Configuration[] = [
          [{ name: "API_KEY", hosts: ["evil.example.net"] }],
          [{ name: "API_KEY", hosts: ["api.example.com"], exposed: true }],
          [{ name: "API_KEY", hosts: ["api.example.com"] }, { name: "OTHER_KEY" }],
        ];
        const keep = () =>
          keepValue(deps, bob, { ...place, shown }, { value: SECRET, for: "me" }, context);
        const agree = () => agreeToServer(deps, bob, { server: "weather", shown }, context);
        const kept = await keptValues(deps, "weather", bob.userId);
        for (const other of others) {
          await change(other);
          assertStringIncludes((await refusal(keep, "conflict")).message, "Look again");
          await refusal(agree, "conflict");
        }
        await change(configuration);
        await sql`update servers set owner = ${admin.userId} where name = 'weather'`;
        await refusal(keep, "conflict");
        await refusal(agree, "conflict");
        await sql`update servers set owner = ${alice.userId} where name = 'weather'`;
        assertEquals(await keptValues(deps, "weather", bob.userId), kept);
        assertEquals(await agree(), []);
        await keep();
      });

      await t.step("wait for consent when the server has another owner", async () => {
        await sql`update servers set owner = ${admin.userId} where name = 'weather'`;
        assertEquals((await listKeys(deps, bob))[0]!.state, "changed");
        await sql`update servers set owner = ${alice.userId} where name = 'weather'`;
        assertEquals((await listKeys(deps, bob))[0]!.state, "ready");
      });

      await t.step("are for everyone where the owner says so, behind a user's own", async () => {
        await refusal(() => give(bob, "x", "everyone"), "forbidden");
        await give(alice, "shared-value", "everyone");
        const hosts = ["api.example.com"];
        const lastUse = async () => (await listKeys(deps, alice))[0]!.last_used_at;
        assertEquals(await keptValues(deps, "weather", bob.userId), ready(SECRET, hosts));
        // It was not the one that was used.
        assertEquals(await lastUse(), null);
        assertEquals(await keptValues(deps, "weather", alice.userId), ready("shared-value", hosts));
        assert(await lastUse() !== null);
        const remove = { server: "weather", variable: "API_KEY", for: "everyone" as const };
        await refusal(() => removeValues(deps, bob, remove, context), "forbidden");
        await removeValues(deps, alice, remove, context);
        assertEquals(await keptValues(deps, "weather", alice.userId), []);
      });

      await t.step("for everyone, wait for consent of who gave them", async () => {
        await give(alice, "shared-value", "everyone");
        const wider = [{ name: "API_KEY", hosts: ["api.example.com", "b.example.com"] }];
        await change(wider);
        const changed = [{ state: "changed" as const, name: "API_KEY" }];
        assertEquals(await keptValues(deps, "weather", alice.userId), changed);
        assertEquals(await agreeToServer(deps, admin, { server: "weather" }, context), []);
        assertEquals(await keptValues(deps, "weather", alice.userId), changed);
        assertEquals(await agreeToServer(deps, alice, { server: "weather" }, context), ["API_KEY"]);
        assertEquals(
          await keptValues(deps, "weather", alice.userId),
          ready("shared-value", wider[0]!.hosts),
        );
        await change(configuration);
      });

      await t.step("for everyone, stay those of who gave them under another owner", async () => {
        const owner = (to: Caller) =>
          sql`update servers set owner = ${to.userId} where name = 'weather'`;
        const remove = { server: "weather", variable: "API_KEY", for: "everyone" as const };
        await owner(bob);
        assertEquals(await agreeToServer(deps, alice, { server: "weather" }, context), []);
        const before = await listServerKeys(deps, bob, "weather");
        assertEquals(before.map((key) => [key.for, key.yours]), [["me", true], [
          "everyone",
          false,
        ]]);
        // The new owner gets nothing by agreeing, and enters a value of their own.
        await agreeToServer(deps, bob, { server: "weather" }, context);
        assertEquals(await keptValues(deps, "weather", alice.userId), [
          { state: "changed", name: "API_KEY" },
        ]);
        assertEquals((await listKeys(deps, alice)).map((key) => [key.for, key.state]), [
          ["everyone", "changed"],
        ]);
        await removeValues(deps, alice, remove, context);
        assertEquals(await listKeys(deps, alice), []);
        await give(bob, "shared-by-bob", "everyone");
        await refusal(() => removeValues(deps, alice, remove, context), "forbidden");
        await removeValues(deps, bob, remove, context);
        await owner(alice);
        await agreeToServer(deps, bob, { server: "weather" }, context);
      });

      await t.step("are bound to user, server and name", async () => {
        await give(alice, "of-alice-only");
        await sql`
          update kept_values k set wrapped = o.wrapped, sealed = o.sealed from kept_values o
          where k.subject = ${bob.userId} and o.subject = ${alice.userId}`;
        assertEquals(await keptValues(deps, "weather", bob.userId), [
          { state: "unreadable", name: "API_KEY" },
        ]);
        await give(bob, SECRET);
      });

      await t.step("move to a new key, and nodes with other keys do not start", async () => {
        const [oldId, newId] = [await keyId(OLD_KEY), await keyId(NEW_KEY)];
        const foreign = await settleKeys(sql, await ringOf([NEW_KEY]), registry.now());
        assert(foreign.kind === "refused");
        assertStringIncludes(foreign.why, "SECRETS_KEY");
        assertStringIncludes(foreign.why, oldId);
        const both = await ringOf([NEW_KEY, OLD_KEY]);
        registry.clock.time = new Date(registry.now().getTime() + 1000);
        assertEquals(await settleKeys(sql, both, registry.now()), { kind: "settled", moved: 2 });
        const alone = { ...deps, ring: await ringOf([NEW_KEY]) };
        assertEquals((await settleKeys(sql, alone.ring, registry.now())).kind, "settled");
        assertEquals(
          await keptValues(alone, "weather", bob.userId),
          ready(SECRET, ["api.example.com"]),
        );
        const late = await settleKeys(sql, deps.ring, registry.now());
        assert(late.kind === "refused" && late.why.includes(newId));
      });

      await t.step(
        "are asked for again when the key is lost, and nothing else breaks",
        async () => {
          const newId = await keyId(NEW_KEY);
          const third = new Uint8Array(32).fill(3);
          const lost = { ...deps, ring: await ringOf([third], [newId]) };
          assertEquals((await settleKeys(sql, lost.ring, registry.now())).kind, "settled");
          for (const given of [lost, { ...deps, ring: null }]) {
            assertEquals(await keptValues(given, "weather", bob.userId), [
              { state: "unreadable", name: "API_KEY" },
            ]);
            assertEquals((await listKeys(given, bob))[0]!.state, "unreadable");
          }
          await keepValue(lost, bob, place, { value: "again-entered", for: "me" }, context);
          assertEquals((await keptValues(lost, "weather", bob.userId))[0]!.state, "ready");
        },
      );

      await t.step("are forgotten on request, with the account and with the server", async () => {
        const all = { server: "weather", variable: null, for: "me" as const };
        assertEquals(await removeValues(deps, bob, all, context), ["API_KEY"]);
        await refusal(
          () => removeValues(deps, bob, { ...all, variable: "API_KEY" }, context),
          "not_found",
        );
        await give(bob, SECRET);
        await sql`delete from users where subject = ${bob.userId}`;
        assertEquals(await listKeys(deps, bob), []);
        await removeServer(registry, alice, "weather", context);
        assertEquals(await listKeys(deps, alice), []);
      });
    } finally {
      await database.close();
    }
  });
});
