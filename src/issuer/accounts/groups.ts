/**
 * Groups of users with accounts of Berth's own: those that the provider of the last sign-in named.
 *
 * @module
 */
import { storeGroups } from "../../identity/groups.ts";
import { userOf } from "../../names/users.ts";
import type { IssuerDeps } from "../deps.ts";
import { findAccount } from "./accounts.ts";

/**
 * Makes `groups` those of the account's user. A sign-in that names none, such as one with a password,
 * leaves none: who left a group, and the provider with it, has not kept it.
 */
export async function renewGroups(
  { sql, now }: Pick<IssuerDeps, "sql" | "now">,
  accountId: string,
  groups: readonly string[],
): Promise<void> {
  if (groups.length > 0) {
    // Tokens make users, and the first one is still to come.
    await userOf({ sql, now }, accountId, (await findAccount(sql, accountId))?.email ?? null);
  }
  await storeGroups(sql, accountId, groups, now());
}
