/**
 * Accounts as they are taken along, and what becomes of them when they are deleted.
 *
 * @module
 */
import { z } from "zod";
import { Visibility } from "../access/schema.ts";
import { KeptKey } from "../keys/schema.ts";
import { HostToken } from "../repository/tokens/schema.ts";
import { Purchase } from "../payments/schema.ts";

const at = z.iso.datetime();

/** What was removed with an account, and what others go on with. */
export const DeletedAccount = z.object({
  removed: z.array(z.string()).meta({
    description: "Servers that are gone. Their names stay reserved for 30 days",
    example: ["weather"],
  }),
  passed_on: z.array(z.string()).meta({
    description: "Servers under author names with other owners, who have them now",
  }),
}).meta({ id: "DeletedAccount" });
export type DeletedAccount = z.infer<typeof DeletedAccount>;

/** Everything that Berth keeps of a user, but for values of keys and texts that let one in. */
export const AccountExport = z.object({
  exported_at: at,
  user: z.object({
    user_id: z.string(),
    username: z.string(),
    username_changed_at: at.nullable(),
    created_at: at,
    is_admin: z.boolean(),
    groups: z.array(z.string()).meta({ description: "As your identity provider last named them" }),
  }),
  sign_in: z.object({
    email: z.string().nullable(),
    email_verified: z.boolean(),
    has_password: z.boolean(),
    created_at: at,
    providers: z.array(z.object({ provider: z.string(), subject: z.string(), created_at: at })),
  }).nullable().meta({ description: "null where another identity provider has the account" }),
  browsers: z.array(z.object({ created_at: at, last_used_at: at, expires_at: at })),
  api_tokens: z.array(z.object({
    id: z.string(),
    name: z.string(),
    created_at: at,
    expires_at: at,
    last_used_at: at.nullable(),
    revoked_at: at.nullable(),
  })),
  servers: z.array(z.object({
    name: z.string(),
    author: z.string(),
    version: z.string(),
    description: z.string(),
    repository: z.string(),
    visibility: Visibility,
    created_at: at,
    updated_at: at,
  })),
  readable_servers: z.array(z.string()).meta({
    description: "Private servers whose owners named you as a reader",
  }),
  authors: z.array(z.object({ author: z.string(), since: at })),
  invitations: z.array(z.object({ author: z.string(), created_at: at, expires_at: at })),
  transfers: z.array(z.object({ server: z.string(), state: z.string(), created_at: at })).meta({
    description: "Servers that were offered to you",
  }),
  keys: z.array(KeptKey).meta({ description: "Without the values" }),
  code_host_tokens: z.array(HostToken).meta({ description: "Without what they are" }),
  purchases: z.array(Purchase),
  scans: z.array(z.object({
    id: z.string(),
    server: z.string(),
    action: z.string(),
    state: z.string(),
    started_at: at,
  })),
  sessions: z.array(z.object({ server: z.string(), started_at: at, ended_at: at.nullable() })).meta(
    {
      description: "Sessions of servers within the last day",
    },
  ),
  activity: z.array(z.object({ at, action: z.string(), subject: z.string() })).meta({
    description: "What you did, of the audit log: the latest 10,000 entries",
  }),
}).meta({ id: "AccountExport" });
export type AccountExport = z.infer<typeof AccountExport>;
