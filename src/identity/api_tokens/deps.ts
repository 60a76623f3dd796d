/**
 * What the use cases of API tokens need from outside.
 *
 * @module
 */
import type { Queryable, Sql } from "../../database/client.ts";
import type { DenyList } from "./deny_list.ts";
import type { TokenMinter } from "./minter.ts";

/** What the use cases need. */
export interface TokensDeps {
  sql: Sql;
  now: () => Date;
  newId: () => string;
  /** The embedded issuer; null where tokens come from another provider. */
  minter: TokenMinter | null;
  /** Address of that other provider. */
  provider: string | null;
  denied: Pick<DenyList, "add">;
  /** Ends the user's sessions and refresh tokens at the embedded issuer, in the transaction. */
  endSignIns: (sql: Queryable, userId: string) => Promise<void>;
}
