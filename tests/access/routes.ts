/**
 * Every route of the registry listener, and what it says of servers. A route that is not here fails the
 * test of the table.
 *
 * @module
 */

/** Who gets an answer that says something, of those who may read the server. */
export type For =
  /** Everybody who may read it. */
  | "readers"
  /** Those of them who are signed in. */
  | "users"
  /** Its owner and administrators. */
  | "owners"
  /** Administrators; others are told so whatever they name. */
  | "administrators"
  /** Nobody in this test: it takes something that nobody has here. */
  | "nobody";

/** What a route says. */
export type Place =
  /** It is of one server, named in its address, or of a scan of it. Reading answers `status`. */
  | { kind: "server"; for: For; status?: number; body?: unknown; in?: Record<string, string> }
  /** It names each server to those, and only those, who may read it. */
  | { kind: "list"; path?: string; isForAll?: true }
  /** It says nothing of a server that the caller may not read; `why` where that needs saying. */
  | { kind: "nothing"; path?: string; why?: string }
  /** It says the same of every name, also of such that nobody has. */
  | { kind: "same"; why: string };

const reader = (status = 200): Place => ({ kind: "server", for: "readers", status });
const form = (who: For): Place => ({ kind: "server", for: who });
const change = (who: For, body?: unknown): Place => ({ kind: "server", for: who, body });
const nothing: Place = { kind: "nothing" };

const API: Record<string, Place> = {
  "GET /api/v1/servers": { kind: "list" },
  "GET /api/v1/servers/:name": reader(),
  "GET /api/v1/servers/:name/archive": reader(),
  "GET /api/v1/servers/:name/usage": reader(),
  "GET /api/v1/servers/:name/scans": reader(),
  "GET /api/v1/scans/:id": reader(),
  "GET /api/v1/scans/:id/report": reader(),
  "POST /api/v1/servers": {
    kind: "nothing",
    why: "that a name is taken is told: names are unique",
  },
  "PUT /api/v1/servers/:name": change("owners", { description: "Another" }),
  "DELETE /api/v1/servers/:name": change("owners"),
  "POST /api/v1/servers/:name/rescan": change("owners"),
  "GET /api/v1/servers/:name/audit": { kind: "server", for: "owners", status: 200 },
  "GET /api/v1/servers/:name/sales": { kind: "server", for: "owners", status: 200 },
  "GET /api/v1/servers/:name/access": { kind: "server", for: "owners", status: 200 },
  "PUT /api/v1/servers/:name/access/users/:username": change("owners"),
  "DELETE /api/v1/servers/:name/access/users/:username": change("owners"),
  "PUT /api/v1/servers/:name/access/groups/:group": change("owners"),
  "DELETE /api/v1/servers/:name/access/groups/:group": change("owners"),
  "POST /api/v1/servers/:name/transfer": change("owners", { to: "stranger" }),
  "DELETE /api/v1/servers/:name/transfer": change("owners"),
  "POST /api/v1/servers/:name/transfer/accept": change("nobody"),
  "POST /api/v1/servers/:name/transfer/decline": change("nobody"),
  "GET /api/v1/servers/:name/keys": { kind: "server", for: "users", status: 200 },
  "PUT /api/v1/servers/:name/keys/:variable": change("users", { value: "a-value-of-mine" }),
  "DELETE /api/v1/servers/:name/keys/:variable": change("users"),
  "DELETE /api/v1/servers/:name/keys": change("users"),
  "POST /api/v1/servers/:name/keys/agree": change("users"),
  "GET /api/v1/servers/:name/keys/:variable/client": change("owners"),
  "PUT /api/v1/servers/:name/keys/:variable/client": change("owners", { client_id: "berth" }),
  "DELETE /api/v1/servers/:name/keys/:variable/client": change("owners"),
  "PUT /api/v1/servers/:name/capabilities": change("administrators", {
    answer: "allow",
    capabilities: ["sql"],
  }),
  "GET /connections/clients/:name/:variable": { kind: "nothing", why: "for public servers only" },
  "GET /api/v1/auth/me": nothing,
  "PUT /api/v1/auth/me": nothing,
  "DELETE /api/v1/auth/me": nothing,
  "GET /api/v1/auth/me/export": nothing,
  "GET /api/v1/auth/me/transfers": nothing,
  "GET /api/v1/auth/me/authors": nothing,
  "GET /api/v1/auth/me/purchases": nothing,
  "GET /api/v1/auth/me/keys": nothing,
  "GET /api/v1/auth/me/code-hosts": nothing,
  "PUT /api/v1/auth/me/code-hosts/:host": nothing,
  "DELETE /api/v1/auth/me/code-hosts/:host": nothing,
  "POST /api/v1/auth/tokens": nothing,
  "GET /api/v1/auth/tokens": nothing,
  "DELETE /api/v1/auth/tokens": nothing,
  "DELETE /api/v1/auth/tokens/:id": nothing,
  "POST /api/v1/invitations": nothing,
  "GET /api/v1/audit": nothing,
  "GET /api/v1/admin/status": nothing,
  "GET /api/v1/admin/calls": nothing,
  "GET /api/v1/capabilities": nothing,
  "GET /api/v1/authors/:author/owners": nothing,
  "PUT /api/v1/authors/:author/owners/:username": nothing,
  "DELETE /api/v1/authors/:author/owners/:username": nothing,
  "POST /api/v1/authors/:author/invitation/accept": nothing,
  "POST /api/v1/authors/:author/invitation/decline": nothing,
  "POST /api/v1/webhooks/payments": nothing,
  "GET /api/v1/openapi.json": nothing,
  "GET /.well-known/berth": nothing,
  "GET /healthz": nothing,
  "GET /readyz": nothing,
};

