/**
 * The routes that need a token, for the security cases.
 *
 * @module
 */
import { CREATE_EXAMPLE } from "../../src/http/openapi/examples.ts";
import type { ProtectedRoute } from "../helpers/auth_cases.ts";

const SERVER = "/api/v1/servers/weather";
const ME = "/api/v1/auth/me";
const TOKENS = "/api/v1/auth/tokens";

/** All of them; a test holds the list against the API description. */
export const PROTECTED_ROUTES: ProtectedRoute[] = [
  {
    operation: "createServer",
    method: "POST",
    path: "/api/v1/servers",
    body: { ...CREATE_EXAMPLE, name: "new", author: undefined },
    allowed: "anyone",
    status: 201,
  },
  {
    operation: "updateServer",
    method: "PUT",
    path: SERVER,
    body: { description: "Changed" },
    allowed: "owner",
    status: 200,
  },
  { operation: "deleteServer", method: "DELETE", path: SERVER, allowed: "owner", status: 200 },
  {
    operation: "rescanServer",
    method: "POST",
    path: `${SERVER}/rescan`,
    allowed: "owner",
    status: 202,
  },
  { operation: "getProfile", method: "GET", path: ME, allowed: "anyone", status: 200 },
  {
    operation: "changeUsername",
    method: "PUT",
    path: ME,
    body: { username: "new-name" },
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "createToken",
    method: "POST",
    path: TOKENS,
    body: { name: "Build server" },
    allowed: "anyone",
    status: 201,
  },
  { operation: "listTokens", method: "GET", path: TOKENS, allowed: "anyone", status: 200 },
  {
    operation: "revokeToken",
    method: "DELETE",
    path: `${TOKENS}/current`,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "listAudit",
    method: "GET",
    path: "/api/v1/audit",
    allowed: "administrator",
    status: 200,
  },
  {
    operation: "listServerAudit",
    method: "GET",
    path: `${SERVER}/audit`,
    allowed: "owner",
    status: 200,
  },
];
