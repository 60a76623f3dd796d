/**
 * Reading the audit log.
 *
 * @module
 */
import { z } from "zod";
import { decodeCursor, encodeCursor, filterDigest } from "../cursor.ts";
import type { Queryable } from "../database/client.ts";
import { usernamesOf } from "../names/users.ts";
import { SYSTEM_ACTOR } from "./audit.ts";
import { ANONYMOUS_ACTOR } from "./refusals.ts";
import type {
  AuditEntry,
  AuditPage,
  AuditQuery,
  ServerAuditEntry,
  ServerAuditQuery,
} from "./schema.ts";

export interface AuditDeps {
  sql: Queryable;
}

interface Row {
  id: string;
  at: Date;
  actor: string;
  username: string | null;
  action: string;
  subject: string;
  request_id: string;
  details: AuditEntry["details"];
}

/** Which entries are read. */
interface Filters {
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** Only actions that begin with one of these words. */
  families?: string[];
  /** Leaves out what only tells refusals of one kind apart. */
  withoutFurther?: boolean;
}

/** Details that owners see. Others may hold what is not for them. */
const SHOWN_TO_OWNERS = new Set([
  "capabilities",
  ...["visibility", "group"],
  ...["version", "scan", "archive", "changed", "author", "author_before", "reason"],
  ...["required", "current", "method", "repeated"],
  ...["variable", "for", "way"],
  ...["buyer", "amount", "currency", "reference", "outcome"],
]);
/** Details that are user ids: owners see usernames. */
const USERS = ["from", "to", "owner", "reader"];

/**
 * Actions that a server's own code causes, and the details of them that owners see: how often
 * something happened is what that code could tell its owner its users' secrets with.
 */
const CAUSED_BY_CODE: Record<string, string[]> = {
  "egress.refuse": [],
  // An owner has to tell a fault of the code from an attack.
  "keys.refuse": ["variable", "way"],
  "execution.kill": ["reason"],
  "execution.tool_refused": [],
};

/** Actions whose subject is a server, by their first word; other subjects may have the same text. */
const ON_SERVERS = ["server", "capability", "execution", "egress", "payment", "keys"];

function conditions(sql: Queryable, filters: Filters, before: number | null) {
  const { actor, action, subject, since, until, families } = filters;
  const none = sql``;
  return sql`
    ${before === null ? none : sql`and audit_log.id < ${before}`}
    ${
    actor === undefined
      ? none
      : sql`and actor in (${actor}, (select subject from users where username = ${actor}))`
  }
    ${
    action === undefined
      ? none
      : sql`and (action = ${action} or starts_with(action, ${`${action}.`}))`
  }
    ${subject === undefined ? none : sql`and audit_log.subject = ${subject}`}
    ${families === undefined ? none : sql`and split_part(action, '.', 1) in ${sql(families)}`}
    ${filters.withoutFurther ? sql`and not details ? 'further'` : none}
    ${since === undefined ? none : sql`and at >= ${since}`}
    ${until === undefined ? none : sql`and at < ${until}`}`;
}

async function readRows(
  sql: Queryable,
  filters: Filters,
  options: { before: number | null; limit: number },
): Promise<Row[]> {
  return await sql<Row[]>`
    select audit_log.id, at, actor, username, action, audit_log.subject, request_id, details
    from audit_log left join users on users.subject = audit_log.actor
    where true ${conditions(sql, filters, options.before)}
    order by audit_log.id desc limit ${options.limit}`;
}

/** Entries are never inserted before others, so a page is the same whenever it is asked for. */
const Place = z.strictObject({
  filter: z.string(),
  // Beyond what JavaScript numbers hold exactly there are no ids for a long time.
  id: z.int().positive(),
});

async function readPage(
  { sql }: AuditDeps,
  query: Filters & { cursor?: string | undefined; limit: number },
  hidden: Filters = {},
): Promise<{ rows: Row[]; nextCursor: string | null }> {
  const { cursor, limit, ...filters } = query;
  const filter = await filterDigest(filters);
  const place = decodeCursor(Place, cursor, { isOfList: (place) => place.filter === filter });
  const before = place?.id ?? null;
  const rows = await readRows(sql, { ...filters, ...hidden }, { before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    rows: shown,
    nextCursor: more ? encodeCursor({ filter, id: Number(last.id) }) : null,
  };
}

function byOf(actor: string): ServerAuditEntry["by"] {
  return actor === SYSTEM_ACTOR || actor === ANONYMOUS_ACTOR ? actor : "user";
}

function entryOf(row: Row): AuditEntry {
  const { id, at, actor, username, action, subject, request_id, details } = row;
  return {
    id,
    at: at.toISOString(),
    by: byOf(actor),
    username,
    action,
    subject,
    details,
    actor,
    request_id,
  };
}

/** Usernames of the users that the details of `rows` name, by their ids. */
async function usernamesIn(
  sql: Queryable,
  rows: Row[],
): Promise<ReadonlyMap<string, string>> {
  const values = rows.flatMap(({ details }) => USERS.map((key) => details[key]));
  return await usernamesOf(sql, values.filter((value) => typeof value === "string"));
}

function ownersEntryOf(row: Row, usernames: ReadonlyMap<string, string>): ServerAuditEntry {
  const { actor: _actor, request_id: _requestId, details, ...entry } = entryOf(row);
  const shown = Object.entries(details).flatMap(([key, value]) => {
    if (CAUSED_BY_CODE[entry.action]?.includes(key) === false) return [];
    if (USERS.includes(key)) return [[key, usernames.get(String(value)) ?? null]];
    return SHOWN_TO_OWNERS.has(key) ? [[key, value]] : [];
  });
  return { ...entry, details: Object.fromEntries(shown) };
}

/**
 * A page of all entries, newest first.
 *
 * @throws {AppError} `invalid_request` for a cursor that is not of this list.
 */
export async function listAudit(
  deps: AuditDeps,
  query: AuditQuery,
): Promise<AuditPage<AuditEntry>> {
  const { rows, nextCursor } = await readPage(deps, query);
  return { entries: rows.map(entryOf), nextCursor };
}

/**
 * A page of what concerns the server `name`, newest first, as its owner sees it.
 *
 * @param createdAt When the record was made: what was done under its name before is not its owner's
 * business.
 * @throws {AppError} As {@link listAudit}.
 */
export async function listServerAudit(
  deps: AuditDeps,
  { name, createdAt }: { name: string; createdAt: Date },
  query: ServerAuditQuery,
): Promise<AuditPage<ServerAuditEntry>> {
  const since = query.since === undefined || query.since < createdAt ? createdAt : query.since;
  const { rows, nextCursor } = await readPage(deps, query, {
    subject: name,
    since,
    families: ON_SERVERS,
    // Their number is something that a server's code could tell its owner with.
    withoutFurther: true,
  });
  const usernames = await usernamesIn(deps.sql, rows);
  return { entries: rows.map((row) => ownersEntryOf(row, usernames)), nextCursor };
}
