/**
 * Examples about accounts.
 *
 * @module
 */
import type { AccountExport } from "../../account/schema.ts";
import { HOST_TOKEN_EXAMPLE, KEY_EXAMPLE } from "./examples_keys.ts";

const AT = "2026-05-01T12:00:00.000Z";

/** What a user takes along. */
export const EXPORT_EXAMPLE: AccountExport = {
  exported_at: AT,
  user: {
    user_id: "u-81f3",
    username: "jane-doe",
    username_changed_at: null,
    created_at: AT,
    is_admin: false,
    groups: [],
  },
  sign_in: {
    email: "jane.doe@example.com",
    email_verified: true,
    has_password: true,
    created_at: AT,
    providers: [],
  },
  browsers: [],
  api_tokens: [],
  servers: [{
    name: "weather",
    author: "jane-doe",
    version: "1.0.0",
    description: "Forecasts for any city",
    repository: "https://github.com/jane/weather",
    visibility: "public",
    created_at: AT,
    updated_at: AT,
  }],
  readable_servers: [],
  authors: [{ author: "jane-doe", since: AT }],
  invitations: [],
  transfers: [],
  keys: [KEY_EXAMPLE],
  code_host_tokens: [HOST_TOKEN_EXAMPLE],
  purchases: [],
  scans: [],
  sessions: [],
  activity: [{ at: AT, action: "server.create", subject: "weather" }],
};
