/**
 * The interactive API reference at `/docs`: Swagger UI from its package, nothing from elsewhere.
 *
 * @module
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HttpEnv } from "../environment.ts";
import type { Links } from "../links.ts";
import { conditional, REVALIDATE } from "../preconditions.ts";
import { OPENAPI_PATH } from "./openapi.ts";

const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The scripts and styles, loaded when they are first asked for: they are large. */
const ASSETS: Record<string, { type: string; load: () => Promise<string> }> = {
  "swagger-ui.css": {
    type: "text/css; charset=utf-8",
    load: async () =>
      (await import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } })).default,
  },
  "swagger-ui-bundle.js": {
    type: "text/javascript; charset=utf-8",
    load: async () =>
      (await import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } })).default,
  },
};

function page(links: Links): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Berth registry API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${links.path("/docs/swagger-ui.css")}">
</head>
<body>
<main id="reference"></main>
<noscript><p>This page needs scripts. The description itself is at
<a href="${links.path(OPENAPI_PATH)}">${links.path(OPENAPI_PATH)}</a>.</p></noscript>
<script src="${links.path("/docs/swagger-ui-bundle.js")}"></script>
<script src="${links.path("/docs/start.js")}"></script>
</body>
</html>
`;
}

function startScript(links: Links): string {
  return `SwaggerUIBundle({
  url: ${JSON.stringify(links.path(OPENAPI_PATH))},
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
`;
}

/** Adds `/docs` with what it loads. */
export function addDocs(app: OpenAPIHono<HttpEnv>, links: Links): void {
  app.get("/docs", (c) => {
    c.header("Content-Security-Policy", CSP);
    c.header("Cache-Control", REVALIDATE);
    return c.html(page(links));
  });

  app.get("/docs/start.js", conditional(), (c) => {
    c.header("Cache-Control", REVALIDATE);
    return c.body(startScript(links), 200, { "Content-Type": "text/javascript; charset=utf-8" });
  });

  for (const [name, { type, load }] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, conditional(), async (c) => {
      c.header("Cache-Control", REVALIDATE);
      return c.body(await load(), 200, { "Content-Type": type });
    });
  }
}