const SERVER_PAGES: Record<string, Place> = {
  "GET /servers/:name": reader(),
  "GET /servers/:name/card.png": reader(),
  "GET /servers/:name/mark.svg": { kind: "same", why: "it is drawn from the name alone" },
  "GET /servers/:name/tools": reader(),
  "GET /servers/:name/security": reader(),
  "GET /servers/:name/versions": reader(),
  "GET /servers/:name/keys": reader(),
  "GET /servers/:name/install": reader(),
  "GET /servers/:name/badge.svg": reader(),
  "GET /servers/:name/badge.json": reader(),
  "GET /servers/:name/report.json": reader(),
  "GET /servers/:name/report.sarif": reader(),
  "GET /servers/:name/sbom.cdx.json": reader(),
  "GET /servers/:name/source/*": { ...reader(), in: { "*": "server.py" } } as Place,
  "GET /servers/:name/try": reader(),
  "GET /servers/:name/next": { kind: "server", for: "owners", status: 200 },
  "GET /servers/:name/manage": { kind: "server", for: "owners", status: 200 },
  "GET /servers/:name/keys/:variable/connect": { kind: "server", for: "users", status: 200 },
  "GET /scans/:id": reader(),
  "GET /icons/:digest": reader(),
  "POST /servers/:name/keys/set": form("users"),
  "POST /servers/:name/keys/remove": form("users"),
  "POST /servers/:name/keys/agree": form("users"),
  "POST /servers/:name/keys/:variable/connect": form("users"),
  "POST /servers/:name/manage/change": form("owners"),
  "POST /servers/:name/manage/variables": form("owners"),
  "POST /servers/:name/manage/access": form("owners"),
  "POST /servers/:name/manage/client": form("owners"),
  "POST /servers/:name/manage/scan": form("owners"),
  "POST /servers/:name/manage/transfer": form("owners"),
  "POST /servers/:name/manage/remove": form("owners"),
  "POST /servers/:name/try/start": form("users"),
  "POST /servers/:name/try/run": form("users"),
  "POST /servers/:name/try/read": form("users"),
  "POST /servers/:name/try/prompt": form("users"),
  "POST /servers/:name/try/cancel": form("users"),
  "POST /servers/:name/try/end": form("users"),
};

const OTHER_PAGES: Record<string, Place> = {
  "GET /": { kind: "list", path: "/?sort=name" },
  "GET /feeds/new.atom": { kind: "list" },
  "GET /feeds/updated.atom": { kind: "list" },
  "GET /feeds/authors/:author": { kind: "list", path: "/feeds/authors/owner" },
  "GET /sitemaps/:file": { kind: "list", path: "/sitemaps/servers-1.xml", isForAll: true },
  "GET /sitemap.xml": nothing,
  "GET /robots.txt": nothing,
  "GET /card.png": nothing,
  "GET /start": nothing,
  "GET /glossary": nothing,
  "GET /docs": nothing,
  "GET /docs/try": nothing,
  "GET /login": nothing,
  "GET /login/callback": nothing,
  "POST /logout": nothing,
  "GET /logout": nothing,
  "GET /connections/return/:service": nothing,
  "GET /publish": nothing,
  "POST /publish/look": nothing,
  "POST /publish": nothing,
  "GET /profile": nothing,
  "POST /profile/username": nothing,
  "POST /profile/offers": nothing,
  "POST /profile/sign-out-everywhere": nothing,
  "GET /profile/export": nothing,
  "GET /profile/delete": nothing,
  "POST /profile/delete": nothing,
  "GET /deleted": nothing,
  "GET /profile/keys": nothing,
  "GET /profile/code-hosts": nothing,
  "POST /profile/code-hosts": nothing,
  "POST /profile/code-hosts/remove": nothing,
  "GET /profile/tokens": nothing,
  "POST /profile/tokens": nothing,
  "POST /profile/tokens/:id/revoke": nothing,
  "GET /profile/activity": nothing,
  "GET /admin": nothing,
  "GET /admin/users": nothing,
  "POST /admin/users": nothing,
  "GET /admin/invitations": nothing,
  "POST /admin/invitations": nothing,
  "GET /admin/servers": nothing,
  "GET /admin/capabilities": nothing,
  "POST /admin/capabilities": nothing,
  "GET /admin/scans": nothing,
  "GET /admin/sessions": nothing,
  "POST /admin/sessions/end": nothing,
  "GET /admin/audit": nothing,
  "GET /admin/configuration": nothing,
  "GET /favicon.ico": nothing,
};

/** All of them, by method and path. */
export const ROUTES: Record<string, Place> = { ...API, ...SERVER_PAGES, ...OTHER_PAGES };
