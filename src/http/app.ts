/**
 * The registry listener's application.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./environment.ts";
import { createLinks } from "./links.ts";
import { REGISTRY_CORS } from "./plumbing/cors.ts";
import { refuseOtherMethods } from "./plumbing/methods.ts";
import { installPlumbing } from "./plumbing/mod.ts";
import { rateLimit } from "./plumbing/rate_limit.ts";
import { recordRefusals } from "./plumbing/refusals.ts";
import { addAudit } from "./routes/audit.ts";
import { addAuth } from "./routes/auth.ts";
import { addAuthors } from "./routes/authors.ts";
import { addHealth } from "./routes/health.ts";
import { addIssuer } from "./routes/issuer.ts";
import { addOpenApi } from "./routes/openapi.ts";
import { addPayments } from "./routes/payments.ts";
import { addScanHistory } from "./routes/scan_history.ts";
import { addScans } from "./routes/scans.ts";
import { addServerReads } from "./routes/servers_read.ts";
import { addServerWrites } from "./routes/servers_write.ts";
import { addService } from "./routes/service.ts";
import { addTokens } from "./routes/tokens.ts";
import { addTransfers } from "./routes/transfers.ts";
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
  addServerReads(app, services, links);
  addServerWrites(app, services, links);
  addScans(app, services);
  addScanHistory(app, services, links);
  addAuth(app, services);
  addTokens(app, services, links);
  addAudit(app, services, links);
  addIssuer(app, services.issuer);
  addTransfers(app, services);
  addAuthors(app, services);
  addPayments(app, services, links);
  addService(app, services.description);
  addHealth(app, services.checks);
  addOpenApi(app, links);
  services.web?.install(app);
  refuseOtherMethods(app);
  return app;
}
