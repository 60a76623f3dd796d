/**
 * The audit log as the API filters and shows it.
 *
 * @module
 */
import { z } from "zod";
import { pageLimit } from "../numbers.ts";

/** Most entries of a page. */
export const PAGE_MAX = 200;

const text = (length: number) =>
  z.string().min(1).max(length).refine(
    (value) => !value.includes("\0"),
    "must not contain NUL characters",
  );
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const Paging = {
  since: time.optional().meta({
    description: "Entries at or after this time (ISO 8601)",
    example: "2026-05-01T00:00:00Z",
  }),
  until: time.optional().meta({ description: "Entries before this time (ISO 8601)" }),
  action: z.string().max(100).regex(
    /^[a-z_]+(\.[a-z_]+)*$/,
    "must be an action such as server.create, or a group of actions such as server",
  ).optional().meta({ example: "server.create" }),
  limit: pageLimit({ max: PAGE_MAX, standard: 50 }),
  cursor: z.string().max(512).optional().meta({ description: "next_cursor of the previous page" }),
};

/** Query of an owner's list. */
export const ServerAuditQuery = z.strictObject(Paging);
export type ServerAuditQuery = z.infer<typeof ServerAuditQuery>;

/** Query of an administrator's list. */
export const AuditQuery = z.strictObject({
  actor: text(255).optional().meta({ description: "User id or username", example: "jane-doe" }),
  subject: text(255).optional().meta({ description: "Exact", example: "weather" }),
  ...Paging,
});
export type AuditQuery = z.infer<typeof AuditQuery>;

const Details = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);

/** An entry as the server's owner sees it: without user ids. */
export const ServerAuditEntry = z.object({
  id: z.string().meta({ description: "Increases with time", example: "1042" }),
  at: z.iso.datetime(),
  by: z.enum(["user", "system", "anonymous"]).meta({
    description: "`system` is Berth itself; `anonymous` is a caller without a token",
  }),
  username: z.string().nullable().meta({
    description: "Current username; null if there is none",
    example: "jane-doe",
  }),
  action: z.string().meta({ example: "server.update" }),
  subject: z.string().meta({ description: "What the action was applied to", example: "weather" }),
  details: Details,
}).meta({ id: "ServerAuditEntry" });
export type ServerAuditEntry = z.infer<typeof ServerAuditEntry>;

/** An entry as administrators see it. */
export const AuditEntry = ServerAuditEntry.extend({
  actor: z.string().meta({ description: "User id, `system` or `anonymous`", example: "u-81f3" }),
  request_id: z.string(),
}).meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

/** A page of entries, newest first. */
export interface AuditPage<T> {
  entries: T[];
  /** Null on the last page. */
  nextCursor: string | null;
}
