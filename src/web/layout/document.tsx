/**
 * The frame of every page.
 *
 * @module
 */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { CARD_HEIGHT, CARD_WIDTH } from "../../../workers/analysis/card/view.ts";
import type { Links } from "../../http/links.ts";
import { scriptText } from "../discovery/structured.ts";
import type { Visitor } from "../session/visitor.ts";
import { ASSETS } from "./assets.ts";

/** What a page says about itself. */
export interface PageHead {
  /** Without the product's name. */
  title: string;
  /** One or two sentences, for search engines and previews of links. */
  description?: string;
  /** Path of the page, where it is public and should be found. */
  canonical?: string;
  /** Without scripts the page is loaded again after this long. */
  refreshSeconds?: number;
  /** Path and description of the picture that previews show, where it is not the site's. */
  image?: { path: string; alt: string };
  /** Path and type of the icon, where it is not the site's. */
  icon?: { path: string; type: string };
  /** Feeds with what the page shows. */
  feeds?: readonly { path: string; title: string }[];
  /** What search engines are told, as JSON-LD. */
  structured?: Record<string, unknown>;
  /** Which entry of the navigation it belongs to. */
  section?: "servers" | "publish" | "start" | "api" | "admin" | "profile";
}

export interface DocumentView extends PageHead {
  links: Links;
  publicUrl: string;
  visitor: Pick<Visitor, "caller">;
  /** Path and query of the page, to come back to after signing in. */
  here: string;
  children?: Child;
}

// Scripts are from files only; what htmx would do beyond that is off.
const HTMX = JSON.stringify({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  // What comes works at once: what is chosen in it before that would be lost.
  defaultSettleDelay: 0,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  responseHandling: [{ code: "204", swap: false }, { code: "...", swap: true }],
});

const SITE_IMAGE = { path: "/card.png", alt: "Berth: a registry that scans and runs MCP servers" };

const DESCRIPTION =
  "A registry that scans and runs MCP servers: find, review, try and publish them.";

/** A page's title with the product's name. */
export function fullTitle({ title }: PageHead): string {
  return title === "Berth" ? "Berth: MCP servers, scanned and run" : `${title} · Berth`;
}

function Head(view: DocumentView) {
  const { title, links, canonical, publicUrl, image = SITE_IMAGE } = view;
  const description = view.description ?? DESCRIPTION;
  const path = (asset: keyof typeof ASSETS) => links.path(ASSETS[asset].path);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{fullTitle(view)}</title>
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#0b5f7d" />
      <meta name="htmx-config" content={HTMX} />
      {canonical === undefined ? <meta name="robots" content="noindex" /> : (
        <>
          <link rel="canonical" href={publicUrl + canonical} />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content="Berth" />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          <meta property="og:url" content={publicUrl + canonical} />
          <meta property="og:image" content={publicUrl + image.path} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(CARD_WIDTH)} />
          <meta property="og:image:height" content={String(CARD_HEIGHT)} />
          <meta property="og:image:alt" content={image.alt} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {view.feeds?.map((feed) => (
        <link
          rel="alternate"
          type="application/atom+xml"
          href={links.path(feed.path)}
          title={feed.title}
        />
      ))}
      {view.structured === undefined
        ? null
        : <script type="application/ld+json">{raw(scriptText(view.structured))}</script>}
      {view.refreshSeconds === undefined ? null : (
        <noscript>
          <meta http-equiv="refresh" content={String(view.refreshSeconds)} />
        </noscript>
      )}
      {view.icon === undefined
        ? <link rel="icon" type="image/svg+xml" href={path("favicon")} />
        : <link rel="icon" type={view.icon.type} href={links.path(view.icon.path)} />}
      <link rel="stylesheet" href={path("pico")} />
      <link rel="stylesheet" href={path("style")} />
      <script src={path("htmx")} defer></script>
      <script src={path("script")} defer></script>
    </head>
  );
}

function Navigation({ links, section, visitor, here }: DocumentView) {
  const entries = [
    ["servers", "/", "Servers"],
    ["publish", "/publish", "Publish"],
    ["start", "/start", "Quick start"],
    ["api", "/docs", "API"],
    ...(visitor.caller?.isAdmin ? [["admin", "/admin", "Administration"] as const] : []),
  ] as const;
  return (
    <header class="site-header">
      <div class="bar">
        <a class="brand" href={links.path("/")}>
          <img src={links.path(ASSETS.favicon.path)} alt="" width="26" height="26" />
          <span>Berth</span>
        </a>
        <nav aria-label="Main">
          <ul>
            {entries.map(([id, path, label]) => (
              <li>
                <a href={links.path(path)} aria-current={section === id ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="account">
          {visitor.caller === null
            ? (
              <a href={`${links.path("/login")}?to=${encodeURIComponent(here)}`} class="button">
                Sign in
              </a>
            )
            : (
              <a
                href={links.path("/profile")}
                aria-current={section === "profile" ? "page" : undefined}
              >
                <span class="visually-hidden">Your profile:</span> {visitor.caller.username}
              </a>
            )}
        </div>
      </div>
    </header>
  );
}

/** The HTML around every page: head, navigation, main content, footer. */
export function Document(view: DocumentView) {
  const { links } = view;
  return (
    <html lang="en">
      <Head {...view} />
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <Navigation {...view} />
        <main id="main" tabindex={-1}>{view.children}</main>
        <footer class="site-footer">
          <div class="bar">
            <p>
              Berth scans every server before it is listed and runs each session in its own sandbox.
            </p>
            <ul>
              <li>
                <a href={links.path("/start")}>Quick start</a>
              </li>
              <li>
                <a href={links.path("/glossary")}>Glossary</a>
              </li>
              <li>
                <a href={links.path("/docs")}>API reference</a>
              </li>
              <li>
                <a href={links.path("/api/v1/openapi.json")}>OpenAPI</a>
              </li>
            </ul>
          </div>
        </footer>
      </body>
    </html>
  );
}
