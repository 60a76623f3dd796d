/**
 * `/docs/try`: sends requests of the API, with the reader's token.
 *
 * @module
 */
import { OPENAPI_PATH } from "../../http/routes/openapi.ts";
import { ASSETS } from "../layout/assets.ts";
import type { PageRequest } from "../layout/context.ts";
import { htmlResponse } from "../layout/respond.tsx";
import { COMPONENT } from "./component.ts";

/** Answers with the page. It is no frame of other pages: the component has styles of its own. */
export async function showTryApi({ c, visitor, links }: PageRequest): Promise<Response> {
  const path = (one: keyof typeof COMPONENT) => links.path(COMPONENT[one].path);
  const text = await (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Try the API · Berth</title>
        <meta name="robots" content="noindex" />
        <link rel="icon" type="image/svg+xml" href={links.path(ASSETS.favicon.path)} />
        <link rel="stylesheet" href={path("swaggerStyle")} />
        <link rel="stylesheet" href={path("style")} />
        <script src={path("swagger")} defer></script>
        <script src={path("script")} defer></script>
      </head>
      <body>
        <header class="try-bar">
          <a href={links.path("/")}>Berth</a>
          <a href={links.path("/docs")}>API reference</a>
          <a href={links.path("/profile/tokens")}>Your tokens</a>
        </header>
        <main>
          <p class="try-note">
            Requests go to this registry and take effect. A token that you enter under Authorize
            stays in this page and is forgotten when you leave it.
          </p>
          <noscript>
            <p class="try-note">
              Sending requests from this page needs JavaScript. The{" "}
              <a href={links.path("/docs")}>API reference</a> has every operation with examples.
            </p>
          </noscript>
          <div id="try-api" data-document={links.path(OPENAPI_PATH)}></div>
        </main>
      </body>
    </html>
  ).toString();
  return await htmlResponse({ c, visitor }, `<!doctype html>${text}`);
}
