/**
 * The web application: pages on the registry's listener.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../http/environment.ts";
import type { WebApplication } from "../http/services.ts";
import { failurePages } from "./errors/failure.tsx";
import { showFind } from "./find/page.tsx";
import { addAssets } from "./layout/assets.ts";
import { pagesOf } from "./layout/context.ts";
import { addProfile } from "./profile/routes.ts";
import type { WebServices } from "./services.ts";
import type { FinishDeps } from "./sign_in/finish.ts";
import { addSignIn } from "./sign_in/routes.tsx";

/** The pages over `services`; `finish` is what sign-ins take, null where there are none. */
export function createWeb(services: WebServices, finish: FinishDeps | null): WebApplication {
  const page = pagesOf(services);
  return {
    install(app: Hono<HttpEnv>) {
      addAssets(app);
      app.get("/", page(showFind));
      addSignIn(app, page, services, finish);
      addProfile(app, page);
    },
    failurePage: failurePages(services),
  };
}
