/**
 * Faulty and hostile tokens, with the failure that each must get.
 *
 * @module
 */
import { createPublicKey } from "node:crypto";
import { SignJWT } from "jose";
import { MAX_TOKEN_LENGTH } from "../../src/identity/bearer.ts";
import { makeKey, type TokenIssuer } from "./token_issuer.ts";

/** The time at which the faults are faults. */
export const NOW: Date = new Date("2026-05-01T12:00:00Z");
/** The same in seconds. */
export const SECONDS: number = NOW.getTime() / 1000;

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
    // Which of the platform's two types of a key jose names depends on what else is checked.
    key.privateKey as CryptoKey,
    new TextEncoder().encode(input),
  );
  const encoded = new Uint8Array(signature)
    .toBase64({ alphabet: "base64url", omitPadding: true });
  return `${input}.${encoded}`;
}

/** A faulty `Authorization` header. */
export interface TokenFault {
  name: string;
  header: (issuer: TokenIssuer) => Promise<string | null> | string | null;
  /** Of the failure; {@link DETAILS} has what comes with it. */
  code: "missing_token" | "invalid_token" | "expired_token";
  reason?: RegExp;
}

/** A case in which the usual token has these claims. */
function claims(
  name: string,
  changed: Record<string, unknown>,
  code: TokenFault["code"],
  reason?: RegExp,
): TokenFault {
  return {
    name,
    header: async (issuer) => `Bearer ${await issuer.mint(changed, { now: NOW })}`,
    code,
    ...(reason ? { reason } : {}),
  };
}

/** A case in which the usual token has these header members. */
function headed(name: string, header: Record<string, unknown>, reason: RegExp): TokenFault {
  return {
    name,
    header: async (issuer) => `Bearer ${await issuer.mint({}, { now: NOW, header })}`,
    code: "invalid_token",
    reason,
  };
}

/** All of them. */
export const TOKEN_FAULTS: TokenFault[] = [
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
    reason: /no key with this id/,
  },
  headed("an unknown key id", { kid: "nobody" }, /no key with this id/),
  {
    name: "a key id that is no string",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { kid: 7 })}`,
    code: "invalid_token",
  },
  {
    name: "the key's id with another algorithm of the kind",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { alg: "ES384" })}`,
    code: "invalid_token",
    reason: /no key with this id/,
  },
  {
    name: "a critical extension",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{}", { crit: ["exp"], exp: 1 })}`,
    code: "invalid_token",
    reason: /unsupported/,
  },
  {
    name: "an unencoded payload",
    header: async (issuer) =>
      `Bearer ${await signRaw(issuer, "{}", { crit: ["b64"], b64: false })}`,
    code: "invalid_token",
    reason: /unsupported/,
  },
  headed("a logout token", { typ: "logout+jwt" }, /neither an access token nor an ID token/),
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
    reason: /must be a JSON object/,
  },
  {
    name: "claims that are no JSON",
    header: async (issuer) => `Bearer ${await signRaw(issuer, "{oops")}`,
    code: "invalid_token",
    reason: /must be a JSON object/,
  },
  {
    name: "a repeated claim",
    header: async (issuer) => {
      const rest = `"iss":"${issuer.url}","aud":"${issuer.audience}","iat":${SECONDS}`;
      const payload = `{${rest},"exp":${SECONDS + 60},"sub":"user-1","s\\u0075b":"admin"}`;
      return `Bearer ${await signRaw(issuer, payload)}`;
    },
    code: "invalid_token",
    reason: /duplicate keys/,
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
    /3600 seconds after they are issued/,
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

/** The details that each failure has, in order. */
export const DETAILS = {
  missing_token: ["hint"],
  invalid_token: ["reason"],
  expired_token: ["expiredAt", "hint", "reason"],
} as const;
