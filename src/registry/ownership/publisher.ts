/**
 * Verified publishers: a file in the repository names the code of the account that published it. Only
 * who can write to the repository can put it there.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import type { FetchedRepository } from "../../repository/fetch.ts";
import { PUBLISHER_FILE, publisherLines } from "../../repository/publisher_file.ts";

/**
 * The codes that the repository names, in the server's folder. Only its default branch counts: anybody can make a commit that
 * a code host serves under another repository's address, by a fork or a pull request.
 */
export function publishersIn(
  { ref, files, url }: Pick<FetchedRepository, "ref" | "files" | "url">,
): string[] {
  const file = files.get(PUBLISHER_FILE);
  if (ref !== null || file === undefined) return [];
  const here = url.replace(/^https:\/\//, "").toLowerCase();
  const codes = publisherLines(file)
    .filter(({ repository }) => repository === null || repository === here)
    .map(({ code }) => code);
  return [...new Set(codes)];
}

/** Whether the repository names the owner of the record, as a column. */
export function publisherColumn(sql: Queryable) {
  return sql`
    publishers <> '{}' and exists (
      select from users
      where subject = servers.owner and publisher_code::text = any(servers.publishers)
    ) as publisher_verified`;
}

/** The code of the user, who owns the server; null for those who do not. */
export async function publisherCodeOf(
  sql: Queryable,
  { server, userId }: { server: string; userId: string },
): Promise<string | null> {
  const [row] = await sql<{ code: string }[]>`
    select publisher_code as code from users join servers on owner = subject
    where subject = ${userId} and name = ${server}`;
  return row?.code ?? null;
}
