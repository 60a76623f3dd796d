/**
 * The token with which a user's repository is read.
 *
 * @module
 */
import { hostTokenPlace } from "../../keys/store.ts";
import type { RepositoryAddress } from "../address.ts";
import type { HostTokenDeps } from "./store.ts";

/** A token, for its host and nothing else. */
export interface UsableToken {
  token: string;
  /** Keeps what the host said to it. */
  note(outcome: "used" | "refused"): Promise<void>;
}

/** The token of `subject` for a repository; null for none. */
export type ReaderToken = (
  subject: string,
  address: Pick<RepositoryAddress, "host" | "owner" | "name">,
) => Promise<UsableToken | null>;

interface TokenRow {
  path: string;
  key_id: string;
  wrapped: Uint8Array;
  sealed: Uint8Array;
}

/** Finds tokens among those that are kept: the one with the longest path that fits. */
export function readerTokens({ sql, now, ring }: HostTokenDeps): ReaderToken {
  return async (subject, { host, owner, name }) => {
    if (ring === null) return null;
    const repository = `${owner}/${name}`.toLowerCase();
    const rows = await sql<TokenRow[]>`
      select path, key_id, wrapped, sealed from code_host_tokens
      where subject = ${subject} and host = ${host} order by length(path) desc`;
    const row = rows.find(({ path }) => path === "" || `${repository}/`.startsWith(`${path}/`));
    if (row === undefined) return null;
    const { path, wrapped, sealed } = row;
    const envelope = { keyId: row.key_id, wrapped, sealed };
    const token = await ring.open(hostTokenPlace({ subject, host, path }), envelope);
    if (token === null) return null;
    return {
      token,
      async note(outcome) {
        const at = now();
        // Not of one that has taken its place meanwhile.
        await sql`
          update code_host_tokens set
            used_at = case when ${outcome === "used"} then ${at} else used_at end,
            refused_at = case when ${outcome === "used"} then null else ${at}::timestamptz end
          where subject = ${subject} and host = ${host} and path = ${path} and sealed = ${sealed}`;
      },
    };
  };
}
