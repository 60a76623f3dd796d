/**
 * Atom feeds (RFC 4287) of new and updated servers, and of an author's.
 *
 * @module
 */
import { PRIVATE, REVALIDATE } from "../../http/preconditions.ts";
import type { Viewer } from "../../access/rule.ts";
import { ListQuery, type ServerListed } from "../../registry/schema.ts";
import type { PageContext } from "../layout/context.ts";
import type { PageHead } from "../layout/document.tsx";
import { type ListedServer, withShown } from "../layout/listed.ts";
import type { WebServices } from "../services.ts";
import { findVisitor } from "../session/visitor.ts";
import { xmlText } from "./xml.ts";

/** Servers of a feed. */
const MOST = 50;
/** Characters of a description. */
const SUMMARY_MAX = 1000;

interface Feed {
  /** Path of the feed, and of the page with the same servers. */
  path: string;
  page: string;
  title: string;
  order: "created" | "updated";
  author?: string;
}

const NEW: Feed = {
  path: "/feeds/new.atom",
  page: "/?sort=created",
  title: "New MCP servers · Berth",
  order: "created",
};
const UPDATED: Feed = {
  path: "/feeds/updated.atom",
  page: "/?sort=updated",
  title: "Updated MCP servers · Berth",
  order: "updated",
};

function feedOf(author: string): Feed {
  return {
    path: `/feeds/authors/${encodeURIComponent(author)}`,
    page: `/?author=${encodeURIComponent(author)}`,
    title: `MCP servers by ${author} · Berth`,
    order: "updated",
    author,
  };
}

/** Feeds that the front page tells readers of. */
export const FRONT_FEEDS: NonNullable<PageHead["feeds"]> = [NEW, UPDATED];

/** The feed that an author's servers tell readers of. */
export function authorFeed(author: string): NonNullable<PageHead["feeds"]>[number] {
  return feedOf(author);
}

function entryOf(server: ListedServer, { order }: Feed, publicUrl: string): string {
  const address = xmlText(`${publicUrl}/servers/${server.name}`);
  const { name, version, description, author, createdAt, updatedAt } = server;
  // Each version is news to those who follow updates.
  const id = order === "created" ? address : `${address}#${xmlText(version)}`;
  const changed = order === "created" ? createdAt : updatedAt;
  return [
    "<entry>",
    `<id>${id}</id>`,
    `<title>${xmlText(`${name} ${version}`)}</title>`,
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<published>${createdAt.toISOString()}</published>`,
    `<updated>${changed.toISOString()}</updated>`,
    `<author><name>${xmlText(author)}</name></author>`,
    `<summary>${xmlText(description.slice(0, SUMMARY_MAX))}</summary>`,
    "</entry>",
  ].join("");
}

/** The feed of `servers`, which are in its order; `empty` is when it changed if there are none. */
export function atomOf(
  feed: Feed,
  servers: readonly ListedServer[],
  { publicUrl, empty }: { publicUrl: string; empty: Date },
): string {
  const [first] = servers;
  const changed = first === undefined
    ? empty
    : feed.order === "created"
    ? first.createdAt
    : first.updatedAt;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(publicUrl + feed.path)}</id>`,
    `<title>${xmlText(feed.title)}</title>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(publicUrl + feed.path)}"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(publicUrl + feed.page)}"/>`,
    `<updated>${changed.toISOString()}</updated>`,
    ...servers.map((server) => entryOf(server, feed, publicUrl)),
    "</feed>",
    "",
  ].join("\n");
}

async function readServers(
  { app }: WebServices,
  feed: Feed,
  viewer: Viewer,
): Promise<ServerListed[]> {
  const query = ListQuery.safeParse({
    sort: feed.order,
    limit: String(MOST),
    ...(feed.author === undefined ? {} : { author: feed.author }),
  });
  // A name that no author can have.
  if (!query.success) return [];
  return (await app.registry.list(query.data, viewer)).servers;
}

/** The beginning of time, for feeds that never had anything. */
const NEVER = new Date(0);

function answer(services: WebServices, feedFor: (c: PageContext) => Feed) {
  return async (c: PageContext): Promise<Response> => {
    const feed = feedFor(c);
    const { caller } = await findVisitor(c, services);
    const viewer = await services.app.registry.viewer(caller);
    const servers = await withShown(
      services.sql,
      await readServers(services, feed, viewer),
      services.app.now(),
    );
    const { publicUrl } = services.app;
    return c.body(atomOf(feed, servers, { publicUrl, empty: NEVER }), 200, {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": viewer === null ? REVALIDATE : PRIVATE,
      "Vary": "Cookie",
    });
  };
}

/** The feeds: path and what answers. */
export function feeds(services: WebServices) {
  return [
    [NEW.path, answer(services, () => NEW)],
    [UPDATED.path, answer(services, () => UPDATED)],
    ["/feeds/authors/:author", answer(services, (c) => feedOf(c.req.param("author") ?? ""))],
  ] as const;
}
