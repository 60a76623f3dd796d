/**
 * What the use cases of payments need from outside.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { Logger } from "../log.ts";
import type { PaymentProvider } from "./provider.ts";

export interface PaymentsDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Null while payments are off. */
  provider: PaymentProvider | null;
}
