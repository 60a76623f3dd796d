import { now } from "../../src/clock.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { authenticate, type IdentityDeps } from "../../src/identity/caller.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";

async function withIdentity(
  run: (deps: IdentityDeps, issuer: TokenIssuer) => Promise<void>,
): Promise<void> {
  const issuer = await startTokenIssuer();
  const database = await openTestDatabase();
  const deps: IdentityDeps = {
    sql: database.sql,
    now,
    issued: { isRevoked: () => false, noteUse() {} },
    admins: { subjects: ["root"], claim: "berth_admin" },
    provider: {
      findKey: createKeySet({ issuer: issuer.url, fetch, log: silentLogger() }),
      rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
    },
  };
  try {
    await run(deps, issuer);
  } finally {
    await database.close();
    await issuer.close();
  }
}

Deno.test("authenticate() knows the caller behind a token", async () => {
  await withIdentity(async (deps, issuer) => {
    const token = await issuer.mint({ sub: "s1", email: "Jane.Doe@example.com" });
    const caller = await authenticate(deps, `Bearer ${token}`);
    const { authTime, expiresAt, tokenDigest, issuedAt, ...rest } = caller;
    assertEquals(rest, {
      userId: "s1",
      username: "jane-doe",
      email: "Jane.Doe@example.com",
      emailVerified: true,
      signInProvider: "password",
      isAdmin: false,
    });
    assertEquals([tokenDigest.length, issuedAt], [64, authTime]);
    assertEquals(expiresAt.getTime() - authTime!.getTime(), 3_600_000);
  });
});

Deno.test("authenticate() knows administrators by subject and by claim", async (t) => {
  const cases: [claims: Record<string, unknown>, isAdmin: boolean][] = [
    [{ sub: "root" }, true],
    [{ sub: "s1", berth_admin: true }, true],
    [{ sub: "s1", berth_admin: "true" }, false],
    [{ sub: "s1", berth_admin: 1 }, false],
    [{ sub: "s1", firebase: { berth_admin: true } }, false],
    [{ sub: "s1" }, false],
  ];
  await withIdentity(async (deps, issuer) => {
    for (const [claims, isAdmin] of cases) {
      await t.step(JSON.stringify(claims), async () => {
        const caller = await authenticate(deps, `Bearer ${await issuer.mint(claims)}`);
        assertEquals(caller.isAdmin, isAdmin);
      });
    }
  });
});

Deno.test("authenticate() takes no inherited property for the administrators' claim", async () => {
  await withIdentity(async (deps, issuer) => {
    const odd = { ...deps, admins: { subjects: [], claim: "constructor" } };
    const caller = await authenticate(odd, `Bearer ${await issuer.mint()}`);
    assertEquals(caller.isAdmin, false);
  });
});

Deno.test("authenticate() makes no user for a bad token", async () => {
  await withIdentity(async (deps, issuer) => {
    const token = await issuer.mint({ aud: "another" });
    await assertRejects(() => authenticate(deps, `Bearer ${token}`), AppError);
    assertEquals((await deps.sql`select 1 from users`).length, 0);
  });
});
