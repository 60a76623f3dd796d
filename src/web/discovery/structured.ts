/**
 * What pages tell search engines of a server, as JSON-LD (schema.org).
 *
 * @module
 */
import type { ServerDetail } from "../../registry/schema.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";

/** Characters of a description. */
const DESCRIPTION_MAX = 500;

/** A server as a `SoftwareApplication`. */
export function softwareOf(server: ServerDetail, publicUrl: string): Record<string, unknown> {
  const { name, version, description, author, license, category, pricing } = server;
  const address = `${publicUrl}/servers/${name}`;
  return {
    "@context": "https://schema.org",
    "@type": "SoftwareApplication",
    "@id": address,
    url: address,
    name,
    description: description.slice(0, DESCRIPTION_MAX).toWellFormed(),
    softwareVersion: version,
    applicationCategory: "DeveloperApplication",
    applicationSubCategory: CATEGORY_LABELS[category],
    operatingSystem: "Any",
    author: { "@type": "Organization", name: author },
    datePublished: server.created_at,
    dateModified: server.updated_at,
    image: `${address}/card.png`,
    license,
    offers: {
      "@type": "Offer",
      price: pricing.amount,
      priceCurrency: pricing.currency,
    },
  };
}

/** `value` as the text of a script element, which nothing in it can end. */
export function scriptText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
