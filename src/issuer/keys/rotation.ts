/**
 * When keys are made, used and forgotten. The schedule follows from what is in the database, so
 * that any number of nodes agree on it.
 *
 * @module
 */
import { exportJWK, generateKeyPair } from "jose";
import type { Sql, Transaction } from "../../database/client.ts";
import { randomSecret } from "../digest.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type KeyPurpose = "signing" | "cookies";

/** Times of a purpose's keys, in milliseconds. */
export interface Schedule {
  /** How long a key is used. */
  period: number;
  /** How long it is published before. */
  ahead: number;
  /** How long what it signed is accepted after its last use. */
  kept: number;
}

/** Signing keys outlive their last token (an hour), cookie keys their last session (two weeks). */
export const SCHEDULES: Readonly<Record<KeyPurpose, Schedule>> = {
  signing: { period: 90 * DAY_MS, ahead: DAY_MS, kept: 2 * HOUR_MS },
  cookies: { period: 90 * DAY_MS, ahead: DAY_MS, kept: 15 * DAY_MS },
};

/** Algorithm of the tokens: the one that every client of OpenID Connect must know. */
export const SIGNING_ALG = "RS256";

// Nodes that start together take turns; any number will do.
const LOCK_KEY = 7_261_004;

async function makeSecret(purpose: KeyPurpose): Promise<Record<string, unknown>> {
  if (purpose === "cookies") return { text: randomSecret() };
  const { privateKey } = await generateKeyPair(SIGNING_ALG, { extractable: true });
  return { ...await exportJWK(privateKey) };
}

async function insertKey(tx: Transaction, purpose: KeyPurpose, now: Date, activeFrom: Date) {
  const kid = `${purpose}-${activeFrom.toISOString().slice(0, 10)}-${randomSecret().slice(0, 8)}`;
  const secret = await makeSecret(purpose);
  await tx`
    insert into issuer_keys (kid, purpose, secret, created_at, active_from)
    values (${kid}, ${purpose}, ${tx.json(secret as never)}, ${now}, ${activeFrom})`;
}

async function rotate(tx: Transaction, purpose: KeyPurpose, now: Date): Promise<void> {
  const { period, ahead, kept } = SCHEDULES[purpose];
  const [newest] = await tx<{ active_from: Date }[]>`
    select active_from from issuer_keys where purpose = ${purpose}
    order by active_from desc limit 1`;
  if (newest === undefined) return await insertKey(tx, purpose, now, now);
  const due = newest.active_from.getTime() + period;
  if (now.getTime() < due - ahead) return;
  const activeFrom = new Date(Math.max(due, now.getTime() + ahead));
  await tx`
    update issuer_keys set expires_at = ${new Date(activeFrom.getTime() + kept)}
    where purpose = ${purpose} and expires_at is null`;
  await insertKey(tx, purpose, now, activeFrom);
}

/** Makes the keys that are due and deletes those that nothing needs any more. */
export async function rotateKeys(sql: Sql, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
    await tx`delete from issuer_keys where expires_at <= ${now}`;
    await rotate(tx, "signing", now);
    await rotate(tx, "cookies", now);
  });
}
