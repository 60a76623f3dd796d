/**
 * What the use cases of accounts need.
 *
 * @module
 */
import type { Queryable, Sql } from "../database/client.ts";
import type { DenyList } from "../identity/api_tokens/deny_list.ts";
import type { KeyRing } from "../keys/key_ring.ts";
import type { RegistryPolicy } from "../registry/deps.ts";

export interface AccountDeps {
  sql: Sql;
  now: () => Date;
  policy: Pick<RegistryPolicy, "authorPolicy" | "payments">;
  ring: KeyRing | null;
  denied: Pick<DenyList, "add">;
  /** Ends the sign-ins of a user in browsers, and at the embedded issuer. */
  endSignIns: (sql: Queryable, userId: string) => Promise<void>;
  /**
   * Clients of Berth's own at the embedded issuer: others do not end accounts. Null with an external
   * one, whose operator chooses its clients.
   */
  ownClients: readonly string[] | null;
  /** Ends the sessions of a server that was removed, on every node. */
  endSessions: (server: string) => Promise<void>;
}
