/**
 * Every page of the registry listener.
 *
 * @module
 */
import type { Handler, MiddlewareHandler } from "hono";
import { RETURN_PATH } from "../connections/addresses.ts";
import type { HttpEnv } from "../http/environment.ts";
import { conditional } from "../http/preconditions.ts";
import { createFacetReader } from "../registry/servers/facets.ts";
import * as admin from "./admin/pages.tsx";
import { showAudit } from "./admin/audit.tsx";
import { answerCapabilities, showCapabilities } from "./admin/capabilities.tsx";
import { showConfiguration } from "./admin/configuration.tsx";
import { changeInvitations, showInvitations } from "./admin/invitations.tsx";
import { showOverview as showAdminOverview } from "./admin/overview.tsx";
import { endSession, showSessions } from "./admin/sessions.tsx";
import { feeds } from "./discovery/feeds.ts";
import { sitemapFile, sitemapIndex } from "./discovery/sitemap.ts";
import { createFrontReader } from "./find/front.tsx";
import { showFind } from "./find/page.tsx";
import { showGlossary } from "./guide/glossary.tsx";
import { robots, showStart } from "./guide/start.tsx";
import { type Page, type PageHandler, pagesOf } from "./layout/context.ts";
import { forAdministrators, signedIn, type UserRequest } from "./layout/signed_in.tsx";
import { changeUsername, showAccount, signOutEverywhere } from "./profile/account.tsx";
import { showActivity } from "./profile/activity.tsx";
import * as codeHosts from "./profile/code_hosts.tsx";
import { downloadAccount, leave, showDelete, showDeleted } from "./profile/leave.tsx";
import { answerOffer } from "./profile/offers.tsx";
import { makeToken, revokeToken, showTokens } from "./profile/tokens.tsx";
import { look, publish, showPublish } from "./publish/page.tsx";
import { showScan } from "./publish/scan_page.tsx";
import { type ReadDocument, showReference } from "./reference/page.tsx";
import { showTryApi } from "./reference/try_page.tsx";
import { showVersions } from "./server/history/versions.tsx";
import { showCard, showSiteCard } from "./server/card.ts";
import { showIcon, showMark } from "./server/icon.ts";
import { showInstall } from "./server/install/page.tsx";
import { showKeys as showUserKeys } from "./profile/keys.tsx";
import { connect, connected, showConnect } from "./server/keys/connect.tsx";
import { showKeys } from "./server/keys/keys.tsx";
import * as keys from "./server/keys/keys_actions.ts";
import { scannedFiles } from "./server/load.ts";
import { showManage } from "./server/manage/manage.tsx";
import * as manage from "./server/manage/manage_actions.ts";
import { showNext } from "./server/next/page.tsx";
import { showOverview } from "./server/overview/page.tsx";
import { showSecurity } from "./server/security/security.tsx";
import { downloads } from "./server/source/downloads.ts";
import { showSource } from "./server/source/source.tsx";
import { showTools } from "./server/tools/page.tsx";
import type { WebServices } from "./services.ts";
import { CALLBACK_PATH } from "./sign_in/begin.ts";
import type { FinishDeps } from "./sign_in/finish.ts";
import { callback, login, logout, showSignedOut } from "./sign_in/pages.tsx";
import * as tries from "./try/actions.ts";

/** A page: method, path, what answers. */
export type PageRoute = readonly [
  method: "get" | "post",
  path: string,
  handler: Handler<HttpEnv>,
  condition?: MiddlewareHandler<HttpEnv>,
];

const SERVER = "/servers/:name";

/** Signing in at another service for a variable of a server. */
function connectRoutes(page: Page): readonly PageRoute[] {
  const path = `${SERVER}/keys/:variable/connect`;
  return [
    ["get", path, page(signedIn((request) => showConnect(request)))],
    ["post", path, page(signedIn(connect))],
    ["get", `${RETURN_PATH}/:service`, page(connected)],
  ];
}

/** What search engines, readers of feeds and previews of links ask for. */
function discoveryRoutes(services: WebServices): readonly PageRoute[] {
  return [
    ["get", "/robots.txt", robots(services)],
    ["get", "/sitemap.xml", sitemapIndex(services), conditional()],
    ["get", "/sitemaps/:file", sitemapFile(services), conditional()],
    ...feeds(services).map(([path, answer]): PageRoute => ["get", path, answer, conditional()]),
    ["get", "/card.png", showSiteCard(services), conditional()],
  ];
}

type UserHandler = (request: UserRequest) => ReturnType<PageHandler>;

/** Pages for administrators only. */
function adminRoutes(page: Page): PageRoute[] {
  const only = (handler: UserHandler) => page(forAdministrators(handler));
  return [
    ["get", "/admin", only(showAdminOverview)],
    ["get", "/admin/users", only(admin.showUsers)],
    ["post", "/admin/users", only(admin.changeUser)],
    ["get", "/admin/invitations", only((request) => showInvitations(request))],
    ["post", "/admin/invitations", only(changeInvitations)],
    ["get", "/admin/servers", only(admin.showServers)],
    ["get", "/admin/capabilities", only((request) => showCapabilities(request))],
    ["post", "/admin/capabilities", only(answerCapabilities)],
    ["get", "/admin/scans", only(admin.showScans)],
    ["get", "/admin/sessions", only(showSessions)],
    ["post", "/admin/sessions/end", only(endSession)],
    ["get", "/admin/audit", only(showAudit)],
    ["get", "/admin/configuration", only(showConfiguration)],
  ];
}

