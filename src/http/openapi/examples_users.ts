/**
 * Examples of the API documentation about users: profile, tokens, log, owners, payments.
 *
 * @module
 */
import type { ServerAccess } from "../../access/schema.ts";
import type { AuditEntry, ServerAuditEntry } from "../../audit/schema.ts";
import type { ApiToken } from "../../identity/api_tokens/schema.ts";
import type { Profile } from "../../identity/schema.ts";
import type { PaymentEvent, Purchase, Sale } from "../../payments/schema.ts";
import type { AuthorOwners, OwnAuthors } from "../../registry/ownership/owners_schema.ts";
import type { Transfer } from "../../registry/ownership/transfer_schema.ts";
import { REQUEST_ID } from "./example_facts.ts";

/** A profile. */
export const PROFILE_EXAMPLE: Profile = {
  user_id: "u-81f3",
  email: "jane.doe@example.com",
  email_verified: true,
  username: "jane-doe",
  sign_in_provider: "github.com",
  is_admin: false,
  auth_time: "2026-05-01T11:59:00.000Z",
  token_expires_at: "2026-05-01T12:59:00.000Z",
  servers: ["weather"],
};

/** Who may read a private server. */
export const ACCESS_EXAMPLE: ServerAccess = {
  visibility: "private",
  users: ["joan"],
  groups: ["weather-team"],
};

/** An API token. */
export const TOKEN_EXAMPLE: ApiToken = {
  id: "8c1f0d5e-6f0f-4a53-9b52-0a6c3f8c2f1d",
  name: "Build server",
  created_at: "2026-05-01T12:00:00.000Z",
  expires_at: "2026-05-01T13:00:00.000Z",
  last_used_at: null,
  revoked_at: null,
  current: false,
};

/** An entry of the audit log, as a server's owner sees it. */
export const SERVER_AUDIT_EXAMPLE: ServerAuditEntry = {
  id: "1042",
  at: "2026-05-01T12:00:07.000Z",
  by: "user",
  username: "jane-doe",
  action: "server.update",
  subject: "weather",
  details: { changed: ["description"] },
};

/** The same, as administrators see it. */
export const AUDIT_EXAMPLE: AuditEntry = {
  ...SERVER_AUDIT_EXAMPLE,
  actor: "u-81f3",
  request_id: REQUEST_ID,
};

/** An open offer. */
export const TRANSFER_EXAMPLE: Transfer = {
  server: "weather",
  from: "jane-doe",
  to: "joan",
  created_at: "2026-05-01T12:00:00.000Z",
  expires_at: "2026-05-15T12:00:00.000Z",
};

const INVITED = {
  invited_by: "jane-doe",
  created_at: "2026-05-01T12:00:00.000Z",
  expires_at: "2026-05-15T12:00:00.000Z",
};

/** An author name with its owners. */
export const OWNERS_EXAMPLE: AuthorOwners = {
  author: "Acme",
  personal: false,
  owners: [{ username: "jane-doe", since: "2026-04-01T12:00:00.000Z" }],
  invitations: [{ username: "joan", ...INVITED }],
};

/** The author names of a user. */
export const AUTHORS_EXAMPLE: OwnAuthors = {
  authors: [{ author: "joan", personal: true, owners: 1 }],
  invitations: [{ author: "Acme", ...INVITED }],
};

/** What a payment provider sends. */
export const EVENT_EXAMPLE: PaymentEvent = {
  type: "payment.confirmed",
  data: {
    user_id: "u-81f3",
    server: "weather",
    amount: "4.99",
    currency: "USD",
    reference: "pay_7f3a",
  },
};

const PAYMENT = {
  amount: "4.99",
  currency: "USD",
  state: "paid" as const,
  result: "granted" as const,
  gives_right: true,
  reference: "pay_7f3a",
  paid_at: "2026-05-01T12:05:00.000Z",
  refunded_at: null,
};

/** A payment as its buyer sees it. */
export const PURCHASE_EXAMPLE: Purchase = { server: "weather", ...PAYMENT };

/** A payment as the server's owner sees it. */
export const SALE_EXAMPLE: Sale = { buyer: "jane-doe", ...PAYMENT };
