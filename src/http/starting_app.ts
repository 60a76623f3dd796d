/**
 * What a listener answers while Berth starts: it is alive, and everything else is to come.
 *
 * @module
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "./environment.ts";
import { starting } from "./failures.ts";
import { rpcBody } from "./execution_app.ts";
import { wantsPage } from "./browser_requests.ts";
import type { Handler } from "./listen.ts";
import { addRoutes } from "./operation.ts";
import { EXECUTION_CORS, REGISTRY_CORS } from "./plumbing/cors.ts";
import { installPlumbing, type PlumbingOptions } from "./plumbing/install_plumbing.ts";
import { alive, ready } from "./routes/health.ts";

export type StartingOptions = Pick<
  PlumbingOptions,
  "log" | "now" | "newId" | "bindHost" | "publicUrl" | "trustedProxies"
>;

// Styles and scripts are not ready yet.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Berth is starting</title>
</head>
<body>
<main>
<h1>Berth is starting</h1>
<p>The first start takes about half a minute. This page reloads automatically.</p>
</main>
</body>
</html>
`;

function startingPage(): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Retry-After": "1" };
  return new Response(PAGE, { status: 503, headers });
}

/**
 * 503 with `Retry-After` in the form of the listener's failures; `/healthz` is 200, for a process
 * that starts is not one to be replaced. Browsers get a page that loads again.
 */
export function startingHandler(
  listener: "registry" | "execution",
  options: StartingOptions,
): Handler {
  const app = new OpenAPIHono<HttpEnv>();
  installPlumbing(app, {
    ...options,
    ...(listener === "registry"
      ? {
        cors: REGISTRY_CORS,
        failurePage: (_error, c) => wantsPage(c) ? Promise.resolve(startingPage()) : null,
      }
      : { cors: EXECUTION_CORS, failureBody: rpcBody }),
  });
  addRoutes(app, [
    ["get", "/healthz", alive()],
    ["get", "/readyz", ready({ start: () => Promise.reject(new Error("Berth is starting")) })],
  ]);
  app.all("*", () => {
    throw starting();
  });
  return (request, info) => app.fetch(request, info);
}
