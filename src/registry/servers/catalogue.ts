/**
 * What has changed in the registry, for answers that are kept.
 *
 * @module
 */
import type { RegistryDeps } from "../deps.ts";

/**
 * Names of the servers that were changed since the registry was as `mark` says; null when that is
 * too long ago to be known, or was before the database was restored.
 */
export async function changedSince(
  { sql }: Pick<RegistryDeps, "sql">,
  mark: string,
): Promise<ReadonlySet<string> | null> {
  const rows = await sql<{ server: string; isOld: boolean }[]>`
    select server, mark = ${mark} as "isOld" from catalogue_changes
    where position >= (select max(position) from catalogue_changes where mark = ${mark})`;
  if (!rows.some(({ isOld }) => isOld)) return null;
  return new Set(rows.filter(({ isOld }) => !isOld).map(({ server }) => server));
}
