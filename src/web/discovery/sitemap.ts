/**
 * `/sitemap.xml`: the public pages with the days on which they changed (sitemaps.org, 0.9), whoever
 * asks.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import { REVALIDATE } from "../../http/preconditions.ts";
import { readable } from "../../access/rule.ts";
import { sitemapNotFound } from "../failures.ts";
import type { PageContext } from "../layout/context.ts";
import type { WebServices } from "../services.ts";
import { xmlText } from "./xml.ts";

/** Addresses of a file; the format allows no more. */
const MOST = 50_000;
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Pages that are not a server's. */
const PAGES = ["/", "/start", "/docs", "/glossary"];

interface Place {
  path: string;
  changedAt: Date | null;
}

function fileOf(
  element: "urlset" | "sitemapindex",
  publicUrl: string,
  places: readonly Place[],
): string {
  const each = element === "urlset" ? "url" : "sitemap";
  const lines = places.map(({ path, changedAt }) => {
    const changed = changedAt === null ? "" : `<lastmod>${changedAt.toISOString()}</lastmod>`;
    return `<${each}><loc>${xmlText(publicUrl + path)}</loc>${changed}</${each}>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${element} ${NAMESPACE}>\n${
    lines.join("\n")
  }\n</${element}>\n`;
}

async function readPlaces(sql: Sql, file: number, most: number): Promise<Place[]> {
  const rows = await sql<{ name: string; changedAt: Date }[]>`
    select name, updated_at as "changedAt" from servers where ${readable(sql, null)}
    order by name limit ${most} offset ${(file - 1) * most}`;
  return rows.map(({ name, changedAt }) => ({ path: `/servers/${name}`, changedAt }));
}

async function readIndex(sql: Sql, most: number): Promise<Place[]> {
  const [row] = await sql<{ count: number; changedAt: Date | null }[]>`
    select count(*)::int as count, max(updated_at) as "changedAt" from servers
    where ${readable(sql, null)}`;
  const files = Math.ceil((row?.count ?? 0) / most);
  return [
    { path: "/sitemaps/pages.xml", changedAt: null },
    ...Array.from({ length: files }, (_, at) => ({
      path: `/sitemaps/servers-${at + 1}.xml`,
      changedAt: row?.changedAt ?? null,
    })),
  ];
}

function respond(c: PageContext, text: string): Response {
  const headers = { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": REVALIDATE };
  return c.body(text, 200, headers);
}

type Services = Pick<WebServices, "sql"> & { app: Pick<WebServices["app"], "publicUrl"> };

/** Answers `/sitemap.xml`, which names the other files. */
export function sitemapIndex({ sql, app }: Services, most: number = MOST) {
  return async (c: PageContext): Promise<Response> =>
    respond(c, fileOf("sitemapindex", app.publicUrl, await readIndex(sql, most)));
}

/** Answers `/sitemaps/{file}`. @throws {AppError} `not_found`. */
export function sitemapFile({ sql, app }: Services, most: number = MOST) {
  // A file has megabytes: those who ask at once wait for each other.
  let before: Promise<unknown> = Promise.resolve();
  return async (c: PageContext): Promise<Response> => {
    const name = c.req.param("file") ?? "";
    if (name === "pages.xml") {
      const places = PAGES.map((path) => ({ path, changedAt: null }));
      return respond(c, fileOf("urlset", app.publicUrl, places));
    }
    const file = Number(/^servers-([1-9]\d{0,4})\.xml$/.exec(name)?.[1] ?? 0);
    if (file === 0) throw sitemapNotFound();
    const reading = before.then(() => readPlaces(sql, file, most));
    before = reading.catch(() => undefined);
    const places = await reading;
    if (places.length === 0) throw sitemapNotFound();
    return respond(c, fileOf("urlset", app.publicUrl, places));
  };
}
