/**
 * The administrators' pages.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import type { Page } from "../layout/context.ts";
import { forAdministrators as only } from "../layout/signed_in.tsx";
import { showAudit } from "./audit.tsx";
import { changeUser, showOverview, showScans, showServers, showUsers } from "./pages.tsx";
import { endSession, showSessions } from "./sessions.tsx";

/** Adds the routes. */
export function addAdmin(app: Hono<HttpEnv>, page: Page): void {
  app.get("/admin", page(only(showOverview)));
  app.get("/admin/users", page(only(showUsers)));
  app.post("/admin/users", page(only(changeUser)));
  app.get("/admin/servers", page(only(showServers)));
  app.get("/admin/scans", page(only(showScans)));
  app.get("/admin/sessions", page(only(showSessions)));
  app.post("/admin/sessions/end", page(only(endSession)));
  app.get("/admin/audit", page(only(showAudit)));
}
