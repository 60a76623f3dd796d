/**
 * Publishing, and scans.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import type { Page } from "../layout/context.ts";
import { signedIn } from "../layout/signed_in.tsx";
import { look, publish, showPublish } from "./page.tsx";
import { showScan } from "./scan_page.tsx";

/** Adds the routes. */
export function addPublish(app: Hono<HttpEnv>, page: Page): void {
  app.get("/publish", page(signedIn((request) => showPublish(request))));
  app.post("/publish/look", page(signedIn(look)));
  app.post("/publish", page(signedIn(publish)));
  app.get("/scans/:id", page(showScan));
}
