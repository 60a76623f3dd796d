/**
 * The web application: pages on the registry's listener.
 *
 * @module
 */
import type { Hono } from "hono";
import { RETURN_PATH } from "../connections/addresses.ts";
import type { HttpEnv } from "../http/environment.ts";
import { OPENAPI_PATH } from "../http/routes/openapi.ts";
import type { WebApplication } from "../http/services.ts";
import { failurePages } from "./errors/failure.tsx";
import { addAssets } from "./layout/assets.ts";
import { signInFirst } from "./layout/signed_in.tsx";
import { pageTurns } from "./layout/page_turns.ts";
import { pageRoutes } from "./page_routes.ts";
import { addComponent } from "./reference/component.ts";
import type { WebServices } from "./services.ts";
import type { FinishDeps } from "./sign_in/finish.ts";

/** The pages over `services`; `finish` is what sign-ins take, null where there are none. */
export function createWeb(services: WebServices, finish: FinishDeps | null): WebApplication {
  return {
    install(app: Hono<HttpEnv>) {
      addAssets(app);
      addComponent(app);
      // Pages that wait for an identity provider or another service hold nobody up.
      app.use(pageTurns(["/login", "/logout", RETURN_PATH]));
      // The document is made of this application's own routes.
      const readDocument = async () => await (await app.request(OPENAPI_PATH)).json();
      for (const [method, path, handler, condition] of pageRoutes(services, finish, readDocument)) {
        if (condition === undefined) app[method](path, handler);
        else app[method](path, condition, handler);
      }
    },
    signInFirst: signInFirst(services),
    failurePage: failurePages(services),
  };
}
