/**
 * Tokens of users for code hosts, as rows.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { KeyRing } from "../../keys/key_ring.ts";

/** What the use cases of tokens need. */
export interface HostTokenDeps {
  sql: Sql;
  now: () => Date;
  /** Null where the operator has set no key. */
  ring: KeyRing | null;
}

/** A row without its token. */
export interface ListedToken {
  host: string;
  path: string;
  key_id: string;
  set_at: Date;
  used_at: Date | null;
  refused_at: Date | null;
}
