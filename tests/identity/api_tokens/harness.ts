/**
 * The use cases of API tokens over a database, with the checks of requests.
 *
 * @module
 */
import type { Database } from "../../../src/database/open.ts";
import { type DenyList, startDenyList } from "../../../src/identity/api_tokens/deny_list.ts";
import type { TokensDeps } from "../../../src/identity/api_tokens/deps.ts";
import { startUses, type Uses } from "../../../src/identity/api_tokens/uses.ts";
import { authenticate, type Caller } from "../../../src/identity/caller.ts";
import { createKeySet } from "../../../src/identity/key_set.ts";
import { silentLog } from "../../helpers/database.ts";
import { testMinter } from "../../helpers/test_minter.ts";
import { startTokenIssuer, type TokenIssuer } from "../../helpers/token_issuer.ts";

/** A node that checks tokens. */
export interface Node extends AsyncDisposable {
  deps: TokensDeps;
  denied: DenyList;
  uses: Uses;
  /** Users whose sign-ins were ended. */
  signedOut: string[];
  /** The caller of a token. */
  check(token: string): Promise<Caller>;
}

/** What tests turn. */
export interface Bench extends AsyncDisposable {
  issuer: TokenIssuer;
  database: Database;
  clock: { time: Date };
  startNode(options?: { alone?: boolean; listen?: boolean; pollMs?: number }): Promise<Node>;
}

/** A bench over `database`, which it closes. */
export async function openBench(database: Database): Promise<Bench> {
  const issuer = await startTokenIssuer();
  const clock = { time: new Date("2026-05-01T12:00:00.000Z") };
  const now = () => new Date(clock.time);
  const { sql } = database;
  return {
    issuer,
    database,
    clock,
    async startNode(options = {}) {
      const base = { sql, log: silentLog, now };
      const alone = options.alone ?? database.kind === "embedded";
      const denied = await startDenyList({ ...base, ...options, alone });
      const signedOut: string[] = [];
      const uses = startUses({ ...base, flushMs: 3_600_000 });
      const deps: TokensDeps = {
        sql,
        now,
        newId: () => crypto.randomUUID(),
        minter: testMinter(issuer, now),
        provider: null,
        denied,
        endSignIns: (_sql, userId) => Promise.resolve(void signedOut.push(userId)),
      };
      const identity = {
        sql,
        now,
        admins: { subjects: ["root"], claim: null },
        issued: { isRevoked: denied.isRevoked, noteUse: uses.note },
        provider: {
          findKey: createKeySet({ issuer: issuer.url, fetch, log: silentLog }),
          rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
        },
      };
      return {
        deps,
        denied,
        uses,
        signedOut,
        check: (token) => authenticate(identity, `Bearer ${token}`),
        async [Symbol.asyncDispose]() {
          await uses.close();
          await denied.close();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await issuer.close();
      await database.close();
    },
  };
}
