/**
 * The picture that previews of a link show: a server's, and the site's own.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { findIcon, findIconDigest } from "../../documents/icons.ts";
import type { Card } from "../../documents/cards.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { plural } from "../../text/plural.ts";
import { PRIVATE } from "../../http/preconditions.ts";
import { cardUnavailable } from "../failures.ts";
import type { PageContext } from "../layout/context.ts";
import { languageName, priceText } from "../layout/price.ts";
import type { WebServices } from "../services.ts";
import { findVisitor, type VisitorDeps } from "../session/visitor.ts";
import { badgeMessage } from "./badge.ts";

/** Characters of a description that a card has room for. */
const TEXT_MAX = 300;
/** Previews are asked for once by many, and a verdict may change, or who may see it. */
const KEPT = "max-age=300";

const SITE: Card = {
  title: "Berth",
  text: "A registry that scans and runs MCP servers: find, review, try and publish them.",
  facts: [],
  badge: null,
  icon: null,
};

function cardOf(server: ServerDetail, icon: Uint8Array | null): Card {
  const { name, description, author, category, tools, pricing, lang, version } = server;
  const { text, color } = badgeMessage(server.security_report.status);
  return {
    title: name,
    text: description.replaceAll(/\s+/g, " ").slice(0, TEXT_MAX),
    facts: [
      `by ${author}`,
      category === "other" ? languageName(lang) : CATEGORY_LABELS[category],
      plural(tools.count, "tool"),
      pricing.amount === 0 ? version.slice(0, 40) : priceText(pricing),
    ],
    badge: { text, color },
    icon,
  };
}

type Services = Pick<WebServices, "sql" | "app" | "cards" | keyof VisitorDeps>;

async function show(
  c: PageContext,
  { cards }: Services,
  card: Card,
  isPublic = true,
): Promise<Response> {
  const png = await cards.draw(card);
  if (png === null) throw cardUnavailable();
  const digest = createHash("sha256").update(png).digest("hex").slice(0, 24);
  const headers = {
    "Content-Type": "image/png",
    "Cache-Control": isPublic ? `public, ${KEPT}` : PRIVATE,
    "Vary": "Cookie",
    "ETag": `"${digest}"`,
  };
  return c.body(png, 200, headers);
}

/** Answers with a server's card. @throws {AppError} `not_found`, or `unavailable` under load. */
export function showCard(services: Services) {
  return async (c: PageContext): Promise<Response> => {
    const { sql, app } = services;
    const { caller } = await findVisitor(c, services);
    const { server } = await app.registry.get(c.req.param("name") ?? "", caller);
    const digest = await findIconDigest(sql, server.source);
    const icon = digest === null ? null : (await findIcon(sql, digest, caller))?.png ?? null;
    return await show(c, services, cardOf(server, icon), server.visibility === "public");
  };
}

/** Answers with the site's card. @throws {AppError} `unavailable` under load. */
export function showSiteCard(services: Services) {
  return (c: PageContext): Promise<Response> => show(c, services, SITE);
}
