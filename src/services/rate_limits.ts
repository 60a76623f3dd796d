/**
 * Wiring of the limits.
 *
 * @module
 */
import type { Config } from "../config.ts";
import type { LimitServices } from "../http/services.ts";
import { authenticate, type IdentityDeps } from "../identity/caller.ts";
import { type CountedRequest, createRequestLimits } from "../limits/requests.ts";
import { removeIdleWindows } from "../limits/window.ts";
import type { Logger } from "../log.ts";

/** The limits of the registry listener; what identity asks the database for comes along. */
export function limitServices(
  config: Pick<Config, "RATE_LIMIT_PUBLIC" | "RATE_LIMIT_AUTHENTICATED">,
  identity: IdentityDeps,
): LimitServices {
  const limits = createRequestLimits({ sql: identity.sql }, {
    public: config.RATE_LIMIT_PUBLIC,
    authenticated: config.RATE_LIMIT_AUTHENTICATED,
  });
  return {
    async countCaller(authorization) {
      let counted: CountedRequest | undefined;
      const caller = await authenticate(identity, authorization, async (subject) => {
        const taken = await limits.takeUser(subject);
        counted = taken;
        return taken.user;
      });
      return { caller, counted: counted! };
    },
    countAddress: (address) => limits.takeAddress(address),
  };
}

const CLEAN_EVERY_MS = 10 * 60_000;

/** Starts to remove windows that are empty, now and then; returns what stops it. */
export function startLimitCleaning(sql: IdentityDeps["sql"], log: Logger): () => Promise<void> {
  let round = Promise.resolve();
  async function clean() {
    try {
      await removeIdleWindows({ sql });
    } catch (error) {
      log.warn("limits.cleaning_failed", { error });
    }
  }
  const timer = setInterval(() => round = round.then(clean), CLEAN_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
