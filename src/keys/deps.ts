/**
 * What the use cases of kept values need.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { KeyRing } from "./key_ring.ts";

export interface KeysDeps {
  sql: Sql;
  now: () => Date;
  /** Null where the operator has set no key. */
  ring: KeyRing | null;
}
