/**
 * The issuer's public keys, kept up to date: a key that is new at the issuer is found at its first
 * use, one that is gone is forgotten within minutes, and no stream of bad tokens makes more than
 * one fetch every few seconds.
 *
 * @module
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, type LocalJWKSet } from "jose";
import { z } from "zod";
import type { Logger } from "../log.ts";
import { discoverKeySet } from "./discovery.ts";
import { keysUnavailable } from "./failures.ts";
import { type Fetch, fetchDocument } from "./fetch_document.ts";

/** Least time between two fetches, in milliseconds. */
const COOLDOWN_MS = 5_000;
/** Age at which a set is fetched again, in milliseconds. */
const FRESH_MS = 10 * 60_000;
/** Age up to which a set serves while the issuer is unavailable: a token's lifetime. */
const USABLE_MS = 60 * 60_000;
/** How long the key set's discovered address is kept, in milliseconds. */
const ADDRESS_MS = 60 * 60_000;
const MAX_KEYS = 100;

const KeySetDocument = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(MAX_KEYS),
});

export interface KeySetOptions {
  /** As in the tokens' `iss`. */
  issuer: string;
  /** Address of the key set; absent: from the issuer's discovery document. */
  jwksUrl?: string;
  fetch: Fetch;
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined;
  log: Logger;
}

/** Finds the public key that a token's header names. */
export type FindKey = (...header: Parameters<LocalJWKSet>) => ReturnType<LocalJWKSet>;

interface Loaded {
  find: LocalJWKSet;
  at: number;
}

/**
 * A finder of keys, in the form that jose's verification takes.
 *
 * @returns Throws `AppError` `unavailable` when the issuer cannot be asked, and jose's
 * `JWKSNoMatchingKey` when it was asked and has no such key.
 */
export function createKeySet(options: KeySetOptions): FindKey {
  const { issuer, jwksUrl, fetch, now = () => performance.now(), log } = options;
  let loaded: Loaded | undefined;
  let address: { url: string; at: number } | undefined;
  let attemptedAt = -Infinity;
  let failure: unknown;
  let pending: Promise<void> | undefined;

  async function addressOfSet(): Promise<string> {
    if (jwksUrl !== undefined) return jwksUrl;
    const at = now();
    if (address === undefined || at - address.at >= ADDRESS_MS) {
      address = { url: await discoverKeySet(fetch, issuer), at };
    }
    return address.url;
  }

  async function load(): Promise<void> {
    attemptedAt = now();
    try {
      const document = KeySetDocument.parse(await fetchDocument(fetch, await addressOfSet()));
      loaded = { find: createLocalJWKSet(document as JSONWebKeySet), at: now() };
      failure = undefined;
    } catch (error) {
      failure = error;
      // The issuer may have moved its keys: ask it again.
      address = undefined;
      log.warn("identity.keys_unavailable", { issuer, error });
    } finally {
      pending = undefined;
    }
  }

  /** Loads the set unless that was tried just now; never throws. */
  async function refresh(): Promise<void> {
    if (pending === undefined && now() - attemptedAt >= COOLDOWN_MS) pending = load();
    await pending;
  }

  return async (header, token) => {
    if (loaded === undefined || now() - loaded.at >= FRESH_MS) await refresh();
    const found = loaded;
    if (found === undefined || now() - found.at >= USABLE_MS) {
      throw keysUnavailable(failure, COOLDOWN_MS / 1000);
    }
    try {
      return await found.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      if (failure !== undefined) throw keysUnavailable(failure, COOLDOWN_MS / 1000);
      return await (loaded ?? found).find(header, token);
    }
  };
}
