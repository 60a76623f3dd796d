/**
 * Servers that come in families, as they do where many people wrap the same products.
 *
 * @module
 */

/** A server of the catalogue before it is a record. */
export interface CatalogueServer {
  name: string;
  description: string;
  tools: string[];
  author: string;
}

const PRODUCTS = [
  ["airtable", "Airtable"],
  ["asana", "Asana"],
  ["bitbucket", "Bitbucket"],
  ["clickhouse", "ClickHouse"],
  ["datadog", "Datadog"],
  ["elasticsearch", "Elasticsearch"],
  ["figma", "Figma"],
  ["freshdesk", "Freshdesk"],
  ["ghost", "Ghost"],
  ["gitea", "Gitea"],
  ["harvest", "Harvest"],
  ["intercom", "Intercom"],
  ["jenkins", "Jenkins"],
  ["kafka", "Kafka"],
  ["mailchimp", "Mailchimp"],
  ["matrix", "Matrix"],
  ["miro", "Miro"],
  ["neo4j", "Neo4j"],
  ["nextcloud", "Nextcloud"],
  ["odoo", "Odoo"],
  ["plex", "Plex"],
  ["quickbooks", "QuickBooks"],
  ["shippo", "Shippo"],
  ["snowflake", "Snowflake"],
  ["typeform", "Typeform"],
  ["vercel", "Vercel"],
  ["xero", "Xero"],
] as const;

const KINDS = [
  {
    suffix: "",
    tools: ["search", "get_item", "list_items"],
    text: (product: string) => `Search and read what is in ${product}`,
  },
  {
    suffix: "-reports",
    tools: ["run_report", "list_reports", "export_csv"],
    text: (product: string) => `Reports from ${product}, as tables and CSV files`,
  },
  {
    suffix: "-sync",
    tools: ["sync_now", "sync_status"],
    text: (product: string) =>
      `Keeps a local copy of ${product} up to date, so that questions about it need no network`,
  },
  {
    suffix: "-mcp",
    tools: ["call_api"],
    text: (product: string) => `${product} API`,
  },
] as const;

/** Every family's servers. */
export function familyServers(): CatalogueServer[] {
  return PRODUCTS.flatMap(([slug, product], index) =>
    KINDS.map(({ suffix, tools, text }) => ({
      name: `${slug}${suffix}`,
      description: text(product),
      tools: suffix === "-mcp" ? [`${slug}_api`] : tools.map((tool) => `${slug}_${tool}`),
      author: suffix === "-mcp" ? `dev${index}` : `${product} Community`,
    }))
  );
}
