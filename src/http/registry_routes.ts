/**
 * Every route of the registry listener, but for its pages (`src/web/page_routes.ts`).
 *
 * @module
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { DOCUMENT_PATH } from "../connections/addresses.ts";
import type { HttpEnv } from "./environment.ts";
import { createShelf } from "./kept/shelf.ts";
import { API, type Links, WEBHOOK_PATH } from "./links.ts";
import type { Route } from "./operation.ts";
import * as access from "./routes/access.ts";
import { listAudit, listServerAudit } from "./routes/audit.ts";
import { changeUsername, getProfile } from "./routes/auth.ts";
import * as account from "./routes/account/account.ts";
import * as authors from "./routes/authors.ts";
import { answerCapabilities, listCapabilities } from "./routes/capabilities.ts";
import * as codeHosts from "./routes/account/code_hosts.ts";
import * as connections from "./routes/connections.ts";
import { alive, ready } from "./routes/health.ts";
import { ISSUER_PATH, issuerMetadata, issuerPages } from "./routes/issuer.ts";
import { inviteUser } from "./routes/invitations.ts";
import * as keys from "./routes/keys.ts";
import { exportCalls, getStatus } from "./routes/operations.ts";
import { getOpenApi, OPENAPI_PATH } from "./routes/openapi.ts";
import { listPurchases, listSales, receivePayment } from "./routes/payments.ts";
import { getScanReport, listServerScans } from "./routes/scan_history.ts";
import { getScan } from "./routes/scans.ts";
import { getServer, getServerArchive, listServers } from "./routes/servers_read.ts";
import { createServer, deleteServer, rescanServer, updateServer } from "./routes/servers_write.ts";
import { getServerUsage } from "./routes/servers_usage.ts";
import { describeService } from "./routes/service.ts";
import { createToken, listTokens, revokeAllTokens, revokeToken } from "./routes/account/tokens.ts";
import * as transfers from "./routes/transfers.ts";
import type { RegistryAppServices } from "./services.ts";

const SERVERS = `${API}/servers`;
const SERVER = `${SERVERS}/{name}`;
const ME = `${API}/auth/me`;
const CODE_HOSTS = `${ME}/code-hosts`;
const TOKENS = `${API}/auth/tokens`;
const AUTHOR = `${API}/authors/{author}`;

/** Responses that are the same for everybody, in memory. */
const KEPT_BYTES = 32 * 2 ** 20;

