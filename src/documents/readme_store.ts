/**
 * READMEs as they are shown, by what was scanned.
 *
 * @module
 */
import type { Queryable } from "../database/client.ts";
import { databaseErrorCode } from "../database/errors.ts";

/** A folder of a stored archive. */
export interface Source {
  archive_sha256: string;
  folder: string;
}

const FOREIGN_KEY_VIOLATION = "23503";

/** What is kept: HTML, or null for "there is none"; undefined when nothing is kept yet. */
export async function loadReadme(
  sql: Queryable,
  { archive_sha256, folder }: Source,
): Promise<string | null | undefined> {
  const [row] = await sql<{ html: string | null }[]>`
    select html from readmes where archive_sha256 = ${archive_sha256} and folder = ${folder}`;
  return row?.html;
}

/** Keeps `html` as long as the archive is stored. */
export async function keepReadme(
  sql: Queryable,
  { archive_sha256, folder }: Source,
  html: string | null,
): Promise<void> {
  try {
    await sql`
      insert into readmes (archive_sha256, folder, html)
      values (${archive_sha256}, ${folder}, ${html})
      on conflict do nothing`;
  } catch (error) {
    // The archive has been removed, and its READMEs with it.
    if (databaseErrorCode(error) !== FOREIGN_KEY_VIOLATION) throw error;
  }
}
