/**
 * The routes that need a token, for the security cases.
 *
 * @module
 */
import { CREATE_EXAMPLE } from "../../src/http/openapi/examples.ts";
import { CALLERS, type ProtectedRoute } from "../helpers/auth_cases.ts";

const SERVER = "/api/v1/servers/weather";
const ME = "/api/v1/auth/me";
const TOKENS = "/api/v1/auth/tokens";
const TRANSFER = `${SERVER}/transfer`;
const OFFERED = [
  { as: "owner", method: "POST", path: TRANSFER, body: { to: "recipient" } },
] as const;
const KEYS = `${SERVER}/keys`;
/** Everybody keeps a value of their own. */
const KEPT = (Object.keys(CALLERS) as (keyof typeof CALLERS)[]).map((as) => ({
  as,
  method: "PUT",
  path: `${KEYS}/API_KEY`,
  body: { value: "s3cr3t-value" },
}));
const CODE_HOSTS = `${ME}/code-hosts`;
const HOST_TOKEN = { token: "glpat-s3cr3t" };
const KEPT_HOST_TOKEN = KEPT.map(({ as, method }) => ({
  as,
  method,
  path: `${CODE_HOSTS}/github.com`,
  body: HOST_TOKEN,
}));
const CLIENT = [
  {
    as: "owner",
    method: "PUT",
    path: `${KEYS}/NOTES_TOKEN/client`,
    body: { client_id: "berth-client" },
  },
] as const;
const AUTHOR = "/api/v1/authors/acme";
const INVITED = [
  { as: "owner", method: "PUT", path: `${AUTHOR}/owners/recipient` },
] as const;

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
    operation: "listPurchases",
    method: "GET",
    path: `${ME}/purchases`,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "listSales",
    method: "GET",
    path: `${SERVER}/sales`,
    allowed: "owner alone",
    status: 200,
  },
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
  {
    operation: "exportAccount",
    method: "GET",
    path: `${ME}/export`,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "deleteAccount",
    method: "DELETE",
    path: `${ME}?username={caller}`,
    allowed: "anyone",
    status: 200,
  },
  { operation: "listKeys", method: "GET", path: `${ME}/keys`, allowed: "anyone", status: 200 },
  { operation: "listServerKeys", method: "GET", path: KEYS, allowed: "anyone", status: 200 },
  {
    operation: "keepKey",
    method: "PUT",
    path: `${KEYS}/API_KEY`,
    body: { value: "s3cr3t-value" },
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "removeKey",
    method: "DELETE",
    path: `${KEYS}/API_KEY`,
    before: KEPT,
    allowed: "anyone",
    status: 200,
  },
  { operation: "removeKeys", method: "DELETE", path: KEYS, allowed: "anyone", status: 200 },
  { operation: "agreeKeys", method: "POST", path: `${KEYS}/agree`, allowed: "anyone", status: 200 },
  { operation: "listCodeHosts", method: "GET", path: CODE_HOSTS, allowed: "anyone", status: 200 },
  {
    operation: "keepHostToken",
    method: "PUT",
    path: `${CODE_HOSTS}/github.com`,
    body: HOST_TOKEN,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "removeHostToken",
    method: "DELETE",
    path: `${CODE_HOSTS}/github.com`,
    before: KEPT_HOST_TOKEN,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "getServiceClient",
    method: "GET",
    path: `${KEYS}/NOTES_TOKEN/client`,
    allowed: "owner alone",
    status: 200,
  },
  {
    operation: "storeServiceClient",
    method: "PUT",
    path: `${KEYS}/NOTES_TOKEN/client`,
    body: { client_id: "berth-client" },
    allowed: "owner alone",
    status: 200,
  },
  {
    operation: "removeServiceClient",
    method: "DELETE",
    path: `${KEYS}/NOTES_TOKEN/client`,
    before: [...CLIENT],
    allowed: "owner alone",
    status: 200,
  },
  { operation: "listTokens", method: "GET", path: TOKENS, allowed: "anyone", status: 200 },
  {
    operation: "revokeToken",
    method: "DELETE",
    path: `${TOKENS}/current`,
    allowed: "anyone",
    status: 200,
  },
  { operation: "revokeAllTokens", method: "DELETE", path: TOKENS, allowed: "anyone", status: 200 },
  {
    operation: "inviteUser",
    method: "POST",
    path: "/api/v1/invitations",
    body: { email: "grace@example.com" },
    allowed: "administrator",
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
    operation: "getStatus",
    method: "GET",
    path: "/api/v1/admin/status",
    allowed: "administrator",
    status: 200,
  },
  {
    operation: "exportCalls",
    method: "GET",
    path: "/api/v1/admin/calls",
    allowed: "administrator",
    status: 200,
  },
  {
    operation: "listCapabilities",
    method: "GET",
    path: "/api/v1/capabilities",
    allowed: "administrator",
    status: 200,
  },
  {
    operation: "answerCapabilities",
    method: "PUT",
    path: `${SERVER}/capabilities`,
    body: { answer: "allow", capabilities: ["sql"], reason: "Public figures only" },
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
  {
    operation: "getServerAccess",
    method: "GET",
    path: `${SERVER}/access`,
    allowed: "owner",
    status: 200,
  },
  {
    operation: "addServerUser",
    method: "PUT",
    path: `${SERVER}/access/users/recipient`,
    allowed: "owner",
    status: 200,
  },
  {
    operation: "removeServerUser",
    method: "DELETE",
    path: `${SERVER}/access/users/recipient`,
    before: [{ as: "owner", method: "PUT", path: `${SERVER}/access/users/recipient` }],
    allowed: "owner",
    status: 200,
  },
  {
    operation: "addServerGroup",
    method: "PUT",
    path: `${SERVER}/access/groups/ops`,
    allowed: "owner",
    status: 200,
  },
  {
    operation: "removeServerGroup",
    method: "DELETE",
    path: `${SERVER}/access/groups/ops`,
    before: [{ as: "owner", method: "PUT", path: `${SERVER}/access/groups/ops` }],
    allowed: "owner",
    status: 200,
  },
  {
    operation: "offerServer",
    method: "POST",
    path: TRANSFER,
    body: { to: "recipient" },
    allowed: "owner alone",
    status: 200,
  },
  {
    operation: "cancelTransfer",
    method: "DELETE",
    path: TRANSFER,
    allowed: "owner alone",
    status: 200,
    before: [...OFFERED],
  },
  {
    operation: "acceptTransfer",
    method: "POST",
    path: `${TRANSFER}/accept`,
    allowed: "recipient",
    status: 200,
    before: [...OFFERED],
  },
  {
    operation: "declineTransfer",
    method: "POST",
    path: `${TRANSFER}/decline`,
    allowed: "recipient",
    status: 200,
    before: [...OFFERED],
  },
  {
    operation: "listTransfers",
    method: "GET",
    path: `${ME}/transfers`,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "listAuthors",
    method: "GET",
    path: `${ME}/authors`,
    allowed: "anyone",
    status: 200,
  },
  {
    operation: "listOwners",
    method: "GET",
    path: `${AUTHOR}/owners`,
    allowed: "namespace owner",
    status: 200,
  },
  {
    operation: "inviteOwner",
    method: "PUT",
    path: `${AUTHOR}/owners/recipient`,
    allowed: "namespace owner",
    status: 200,
  },
  {
    operation: "removeOwner",
    method: "DELETE",
    path: `${AUTHOR}/owners/colleague`,
    allowed: "namespace owner",
    status: 200,
  },
  {
    operation: "acceptInvitation",
    method: "POST",
    path: `${AUTHOR}/invitation/accept`,
    allowed: "invitee",
    status: 200,
    before: [...INVITED],
  },
  {
    operation: "declineInvitation",
    method: "POST",
    path: `${AUTHOR}/invitation/decline`,
    allowed: "invitee",
    status: 200,
    before: [...INVITED],
  },
];
