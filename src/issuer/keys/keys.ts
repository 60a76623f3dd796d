/**
 * The issuer's keys as one node knows them.
 *
 * @module
 */
import { createLocalJWKSet, errors, type JWK, type LocalJWKSet } from "jose";
import { z } from "zod";
import type { Sql } from "../../database/client.ts";
import type { FindKey } from "../../identity/key_set.ts";
import { rotateKeys, SIGNING_ALG } from "./rotation.ts";

/** Least time between two looks into the database for an unknown key, in milliseconds. */
const COOLDOWN_MS = 1_000;
/** Age at which the keys are read again, in milliseconds. */
const FRESH_MS = 60_000;
/** Age up to which requests do not wait for that. */
const USABLE_MS = 5 * 60_000;

/** Every key that counts now. */
export interface KeyRing {
  /** Private JWKs; the first one signs, the others are coming or going. */
  signing: readonly JWK[];
  /** Secrets of cookies; the first one signs. */
  cookies: readonly string[];
  /** Changes when anything above does. */
  version: string;
}

/** The keys, read again when they are older than a minute. */
export interface Keys {
  /** The keys, at most a few minutes old. */
  current(): Promise<KeyRing>;
  /** Rotates what is due and reads the keys again. */
  refresh(): Promise<KeyRing>;
  /** Finds the public key of a token of this issuer. */
  findKey: FindKey;
}

const Secret = z.union([
  z.object({ text: z.string() }),
  z.looseObject({ kty: z.string(), d: z.string() }),
]);

interface Row {
  kid: string;
  purpose: string;
  secret: unknown;
  active: boolean;
}

/** Members of a JWK that must not leave this process. */
const PRIVATE_MEMBERS = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k"]);

function publicPart(jwk: JWK): JWK {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !PRIVATE_MEMBERS.has(name)));
}

async function load(sql: Sql, now: Date): Promise<KeyRing> {
  // The one in use first: the youngest of those whose time has come. Then those to come, then old.
  const rows = await sql<Row[]>`
    select kid, purpose, secret, active_from <= ${now} as active from issuer_keys
    where expires_at is null or expires_at > ${now}
    order by active_from <= ${now} desc, active_from desc, kid`;
  const signing: JWK[] = [];
  const cookies: string[] = [];
  for (const { kid, purpose, secret } of rows) {
    const parsed = Secret.parse(secret);
    if (purpose === "cookies" && "text" in parsed) cookies.push(parsed.text as string);
    else if (purpose === "signing" && "kty" in parsed) {
      signing.push({ ...parsed, kid, alg: SIGNING_ALG, use: "sig" } as JWK);
    }
  }
  const version = rows.map(({ kid, active }) => `${kid}${active ? "+" : ""}`).join(" ");
  return { signing, cookies, version };
}

/** The keys in the database of `sql`. Nothing is read before the first use. */
export function createKeys({ sql, now }: { sql: Sql; now: () => Date }): Keys {
  let known: { ring: KeyRing; at: number; find: LocalJWKSet } | undefined;
  let pending: Promise<KeyRing> | undefined;

  async function read(): Promise<KeyRing> {
    try {
      await rotateKeys(sql, now());
      const ring = await load(sql, now());
      const find = createLocalJWKSet({ keys: ring.signing.map(publicPart) });
      known = { ring, at: now().getTime(), find };
      return ring;
    } finally {
      pending = undefined;
    }
  }

  function refresh(): Promise<KeyRing> {
    return pending ??= read();
  }

  /** The age of what is known; a clock that was set back makes it old. */
  function age(): number {
    return known === undefined ? Infinity : Math.abs(now().getTime() - known.at);
  }

  async function current(): Promise<KeyRing> {
    if (age() >= USABLE_MS) return await refresh();
    // Where that fails, it is tried again by the next request, and by those that wait for it.
    if (age() >= FRESH_MS) refresh().catch(() => {});
    return known!.ring;
  }

  return {
    current,
    refresh,
    async findKey(header, token) {
      await current();
      try {
        return await known!.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (age() >= COOLDOWN_MS) await refresh();
        return await known!.find(header, token);
      }
    },
  };
}
