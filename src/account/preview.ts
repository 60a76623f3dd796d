/**
 * What would become of a user's servers, for those who think of leaving.
 *
 * @module
 */
import type { Caller } from "../identity/caller.ts";
import type { AccountDeps } from "./deps.ts";
import type { DeletedAccount } from "./schema.ts";

/** What {@link import("./delete.ts").deleteAccount} would do now. */
export async function previewDeletion(
  { sql, policy }: Pick<AccountDeps, "sql" | "policy">,
  { userId }: Caller,
): Promise<DeletedAccount> {
  const rows = await sql<{ name: string; is_shared: boolean }[]>`
    select name, exists (
      select from namespace_owners mine join namespace_owners other using (author_key)
      where mine.author_key = servers.author_key and mine.owner = ${userId}
        and other.owner <> ${userId}) as is_shared
    from servers where owner = ${userId} order by name`;
  const isPassed = ({ is_shared }: { is_shared: boolean }) =>
    is_shared && policy.authorPolicy !== "free";
  return {
    removed: rows.filter((row) => !isPassed(row)).map(({ name }) => name),
    passed_on: rows.filter(isPassed).map(({ name }) => name),
  };
}
