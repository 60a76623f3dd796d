/**
 * Responses of pages: whole documents, parts of them for scripts, and redirects.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import { codingFor, encode } from "../../http/kept/coding.ts";
import type { PageRequest } from "./context.ts";
import { Document, type PageHead } from "./document.tsx";

const BASE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface RespondOptions {
  status?: 200 | 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 429 | 500 | 503;
  headers?: Readonly<Record<string, string>>;
  /** Shows media that are in the page itself: results of tools. */
  ownMedia?: boolean;
}

function policyOf({ ownMedia = false }: RespondOptions): string {
  return `${BASE_POLICY}; img-src 'self' data:${ownMedia ? "; media-src data:" : ""}`;
}

export function headersOf(options: RespondOptions): Record<string, string> {
  return {
    "Content-Security-Policy": policyOf(options),
    // What is shown depends on who looks.
    "Cache-Control": "private, no-store",
    "Vary": "Cookie, HX-Request, Accept-Encoding",
    "Cross-Origin-Opener-Policy": "same-origin",
    ...options.headers,
  };
}

/**
 * A page. It is compressed unless it holds the token of its forms: from lengths of compressed pages
 * with a visitor's secret beside words of another site's choice, that site could guess it (BREACH).
 */
export async function htmlResponse(
  { c, visitor }: Pick<PageRequest, "c" | "visitor">,
  text: string,
  options: RespondOptions = {},
): Promise<Response> {
  const status = options.status ?? 200;
  const headers = headersOf(options);
  const coding = visitor.hasFormToken
    ? null
    : codingFor(c.req.header("accept-encoding"), text.length);
  if (coding === null) return c.html(text, status, headers);
  return c.body(await encode(new TextEncoder().encode(text), coding), status, {
    ...headers,
    "Content-Type": "text/html; charset=UTF-8",
    "Content-Encoding": coding,
  });
}

/** Path and query of the request, with the path of the public address. */
export function hereOf({ c, links }: Pick<PageRequest, "c" | "links">): string {
  const { pathname, search } = new URL(c.req.url);
  return links.path(pathname) + search;
}

/** The whole document with `content` in the frame of every page. */
export async function pageText(
  request: PageRequest,
  head: PageHead,
  content: Child,
): Promise<string> {
  const { c, links, visitor, services } = request;
  const here = c.req.method === "GET" || c.req.method === "HEAD"
    ? hereOf(request)
    : links.path("/");
  const text = await (
    <Document
      {...head}
      links={links}
      visitor={visitor}
      publicUrl={services.app.publicUrl}
      here={here}
    >
      {content}
    </Document>
  ).toString();
  return `<!doctype html>${text}`;
}

/** `content` in the frame of every page. */
export async function showPage(
  request: PageRequest,
  head: PageHead,
  content: Child,
  options: RespondOptions = {},
): Promise<Response> {
  const text = await pageText(request, head, content);
  return await htmlResponse(request, text, options);
}

/** `content` alone, for a script that puts it into a page. */
export async function showPart(
  request: PageRequest,
  content: Child,
  options: RespondOptions = {},
): Promise<Response> {
  const text = await (<>{content}</>).toString();
  return await htmlResponse(request, text, options);
}

/** Leads to `path`, a path of this listener with its query. */
export function seeOther({ c, links }: PageRequest, path: string): Response {
  return c.redirect(links.path(path), 303);
}
