import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createPublicKey } from "node:crypto";
import { SignJWT } from "jose";
import { AppError } from "../../src/errors.ts";
import { MAX_TOKEN_LENGTH } from "../../src/identity/bearer.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { checkToken, type TokenDeps } from "../../src/identity/tokens.ts";
import { makeKey, startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { silentLogger } from "../helpers/log.ts";

const NOW = new Date("2026-05-01T12:00:00Z");
const SECONDS = NOW.getTime() / 1000;

function depsFor(issuer: TokenIssuer, options: { now?: () => Date } = {}): TokenDeps {
  const now = options.now ?? (() => NOW);
  const log = silentLogger();
  return {
    now,
    provider: {
      findKey: createKeySet({ issuer: issuer.url, fetch, now, log }),
      rules: {
        issuer: issuer.url,
        audiences: [issuer.audience, "second-audience"],
        providerClaim: "firebase",
      },
    },
  };
}

function encode(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return new TextEncoder().encode(text).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** A token with exactly this payload text, signed by the issuer's newest key (ES256). */
async function signRaw(issuer: TokenIssuer, payload: string, header: object = {}): Promise<string> {
  const key = issuer.keys.at(-1)!;
  const input = `${encode({ alg: key.alg, kid: key.kid, ...header })}.${encode(payload)}`;
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" },
    key.privateKey,
    new TextEncoder().encode(input),
  );
  const encoded = new Uint8Array(signature)
    .toBase64({ alphabet: "base64url", omitPadding: true });
  return `${input}.${encoded}`;
}

async function withIssuer(run: (issuer: TokenIssuer) => Promise<void>): Promise<void> {
  const issuer = await startTokenIssuer({ audience: "first-audience" });
  try {
    await run(issuer);
  } finally {
    await issuer.close();
  }
}

interface Case {
  name: string;
  header: (issuer: TokenIssuer) => Promise<string | null> | string | null;
  code: "missing_token" | "invalid_token" | "expired_token";
  reason?: RegExp;
}

/** A case in which the usual token has these claims. */
function claims(
  name: string,
  changed: Record<string, unknown>,
  code: Case["code"],
  reason?: RegExp,
): Case {
  return {
    name,
    header: async (issuer) => `Bearer ${await issuer.mint(changed, { now: NOW })}`,
    code,
    ...(reason ? { reason } : {}),
  };
}

/** A case in which the usual token has these header members. */
function headed(name: string, header: Record<string, unknown>, reason: RegExp): Case {
  return {
    name,
    header: async (issuer) => `Bearer ${await issuer.mint({}, { now: NOW, header })}`,
    code: "invalid_token",
    reason,
  };
}

const CASES: Case[] = [
  { name: "no header", header: () => null, code: "missing_token" },
  { name: "an empty header", header: () => "", code: "missing_token" },
  { name: "the scheme alone", header: () => "Bearer", code: "missing_token" },
  { name: "the scheme and blanks", header: () => "Bearer    ", code: "missing_token" },
  { name: "another scheme", header: () => "Basic YTpi", code: "missing_token" },
  {
    name: "a token without a scheme",
    header: (issuer) => issuer.mint({}, { now: NOW }),
    code: "missing_token",
  },
  { name: "no token form", header: () => "Bearer abc", code: "invalid_token" },
  { name: "empty parts", header: () => "Bearer ..", code: "invalid_token" },
  { name: "characters outside base64url", header: () => "Bearer a.b=.c", code: "invalid_token" },
  { name: "no JSON in the header", header: () => "Bearer aaaa.bbbb.cccc", code: "invalid_token" },
  {
    name: "two values",
    header: async (issuer) => {
      const token = await issuer.mint({}, { now: NOW });
      return `Bearer ${token}, Bearer ${token}`;
    },
    code: "invalid_token",
    reason: /exactly one/,
  },
  {
    name: "a blank inside the token",
    header: async (issuer) => `Bearer ${(await issuer.mint({}, { now: NOW })).replace(".", " .")}`,
    code: "invalid_token",
  },
  {
    name: "an encrypted token's five parts",
    header: () => "Bearer a.b.c.d.e",
    code: "invalid_token",
  },
  {
    name: "an oversize token",
    header: async (issuer) =>
      `Bearer ${await issuer.mint({ filler: "x".repeat(MAX_TOKEN_LENGTH) }, { now: NOW })}`,
    code: "invalid_token",
    reason: /longer than/,
  },
  {
    name: "algorithm none",
    header: (issuer) =>
      `Bearer ${encode({ alg: "none" })}.${encode({ iss: issuer.url, sub: "user-1" })}.`,
    code: "invalid_token",
  },
  {
    name: "algorithm none with a signature",
    header: (issuer) =>
      `Bearer ${encode({ alg: "none" })}.${encode({ iss: issuer.url, sub: "user-1" })}.eA`,
    code: "invalid_token",
    reason: /algorithm/,
  },
  {
    name: "algorithm NoNe",
    header: () => `Bearer ${encode({ alg: "NoNe" })}.${encode({})}.eA`,
    code: "invalid_token",
    reason: /algorithm/,
  },
  {
    name: "HS256 signed with the public key",
    header: async (issuer) => {
      const key = issuer.keys[0]!;
      const publicKey = createPublicKey({ key: { ...key.publicJwk }, format: "jwk" });
      const secret = new TextEncoder().encode(
        publicKey.export({ type: "spki", format: "pem" }).toString(),
      );
      const token = await new SignJWT({ sub: "user-1", aud: issuer.audience, iss: issuer.url })
        .setProtectedHeader({ alg: "HS256", kid: key.kid }).setIssuedAt(NOW).setExpirationTime("1h")
        .sign(secret);
      return `Bearer ${token}`;
    },
    code: "invalid_token",
    reason: /algorithm/,
  },
  {
    name: "another issuer's key under a known id",
    header: async (issuer) => {
      const key = await makeKey("ES256", issuer.keys[0]!.kid);
      return `Bearer ${await issuer.mint({}, { now: NOW, key })}`;
    },
    code: "invalid_token",
    reason: /signature does not match/,
  },
  {
    name: "another issuer's key without an id",
    header: async (issuer) => {
      const key = await makeKey("ES256", "x");
      return `Bearer ${await issuer.mint({}, { now: NOW, key, header: { kid: undefined } })}`;
    },
    code: "invalid_token",
    reason: /signature does not match/,
  },
  {
    name: "an embedded key",
    header: async (issuer) => {
      const key = await makeKey("ES256", "evil");
      const header = { kid: undefined, jwk: key.publicJwk };
      return `Bearer ${await issuer.mint({}, { now: NOW, key, header })}`;
    },
    code: "invalid_token",
    reason: /signature does not match/,
  },
  {
    name: "addresses of the attacker's keys",
    header: async (issuer) => {
      const key = await makeKey("ES256", "evil");
      const header = { jku: "http://127.0.0.1:9/keys", x5u: "http://127.0.0.1:9/chain" };
      return `Bearer ${await issuer.mint({}, { now: NOW, key, header })}`;
    },
    code: "invalid_token",
    reason: /no key of this id/,
  },
  headed("an unknown key id", { kid: "nobody" }, /no key of this id/),
  {
    name: "a key id that is no string",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { kid: 7 })}`,
    code: "invalid_token",
  },
  {
    name: "the key's id with another algorithm of the kind",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { alg: "ES384" })}`,
    code: "invalid_token",
    reason: /no key of this id/,
  },
  {
    name: "a critical extension",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { crit: ["exp"], exp: 1 })}`,
    code: "invalid_token",
    reason: /not supported/,
  },
  {
    name: "an unencoded payload",
    header: async (issuer) =>
      `Bearer ${await signRaw(issuer, "{}", { crit: ["b64"], b64: false })}`,
    code: "invalid_token",
    reason: /not supported/,
  },
  headed("a logout token", { typ: "logout+jwt" }, /another type/),
  {
    name: "a changed payload",
    header: async (issuer) => {
      const [header, , signature] = (await issuer.mint({}, { now: NOW })).split(".");
      return `Bearer ${header}.${encode({ sub: "someone-else" })}.${signature}`;
    },
    code: "invalid_token",
    reason: /signature does not match/,
  },
  {
    name: "a bad signature on an expired token",
    header: async (issuer) => {
      const token = await issuer.mint({ exp: SECONDS - 9 }, { now: NOW });
      return `Bearer ${token.slice(0, -8)}AAAAAAAA`;
    },
    code: "invalid_token",
    reason: /signature does not match/,
  },
  {
    name: "claims that are a list",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "[]")}`,
    code: "invalid_token",
    reason: /one JSON object/,
  },
  {
    name: "claims that are no JSON",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{oops")}`,
    code: "invalid_token",
    reason: /one JSON object/,
  },
  {
    name: "a repeated claim",
    header: async (issuer) => {
      const rest = `"iss":"${issuer.url}","aud":"${issuer.audience}","iat":${SECONDS}`;
      const payload = `{${rest},"exp":${SECONDS + 60},"sub":"user-1","s\\u0075b":"admin"}`;
      return `Bearer ${await signRaw(issuer, payload)}`;
    },
    code: "invalid_token",
    reason: /repeated keys/,
  },
  {
    name: "a repeated header member",
    header: () => `Bearer ${encode('{"alg":"none","alg":"ES256"}')}.${encode({})}.eA`,
    code: "invalid_token",
    reason: /malformed/,
  },

  claims("exp missing", { exp: undefined }, "invalid_token", /claim exp/),
  claims("iat missing", { iat: undefined }, "invalid_token", /claim iat/),
  claims("exp in words", { exp: "2030-01-01" }, "invalid_token", /claim exp/),
  claims("exp beyond all calendars", { exp: 1e300 }, "invalid_token", /claim exp/),
  claims("exp before all calendars", { exp: -1e300 }, "invalid_token", /claim exp/),
  claims("exp now", { exp: SECONDS }, "expired_token", /exp has passed/),
  claims("exp past", { exp: SECONDS - 1 }, "expired_token"),
  claims(
    "an hour after issue with a late exp",
    { iat: SECONDS - 3600, exp: SECONDS + 86_400 },
    "expired_token",
    /3600 seconds after issue/,
  ),
  claims(
    "expired and of another audience",
    { exp: SECONDS - 1, aud: "other" },
    "expired_token",
  ),
  claims("expired and of another issuer", { exp: SECONDS - 1, iss: "x" }, "expired_token"),
  claims("expired without a subject", { exp: SECONDS - 1, sub: undefined }, "expired_token"),
  claims("another issuer", { iss: "https://evil.example" }, "invalid_token", /another issuer/),
  claims("no issuer", { iss: undefined }, "invalid_token", /claim iss/),
  claims("an issuer list", { iss: ["x"] }, "invalid_token", /claim iss/),
  claims("another audience", { aud: "other" }, "invalid_token", /another audience/),
  claims("other audiences", { aud: ["other", "more"] }, "invalid_token", /another audience/),
  claims("no audience", { aud: undefined }, "invalid_token", /claim aud/),
  claims("an empty audience list", { aud: [] }, "invalid_token", /another audience/),
  claims("an audience of numbers", { aud: [7] }, "invalid_token", /claim aud/),
  claims("no subject", { sub: undefined, user_id: "u" }, "invalid_token", /claim sub/),
  claims("an empty subject", { sub: "", user_id: "" }, "invalid_token", /claim sub/),
  claims("a numeric subject", { sub: 7, user_id: undefined }, "invalid_token", /claim sub/),
  claims("a subject object", { sub: { a: 1 }, user_id: undefined }, "invalid_token", /claim sub/),
  claims("NUL in the subject", { sub: "a\0b" }, "invalid_token", /claim sub/),
  claims("a long subject", { sub: "x".repeat(256) }, "invalid_token", /claim sub/),
  claims("sub and user_id apart", { sub: "a", user_id: "b" }, "invalid_token", /different users/),
  claims("a numeric user_id", { user_id: 7 }, "invalid_token", /claim user_id/),
  claims("iat in the future", { iat: SECONDS + 6 }, "invalid_token", /iat is in the future/),
  claims("nbf in the future", { nbf: SECONDS + 6 }, "invalid_token", /nbf is in the future/),
  claims("nbf in words", { nbf: "now" }, "invalid_token", /claim nbf/),
  claims("auth_time in the future", { auth_time: SECONDS + 6 }, "invalid_token", /auth_time is in/),
];

