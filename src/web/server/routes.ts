/**
 * The pages of servers.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import type { Page } from "../layout/context.ts";
import { signedIn } from "../layout/signed_in.tsx";
import type { WebServices } from "../services.ts";
import { addDownloads } from "./source/downloads.ts";
import { showInstall } from "./install.tsx";
import { scannedFiles } from "./load.ts";
import { manageRoutes } from "./manage/manage_routes.ts";
import { showOverview } from "./overview.tsx";
import { showSecurity } from "./security/security.tsx";
import { showSource } from "./source/source.tsx";
import { showTools } from "./tools.tsx";
import { showVersions } from "./history/versions.tsx";

const BASE = "/servers/:name";

/** Adds the routes. */
export function addServer(app: Hono<HttpEnv>, page: Page, services: WebServices): void {
  const files = scannedFiles(services);
  app.get(BASE, page((request) => showOverview(request, files)));
  app.get(`${BASE}/tools`, page(showTools));
  app.get(`${BASE}/security`, page((request) => showSecurity(request, files)));
  app.get(`${BASE}/versions`, page(showVersions));
  app.get(`${BASE}/install`, page(showInstall));
  app.get(`${BASE}/source/*`, page((request) => showSource(request, files)));
  addDownloads(app, BASE, services);
  manageRoutes(app, (handler) => page(signedIn(handler)));
}