/**
 * The pages over `services`.
 *
 * @param finish What sign-ins take; null where there are none.
 * @param readDocument Reads the API's OpenAPI document.
 */
export function pageRoutes(
  services: WebServices,
  finish: FinishDeps | null,
  readDocument: ReadDocument,
): readonly PageRoute[] {
  const page = pagesOf(services);
  const user = (handler: UserHandler) => page(signedIn(handler));
  const signIn = { services, finish };
  const files = scannedFiles(services);
  const readers = {
    facets: createFacetReader(services.sql),
    front: createFrontReader(services.sql),
  };
  return [
    ["get", "/", page((request) => showFind(request, readers))],
    ["get", "/icons/:digest", showIcon(services)],
    ...discoveryRoutes(services),
    ["get", "/login", page((request) => login(signIn, request))],
    ["get", CALLBACK_PATH, page((request) => callback(signIn, request))],
    ["post", "/logout", page((request) => logout(signIn, request))],
    ["get", "/logout", page((request) => showSignedOut(signIn, request))],
    ["get", SERVER, page((request) => showOverview(request, files))],
    ["get", `${SERVER}/card.png`, showCard(services), conditional()],
    ["get", `${SERVER}/mark.svg`, showMark, conditional()],
    ["get", `${SERVER}/tools`, page(showTools)],
    ["get", `${SERVER}/security`, page((request) => showSecurity(request, files))],
    ["get", `${SERVER}/versions`, page(showVersions)],
    ["get", `${SERVER}/keys`, page((request) => showKeys(request))],
    ["post", `${SERVER}/keys/set`, user(keys.keepKeys)],
    ["post", `${SERVER}/keys/remove`, user(keys.removeKey)],
    ["post", `${SERVER}/keys/agree`, user(keys.agree)],
    ...connectRoutes(page),
    ["get", `${SERVER}/install`, page(showInstall)],
    ["get", `${SERVER}/next`, user((request) => showNext(request))],
    ["get", `${SERVER}/source/*`, page((request) => showSource(request, files))],
    ...downloads(services).map((
      [path, answer],
    ): PageRoute => ["get", `${SERVER}${path}`, answer, conditional()]),
    ["get", `${SERVER}/manage`, user((request) => showManage(request))],
    ["post", `${SERVER}/manage/change`, user(manage.changeRecord)],
    ["post", `${SERVER}/manage/variables`, user(manage.changeVariables)],
    ["post", `${SERVER}/manage/access`, user(manage.changeReaders)],
    ["post", `${SERVER}/manage/client`, user(manage.changeClient)],
    ["post", `${SERVER}/manage/scan`, user(manage.scanAgain)],
    ["post", `${SERVER}/manage/transfer`, user(manage.offerTransfer)],
    ["post", `${SERVER}/manage/remove`, user(manage.removeRecord)],
    ["get", `${SERVER}/try`, page(tries.showTry)],
    ["post", `${SERVER}/try/start`, page(tries.startTry)],
    ["post", `${SERVER}/try/run`, page(tries.runTool)],
    ["post", `${SERVER}/try/read`, page(tries.askOther)],
    ["post", `${SERVER}/try/prompt`, page(tries.askOther)],
    ["post", `${SERVER}/try/cancel`, page(tries.cancelTry)],
    ["post", `${SERVER}/try/end`, page(tries.endTry)],
    ["get", "/publish", user((request) => showPublish(request))],
    ["post", "/publish/look", user(look)],
    ["post", "/publish", user(publish)],
    ["get", "/scans/:id", page(showScan)],
    ["get", "/profile", user((request) => showAccount(request))],
    ["post", "/profile/username", user(changeUsername)],
    ["post", "/profile/offers", user(answerOffer)],
    ["post", "/profile/sign-out-everywhere", user(signOutEverywhere)],
    ["get", "/profile/export", user(downloadAccount)],
    ["get", "/profile/delete", user((request) => showDelete(request))],
    ["post", "/profile/delete", user(leave)],
    ["get", "/deleted", page(showDeleted)],
    ["get", "/profile/keys", user(showUserKeys)],
    ["get", "/profile/code-hosts", user((request) => codeHosts.showCodeHosts(request))],
    ["post", "/profile/code-hosts", user(codeHosts.keepHostToken)],
    ["post", "/profile/code-hosts/remove", user(codeHosts.removeHostToken)],
    ["get", "/profile/tokens", user((request) => showTokens(request))],
    ["post", "/profile/tokens", user(makeToken)],
    ["post", "/profile/tokens/:id/revoke", user(revokeToken)],
    ["get", "/profile/activity", user(showActivity)],
    ...adminRoutes(page),
    ["get", "/start", page(showStart)],
    ["get", "/glossary", page(showGlossary)],
    ["get", "/docs/try", page(showTryApi)],
    ["get", "/docs", page((request) => showReference(request, readDocument))],
  ];
}
