/**
 * The registry listener's application.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./environment.ts";
import { createLinks } from "./links.ts";
import { addRoutes } from "./operation.ts";
import { REGISTRY_CORS } from "./plumbing/cors.ts";
import { refuseOtherMethods } from "./plumbing/methods.ts";
import { installPlumbing } from "./plumbing/install_plumbing.ts";
import { rateLimit } from "./plumbing/rate_limit.ts";
import { recordRefusals } from "./plumbing/refusals.ts";
import { signedInOnly } from "./plumbing/signed_in_only.ts";
import { registryRoutes } from "./registry_routes.ts";
import type { RegistryAppServices } from "./services.ts";
import { refuseInvalid } from "./validation.ts";

/** The application: give its `fetch` to `Deno.serve`, or requests to its `request` in tests. */
export function createApp(services: RegistryAppServices): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>({ defaultHook: refuseInvalid });
  const links = createLinks(services.publicUrl);
  installPlumbing(app, {
    ...services,
    cors: REGISTRY_CORS,
    rateLimit: rateLimit(services.limits),
    ...(services.web === undefined ? {} : { failurePage: services.web.failurePage }),
  });
  app.use(recordRefusals(services.audit));
  if (services.readPolicy === "signed-in") app.use(signedInOnly(services));
  addRoutes(app, registryRoutes(app, services, links));
  services.web?.install(app);
  refuseOtherMethods(app);
  return app;
}
