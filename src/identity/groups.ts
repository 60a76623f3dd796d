/**
 * Groups of users, as their identity provider names them in a claim. They are kept with the user, so
 * that tokens without the claim, such as API tokens, have them too.
 *
 * @module
 */
import { z } from "zod";
import type { Sql } from "../database/client.ts";
import type { TokenFacts } from "./claims.ts";

/** On this channel every node hears of users whose groups have changed, by their ids. */
export const GROUPS_CHANNEL = "berth_user_groups";

/** Groups of a user that count, and characters of a name: what is beyond is left out. */
const GROUPS_MAX = 500;
/** Tokens that are remembered: each is looked at once. */
const KEPT_TOKENS = 10_000;

const Groups = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);
const Name = z.string().min(1).max(200).regex(/^[^\p{Cc}\p{Cs}]+$/u);

/** The groups that `claims` name; null where the claim is not there. */
export function groupsIn(claims: Readonly<Record<string, unknown>>, claim: string) {
  if (!Object.hasOwn(claims, claim)) return null;
  const named = Groups.parse(claims[claim]).flatMap((one) => Name.safeParse(one).data ?? []);
  return [...new Set(named)].slice(0, GROUPS_MAX);
}

/**
 * Makes `groups` those of the user, unless a later token has said otherwise.
 *
 * @param at When the token was issued that names them.
 */
export async function storeGroups(
  sql: Sql,
  subject: string,
  groups: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    with before as (
      select groups from users
      where subject = ${subject} and (groups_at is null or groups_at <= ${at}) for update
    ), stored as (
      update users set groups = ${[...groups]}, groups_at = ${at} from before
      where subject = ${subject}
      returning before.groups is distinct from users.groups as changed
    )
    select pg_notify(${GROUPS_CHANNEL}, ${subject}) from stored where changed`;
}

/** Keeps the groups that tokens name. */
export interface KeptGroups {
  /** Keeps those of a token that is valid; null where it names none. */
  keep(token: TokenFacts & { digest: string }): Promise<readonly string[] | null>;
  /** A sign-in of which no token names any: the user has none. */
  clear(subject: string, at: Date): Promise<void>;
}

/** Keeps groups by the claim of this name. */
export function createKeptGroups(sql: Sql, claim: string): KeptGroups {
  const seen = new Set<string>();
  return {
    async keep({ digest, subject, issuedAt, claims }) {
      const groups = groupsIn(claims, claim);
      if (groups === null || seen.has(digest)) return groups;
      await storeGroups(sql, subject, groups, issuedAt);
      seen.add(digest);
      if (seen.size > KEPT_TOKENS) seen.delete(seen.keys().next().value!);
      return groups;
    },
    clear: (subject, at) => storeGroups(sql, subject, [], at),
  };
}
