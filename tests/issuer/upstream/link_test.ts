import { assert, assertEquals } from "@std/assert";
import type { Sql } from "../../../src/database/client.ts";
import { findAccount, insertAccount } from "../../../src/issuer/accounts/accounts.ts";
import { accountOf, type LinkedAccount } from "../../../src/issuer/upstream/link.ts";
import type { UpstreamIdentity } from "../../../src/issuer/upstream/provider.ts";
import { describeDatabases } from "../../helpers/database.ts";

const GITHUB = { name: "github.com", linkByEmail: true };
const GOOGLE = { name: "google.com", linkByEmail: true };
const now = () => new Date();
const newId = () => crypto.randomUUID();

function identity(more: Partial<UpstreamIdentity> = {}): UpstreamIdentity {
  return { subject: "1", email: "ada@example.com", emailVerified: true, groups: [], ...more };
}

function link(
  sql: Sql,
  more: Partial<UpstreamIdentity> = {},
  provider = GITHUB,
): Promise<LinkedAccount> {
  return accountOf({ sql, now, newId, requestId: "r1" }, provider, identity(more));
}

async function withPassword(sql: Sql, email: string, emailVerified: boolean): Promise<string> {
  const id = newId();
  assert(await insertAccount(sql, { id, email, emailVerified, password: "hash", now: now() }));
  return id;
}

describeDatabases((kind, open) => {
  Deno.test(`accountOf() makes an account once and finds it again, whatever the address (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const first = await link(sql);
      assertEquals(first.how, "created");
      const account = (await findAccount(sql, first.accountId))!;
      assertEquals(
        [account.email, account.emailVerified, account.password, account.identities],
        ["ada@example.com", true, null, { "github.com": ["1"] }],
      );
      const again = await link(sql, { email: "other@example.com" });
      assertEquals(again, { accountId: first.accountId, how: "known" });
      const other = await link(sql, { subject: "2", email: "grace@example.com" });
      assert(other.accountId !== first.accountId);
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() joins a verified account by a verified address, in any letter case (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const id = await withPassword(sql, "ada@example.com", true);
      assertEquals(await link(sql, { email: "Ada@Example.com" }), { accountId: id, how: "linked" });
      assertEquals(await link(sql, {}, GOOGLE), { accountId: id, how: "linked" });
      assertEquals((await findAccount(sql, id))!.identities, {
        "github.com": ["1"],
        "google.com": ["1"],
      });
      const audit = await sql<{ action: string; provider: string }[]>`
        select action, details->>'provider' as provider from audit_log order by provider`;
      assertEquals(audit.map(({ action, provider }) => [action, provider]), [
        ["account.link", "github.com"],
        ["account.link", "google.com"],
      ]);
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() leaves alone an account whose address nobody proved (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const waiting = await withPassword(sql, "ada@example.com", false);
      const linked = await link(sql);
      assertEquals(linked.how, "created");
      assert(linked.accountId !== waiting);
      const account = (await findAccount(sql, linked.accountId))!;
      assertEquals([account.email, account.emailVerified], ["ada@example.com", true]);
      assertEquals((await findAccount(sql, waiting))!.identities, {});
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() joins nothing by an address that the provider did not verify (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const id = await withPassword(sql, "ada@example.com", true);
      const linked = await link(sql, { emailVerified: false });
      assertEquals(linked.how, "created");
      assert(linked.accountId !== id);
      const account = (await findAccount(sql, linked.accountId))!;
      assertEquals([account.email, account.emailVerified], ["ada@example.com", false]);
      // Nor does it keep the address from its owner.
      assertEquals((await link(sql, { subject: "9" })).accountId, id);
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() does not join for a provider that is not to (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const id = await withPassword(sql, "ada@example.com", true);
      const linked = await link(sql, {}, { name: "corp", linkByEmail: false });
      assertEquals(linked.how, "created");
      assert(linked.accountId !== id);
      assertEquals((await findAccount(sql, linked.accountId))!.email, null);
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() keeps subjects of different providers apart (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const one = await link(sql, { email: null, emailVerified: false });
      const other = await link(sql, { email: null, emailVerified: false }, GOOGLE);
      assert(one.accountId !== other.accountId);
    } finally {
      await database.close();
    }
  });

  Deno.test(`accountOf() makes one account of many first sign-ins at once (${kind})`, async () => {
    const database = await open();
    const { sql } = database;
    try {
      const all = await Promise.all(Array.from({ length: 8 }, () => link(sql)));
      assertEquals(new Set(all.map(({ accountId }) => accountId)).size, 1);
      const both = await Promise.all([
        link(sql, { subject: "5", email: "grace@example.com" }),
        link(sql, { subject: "5", email: "grace@example.com" }, GOOGLE),
      ]);
      assertEquals(both[0].accountId, both[1].accountId);
      const [count] = await sql<{ n: number }[]>`select count(*)::int as n from issuer_accounts`;
      assertEquals(count!.n, 2);
    } finally {
      await database.close();
    }
  });
});
