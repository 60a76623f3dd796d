/**
 * Whether a user may read a repository by the operator's App. That the App is installed there says
 * nothing of who asks: the repository has to name their account, and itself, so that a copy of a
 * repository opens to nobody whom the original named.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { FoundRepository } from "../hosts/code_host.ts";
import type { GitHub } from "../hosts/github.ts";
import { lineName, PUBLISHER_FILE, publisherLines } from "../publisher_file.ts";

/** The code by which repositories name an account; null for none. */
export type AccountCode = (subject: string) => Promise<string | null>;

/** Finds them among the users that have been here. */
export function accountCodes(sql: Sql): AccountCode {
  return async (subject) => {
    const [row] = await sql<{ code: string }[]>`
      select publisher_code as code from users where subject = ${subject}`;
    return row?.code ?? null;
  };
}

/** Whether the default branch of `repository` names the account of `code` for this repository. */
export async function namesAccount(
  host: GitHub,
  repository: FoundRepository,
  code: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const file = await host.readFile(repository, PUBLISHER_FILE, signal);
  if (file === null) return false;
  const here = lineName(host.host, repository);
  return publisherLines(file).some((line) => line.code === code && line.repository === here);
}
