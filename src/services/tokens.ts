/**
 * Wiring of API tokens: the list of revoked ones, notes of their use, and what they need cleaned.
 *
 * @module
 */
import { bound } from "../bound.ts";
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/client.ts";
import type { Database } from "../database/open.ts";
import type { TokenServices } from "../http/services.ts";
import { authorizeToken, createToken, listToken } from "../identity/api_tokens/create.ts";
import { removeDenied } from "../identity/api_tokens/denied_store.ts";
import { type DenyList, startDenyList } from "../identity/api_tokens/deny_list.ts";
import { listTokens } from "../identity/api_tokens/list.ts";
import type { TokenMinter } from "../identity/api_tokens/minter.ts";
import { revokeAllTokens, revokeToken } from "../identity/api_tokens/revoke.ts";
import { removeEnded } from "../identity/api_tokens/store.ts";
import { startUses } from "../identity/api_tokens/uses.ts";
import type { IssuedTokens } from "../identity/caller.ts";
import { endSignIns } from "../issuer/adapter.ts";
import type { Logger } from "../log.ts";
import { endWebSessions } from "../web/session/store.ts";

const CLEAN_MS = 600_000;

/** What a node knows of tokens. */
export interface TokensSide {
  /** For the check of every request. */
  issued: IssuedTokens;
  /** Takes note of what is refused from now on. */
  denied: Pick<DenyList, "add">;
  /**
   * The use cases.
   *
   * @param minter The embedded issuer; null with an external one.
   */
  useCases(minter: TokenMinter | null): TokenServices;
  close(): Promise<void>;
}

/** What ends the sign-ins of a user. @param isEmbedded Whether the issuer is Berth's own. */
export function endingSignIns(isEmbedded: boolean) {
  return async (tx: Queryable, userId: string): Promise<void> => {
    await endWebSessions(tx, userId);
    if (isEmbedded) await endSignIns(tx, userId);
  };
}

/** Loads the revoked tokens and begins to listen for more; on every node, whatever its role. */
export async function startTokens(
  { config, database, log }: { config: Config; database: Database; log: Logger },
): Promise<TokensSide> {
  const { sql, kind } = database;
  const denied = await startDenyList({ sql, log, now, alone: kind === "embedded" });
  const uses = startUses({ sql, log, now });
  let cleaning = Promise.resolve();
  async function clean() {
    try {
      await removeEnded(sql, now());
      await removeDenied(sql, now());
    } catch (error) {
      log.warn("tokens.clean_failed", { error });
    }
  }
  const timer = setInterval(() => cleaning = cleaning.then(clean), CLEAN_MS);
  return {
    issued: { isRevoked: denied.isRevoked, noteUse: uses.note },
    denied,
    useCases: (minter) =>
      bound({
        sql,
        now,
        newId: () => crypto.randomUUID(),
        minter,
        provider: config.OIDC_ISSUER ?? null,
        denied,
        endSignIns: endingSignIns(minter !== null),
      }, {
        authorizeCreate: authorizeToken,
        create: createToken,
        register: listToken,
        list: listTokens,
        revoke: revokeToken,
        revokeAll: revokeAllTokens,
      }),
    async close() {
      clearInterval(timer);
      await cleaning;
      await uses.close();
      await denied.close();
    },
  };
}