Deno.test("checkToken() refuses hostile and faulty tokens with the right code", async (t) => {
  await withIssuer(async (issuer) => {
    const deps = depsFor(issuer);
    for (const { name, header, code, reason } of CASES) {
      await t.step(name, async () => {
        const sent = await header(issuer);
        const error = await assertRejects(() => checkToken(deps, sent), AppError);
        assertEquals([error.code, error.status], [code, 401]);
        if (reason) assertMatch(error.details.reason ?? "", reason);
        assertMatch(error.headers["WWW-Authenticate"] ?? "", /^Bearer realm="berth"/);
        const expected = {
          missing_token: ["hint"],
          invalid_token: ["reason"],
          expired_token: ["expiredAt", "hint", "reason"],
        }[code];
        assertEquals(Object.keys(error.details).sort(), expected);
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

Deno.test("checkToken() tells how to give an issuer when there is none", async () => {
  const deps: TokenDeps = { provider: null, now: () => NOW };
  const missing = await assertRejects(() => checkToken(deps, null), AppError);
  assertEquals(missing.code, "missing_token");
  assertMatch(missing.details.hint ?? "", /OIDC_ISSUER/);
  const invalid = await assertRejects(() => checkToken(deps, "Bearer a.b.c"), AppError);
  assertEquals(invalid.code, "invalid_token");
  assertMatch(invalid.details.hint ?? "", /OIDC_ISSUER/);
});
