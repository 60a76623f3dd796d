import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { checkToken, type TokenDeps } from "../../src/identity/tokens.ts";
import { createVerifiedTokens } from "../../src/identity/verified_tokens.ts";
import { DETAILS, NOW, SECONDS, TOKEN_FAULTS } from "../helpers/token_faults.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { silentLogger } from "../helpers/log.ts";

function depsFor(issuer: TokenIssuer, options: { now?: () => Date } = {}): TokenDeps {
  const now = options.now ?? (() => NOW);
  const log = silentLogger();
  return {
    now,
    provider: {
      findKey: createKeySet({ issuer: issuer.url, fetch, log }),
      verified: createVerifiedTokens(),
      rules: {
        issuer: issuer.url,
        audiences: [issuer.audience, "second-audience"],
        providerClaim: "firebase",
      },
    },
  };
}

async function withIssuer(run: (issuer: TokenIssuer) => Promise<void>): Promise<void> {
  const issuer = await startTokenIssuer({ audience: "first-audience" });
  try {
    await run(issuer);
  } finally {
    await issuer.close();
  }
}

Deno.test("checkToken() refuses hostile and faulty tokens with the right code", async (t) => {
  await withIssuer(async (issuer) => {
    const deps = depsFor(issuer);
    for (const { name, header, code, reason } of TOKEN_FAULTS) {
      await t.step(name, async () => {
        const sent = await header(issuer);
        const error = await assertRejects(() => checkToken(deps, sent), AppError);
        assertEquals([error.code, error.status], [code, 401]);
        if (reason) assertMatch(error.details.reason ?? "", reason);
        assertMatch(error.headers["WWW-Authenticate"] ?? "", /^Bearer realm="berth"/);
        assertEquals(Object.keys(error.details).sort(), [...DETAILS[code]]);
      });
    }
  });
});

Deno.test("checkToken() names the earlier of exp and an hour after issue", async () => {
  await withIssuer(async (issuer) => {
    const deps = depsFor(issuer);
    const byExp = await issuer.mint({ exp: SECONDS - 10 }, { now: NOW });
    const byAge = await issuer.mint({ iat: SECONDS - 4000, exp: SECONDS + 60 }, { now: NOW });
    const first = await assertRejects(() => checkToken(deps, `Bearer ${byExp}`), AppError);
    assertEquals(first.details.expiredAt, "2026-05-01T11:59:50.000Z");
    const second = await assertRejects(() => checkToken(deps, `Bearer ${byAge}`), AppError);
    assertEquals(second.details.expiredAt, "2026-05-01T11:53:20.000Z");
  });
});

const ACCEPTED: { name: string; claims?: Record<string, unknown>; scheme?: string }[] = [
  { name: "the usual token" },
  { name: "a lower-case scheme", scheme: "bearer " },
  { name: "an upper-case scheme and blanks", scheme: "  BEARER   " },
  { name: "an audience list", claims: { aud: ["other", "second-audience"] } },
  { name: "times five seconds ahead", claims: { iat: SECONDS + 5, nbf: SECONDS + 5 } },
  {
    name: "only the required claims",
    claims: { user_id: undefined, auth_time: undefined, email: undefined, firebase: undefined },
  },
  { name: "null for optional claims", claims: { user_id: null, nbf: null, auth_time: null } },
  { name: "the last second before expiry", claims: { exp: SECONDS + 1 } },
];

Deno.test("checkToken() accepts what the rules allow", async (t) => {
  await withIssuer(async (issuer) => {
    const deps = depsFor(issuer);
    for (const { name, claims, scheme } of ACCEPTED) {
      await t.step(name, async () => {
        const token = await issuer.mint(claims, { now: NOW });
        const facts = await checkToken(deps, `${scheme ?? "Bearer "}${token}`);
        assertEquals(facts.subject, "user-1");
      });
    }
  });
});

Deno.test("checkToken() shows claims that are absent or of a wrong type as null", async () => {
  await withIssuer(async (issuer) => {
    const deps = depsFor(issuer);
    const full = await checkToken(deps, `Bearer ${await issuer.mint({}, { now: NOW })}`);
    assertEquals(
      [full.email, full.emailVerified, full.signInProvider, full.authTime?.toISOString()],
      ["user-1@example.com", true, "password", "2026-05-01T12:00:00.000Z"],
    );
    const odd = { email: 7, email_verified: "yes", firebase: ["x"], auth_time: undefined };
    const bare = await checkToken(deps, `Bearer ${await issuer.mint(odd, { now: NOW })}`);
    assertEquals(
      [bare.email, bare.emailVerified, bare.signInProvider, bare.authTime],
      [null, null, null, null],
    );
  });
});

Deno.test("checkToken() says how to set an issuer if none is set", async () => {
  const deps: TokenDeps = { provider: null, now: () => NOW };
  const missing = await assertRejects(() => checkToken(deps, null), AppError);
  assertEquals(missing.code, "missing_token");
  assertMatch(missing.details.hint ?? "", /OIDC_ISSUER/);
  const invalid = await assertRejects(() => checkToken(deps, "Bearer a.b.c"), AppError);
  assertEquals(invalid.code, "invalid_token");
  assertMatch(invalid.details.hint ?? "", /OIDC_ISSUER/);
});
