/**
 * The embedded issuer's part in making tokens, played by an issuer on loopback.
 *
 * @module
 */
import { now } from "../../src/clock.ts";
import type { TokenMinter } from "../../src/identity/api_tokens/minter.ts";
import type { TokenIssuer } from "./token_issuer.ts";

/** Mints tokens of `issuer` at the time that `at` tells. */
export function testMinter(issuer: TokenIssuer, at: () => Date = now): TokenMinter {
  return {
    mintAccessToken(user, { ttlSeconds }) {
      const time = at();
      const seconds = Math.floor(time.getTime() / 1000);
      return issuer.mint({
        sub: user.userId,
        email: user.email ?? undefined,
        auth_time: user.authTime === null ? undefined : user.authTime.getTime() / 1000,
        exp: seconds + ttlSeconds,
      }, { now: time });
    },
  };
}
