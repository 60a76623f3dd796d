/**
 * Goes before whatever is asked of one server.
 *
 * @module
 */
import { mayRead, type Viewer } from "../../access/rule.ts";
import type { Queryable } from "../../database/client.ts";
import { serverNotFound } from "../failures.ts";

/**
 * Checks that `viewer` may read the server of this name. One that must not be read takes the same way
 * as one that does not exist.
 *
 * @throws {AppError} `not_found` for both.
 */
export async function checkReadable(sql: Queryable, viewer: Viewer, name: string): Promise<void> {
  if (!await mayRead(sql, viewer, name)) throw serverNotFound(name);
}
