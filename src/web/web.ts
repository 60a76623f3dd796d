/**
 * The web application: pages on the registry's listener.
 *
 * @module
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../http/environment.ts";
import { OPENAPI_PATH } from "../http/routes/openapi.ts";
import type { WebApplication } from "../http/services.ts";
import { createFacetReader } from "../registry/servers/facets.ts";
import { addAdmin } from "./admin/routes.ts";
import { failurePages } from "./errors/failure.tsx";
import { showFind } from "./find/page.tsx";
import { addGuide } from "./guide/start.tsx";
import { addAssets } from "./layout/assets.ts";
import { pagesOf } from "./layout/context.ts";
import { pageTurns } from "./layout/page_turns.ts";
import { addProfile } from "./profile/routes.ts";
import { addPublish } from "./publish/routes.ts";
import { addServer } from "./server/routes.ts";
import { addTry } from "./try/routes.ts";
import { showReference } from "./reference/page.tsx";
import type { WebServices } from "./services.ts";
import type { FinishDeps } from "./sign_in/finish.ts";
import { addSignIn } from "./sign_in/routes.tsx";

/** The pages over `services`; `finish` is what sign-ins take, null where there are none. */
export function createWeb(services: WebServices, finish: FinishDeps | null): WebApplication {
  const page = pagesOf(services);
  return {
    install(app: Hono<HttpEnv>) {
      addAssets(app);
      // These wait for the identity provider.
      addSignIn(app, page, services, finish);
      app.use(pageTurns());
      const readFacets = createFacetReader(services.sql);
      app.get("/", page((request) => showFind(request, readFacets)));
      addServer(app, page, services);
      addTry(app, page);
      addPublish(app, page);
      addProfile(app, page);
      addAdmin(app, page);
      addGuide(app, page);
      // The document is made of this application's own routes.
      const read = async () => await (await app.request(OPENAPI_PATH)).json();
      app.get("/docs", page((request) => showReference(request, read)));
    },
    failurePage: failurePages(services),
  };
}