/** The routes, in the order of the OpenAPI document. */
export function registryRoutes(
  app: OpenAPIHono<HttpEnv>,
  services: RegistryAppServices,
  links: Links,
): readonly Route[] {
  const { issuer, registry } = services;
  const shelf = createShelf({ changedSince: registry.changedSince, maxBytes: KEPT_BYTES });
  return [
    ["get", SERVERS, listServers(services, links, shelf)],
    ["get", SERVER, getServer(services, shelf)],
    ["get", `${SERVER}/archive`, getServerArchive(services)],
    ["get", `${SERVER}/usage`, getServerUsage(services)],
    ["post", SERVERS, createServer(services, links)],
    ["put", SERVER, updateServer(services, links)],
    ["delete", SERVER, deleteServer(services)],
    ["post", `${SERVER}/rescan`, rescanServer(services, links)],
    ["get", `${API}/scans/{id}`, getScan(services)],
    ["get", `${SERVER}/scans`, listServerScans(services, links)],
    ["get", `${API}/scans/{id}/report`, getScanReport(services, shelf)],
    ["get", ME, getProfile(services)],
    ["put", ME, changeUsername(services)],
    ["delete", ME, account.deleteAccount(services)],
    ["get", `${ME}/export`, account.exportAccount(services)],
    ["post", TOKENS, createToken(services, links)],
    ["get", TOKENS, listTokens(services)],
    ["delete", `${TOKENS}/{id}`, revokeToken(services)],
    ["delete", TOKENS, revokeAllTokens(services)],
    ["post", `${API}/invitations`, inviteUser(services)],
    ["get", `${API}/audit`, listAudit(services, links)],
    ["get", `${SERVER}/audit`, listServerAudit(services, links)],
    ["get", `${API}/admin/status`, getStatus(services)],
    ["get", `${API}/admin/calls`, exportCalls(services)],
    ["get", `${API}/capabilities`, listCapabilities(services)],
    ["put", `${SERVER}/capabilities`, answerCapabilities(services)],
    ...issuer === null ? [] : [
      ["all", `${ISSUER_PATH}/*`, issuerPages(issuer)],
      // The issuer has a path, so clients put the well-known part before it (RFC 8414, section 3.1).
      ["get", `/.well-known/oauth-authorization-server${ISSUER_PATH}`, issuerMetadata(issuer)],
      ["get", `/.well-known/openid-configuration${ISSUER_PATH}`, issuerMetadata(issuer)],
    ] satisfies Route[],
    ["get", `${SERVER}/access`, access.getAccess(services)],
    ["put", `${SERVER}/access/users/{username}`, access.addUser(services)],
    ["delete", `${SERVER}/access/users/{username}`, access.removeUser(services)],
    ["put", `${SERVER}/access/groups/{group}`, access.addGroup(services)],
    ["delete", `${SERVER}/access/groups/{group}`, access.removeGroup(services)],
    ["post", `${SERVER}/transfer`, transfers.offerServer(services)],
    ["delete", `${SERVER}/transfer`, transfers.cancelTransfer(services)],
    ["post", `${SERVER}/transfer/accept`, transfers.acceptTransfer(services)],
    ["post", `${SERVER}/transfer/decline`, transfers.declineTransfer(services)],
    ["get", `${ME}/transfers`, transfers.listTransfers(services)],
    ["get", `${ME}/authors`, authors.listAuthors(services)],
    ["get", `${AUTHOR}/owners`, authors.listOwners(services)],
    ["put", `${AUTHOR}/owners/{username}`, authors.inviteOwner(services)],
    ["delete", `${AUTHOR}/owners/{username}`, authors.removeOwner(services)],
    ["post", `${AUTHOR}/invitation/accept`, authors.acceptInvitation(services)],
    ["post", `${AUTHOR}/invitation/decline`, authors.declineInvitation(services)],
    ["post", WEBHOOK_PATH, receivePayment(services)],
    ["get", `${ME}/purchases`, listPurchases(services, links)],
    ["get", `${SERVER}/sales`, listSales(services, links)],
    ["get", `${ME}/keys`, keys.listKeys(services)],
    ["get", `${SERVER}/keys`, keys.listServerKeys(services)],
    ["put", `${SERVER}/keys/{variable}`, keys.keepKey(services)],
    ["delete", `${SERVER}/keys/{variable}`, keys.removeKey(services)],
    ["delete", `${SERVER}/keys`, keys.removeKeys(services)],
    ["post", `${SERVER}/keys/agree`, keys.agreeKeys(services)],
    ["get", `${SERVER}/keys/{variable}/client`, connections.getClient(services)],
    ["put", `${SERVER}/keys/{variable}/client`, connections.storeClient(services)],
    ["delete", `${SERVER}/keys/{variable}/client`, connections.removeClient(services)],
    ["get", CODE_HOSTS, codeHosts.listCodeHosts(services)],
    ["put", `${CODE_HOSTS}/{host}`, codeHosts.keepHostToken(services)],
    ["delete", `${CODE_HOSTS}/{host}`, codeHosts.removeHostToken(services)],
    ["get", `${DOCUMENT_PATH}/{name}/{variable}`, connections.clientDocument(services)],
    ["get", "/.well-known/berth", describeService(services.description)],
    ["get", "/healthz", alive()],
    ["get", "/readyz", ready(services.checks)],
    ["get", OPENAPI_PATH, getOpenApi(app, links)],
  ];
}
