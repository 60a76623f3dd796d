/**
 * Who makes a request.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { TokenFacts } from "./claims.ts";
import { invalidToken } from "./failures.ts";
import type { KeptGroups } from "./groups.ts";
import { checkToken, type TokenDeps } from "./tokens.ts";
import { type FindUser, userOf } from "../names/users.ts";

/** The user behind a valid token. */
export interface Caller {
  /** The token's subject: owner of records, never shown to others. */
  userId: string;
  /** Unique name at this registry. */
  username: string;
  email: string | null;
  emailVerified: boolean | null;
  /** As the identity provider names it, such as `github.com`. */
  signInProvider: string | null;
  /** May change what others own. */
  isAdmin: boolean;
  authTime: Date | null;
  /** When the token stops being accepted. */
  expiresAt: Date;
  /** What the token is known by, see `tokenDigest`. */
  tokenDigest: string;
  /** When the token was issued. */
  issuedAt: Date;
  /** The client that the token was given to, where it says so (RFC 9068, `client_id`). */
  clientId?: string;
  /** Their groups, where the token names any (`SIGN_IN_GROUPS_CLAIM`). */
  groups?: readonly string[];
}

export interface AdminRules {
  /** Subjects. */
  subjects: readonly string[];
  /** Name of a claim whose `true` makes one. */
  claim: string | null;
}

export interface TokenIdentity {
  /** See `tokenDigest`. */
  digest: string;
  subject: string;
  issuedAt: Date;
}

/** What is known of single tokens. */
export interface IssuedTokens {
  /** Whether it was revoked. Asked for at every request: answers from memory. */
  isRevoked(token: TokenIdentity): boolean;
  /** Takes note that the token of this digest was used just now. */
  noteUse(digest: string): void;
}

export interface IdentityDeps extends TokenDeps {
  sql: Sql;
  admins: AdminRules;
  issued: IssuedTokens;
  /** Keeps the groups that tokens name; absent where no claim is configured. */
  groups?: KeptGroups;
}

function isAdmin(rules: AdminRules, { subject, claims }: TokenFacts): boolean {
  if (rules.subjects.includes(subject)) return true;
  return rules.claim !== null && Object.hasOwn(claims, rules.claim) && claims[rules.claim] === true;
}

function clientIn({ claims }: TokenFacts): Pick<Caller, "clientId"> {
  const id = Object.hasOwn(claims, "client_id") ? claims["client_id"] : undefined;
  return typeof id === "string" ? { clientId: id } : {};
}

/**
 * The caller that an `Authorization` header names. At a subject's first call its username is
 * fixed.
 *
 * @param find As in {@link userOf}; called once, when the token is known to be valid.
 * @throws {AppError} `missing_token`, `invalid_token` or `expired_token`; `unavailable` when the
 * issuer's keys are unavailable.
 */
export async function authenticate(
  deps: IdentityDeps,
  authorizationHeader: string | null | undefined,
  find?: FindUser,
): Promise<Caller> {
  const facts = await checkToken(deps, authorizationHeader);
  if (deps.issued.isRevoked(facts)) throw invalidToken("revoked");
  const user = await userOf(deps, facts.subject, facts.email, find);
  deps.issued.noteUse(facts.digest);
  const groups = await deps.groups?.keep(facts) ?? null;
  return {
    userId: facts.subject,
    username: user.username,
    email: facts.email,
    emailVerified: facts.emailVerified,
    signInProvider: facts.signInProvider,
    isAdmin: user.isAdmin || isAdmin(deps.admins, facts),
    authTime: facts.authTime,
    expiresAt: facts.expiresAt,
    tokenDigest: facts.digest,
    issuedAt: facts.issuedAt,
    ...clientIn(facts),
    ...(groups === null ? {} : { groups }),
  };
}
