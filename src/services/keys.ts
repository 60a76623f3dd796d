/**
 * Wiring of kept values.
 *
 * @module
 */
import { bound } from "../bound.ts";
import { now } from "../clock.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Sql } from "../database/client.ts";
import type { KeysServices } from "../http/services.ts";
import { agreeToServer } from "../keys/agree.ts";
import type { KeysDeps } from "../keys/deps.ts";
import { keepValue } from "../keys/keep.ts";
import { createKeyRing } from "../keys/key_ring.ts";
import { listKeys, listServerKeys } from "../keys/list.ts";
import { removeValues } from "../keys/remove.ts";
import { findTermsDigest } from "../keys/shown_terms.ts";
import { settleKeys } from "../keys/start.ts";
import type { Logger } from "../log.ts";

/**
 * Reads the operator's keys and holds them against the database.
 *
 * @throws {ConfigError} When values are kept under a key that is not here.
 */
export async function startKeys(
  { config, sql, log }: { config: Config; sql: Sql; log: Logger },
): Promise<KeysDeps> {
  const ring = config.SECRETS_KEY === undefined ? null : await createKeyRing(config.SECRETS_KEY);
  if (ring === null) return { sql, now, ring };
  const settled = await settleKeys(sql, ring, now());
  if (settled.kind === "refused") throw new ConfigError([settled.why]);
  log.info("keys.ready", { key: ring.ids[0]!, moved: settled.moved });
  return { sql, now, ring };
}

/** The use cases, as listeners and pages call them. */
export function keysServices(deps: KeysDeps): KeysServices {
  const useCases = bound(deps, {
    list: listKeys,
    listOfServer: listServerKeys,
    terms: findTermsDigest,
    keep: keepValue,
    remove: removeValues,
    agree: agreeToServer,
  });
  return { ...useCases, isKept: deps.ring !== null };
}
