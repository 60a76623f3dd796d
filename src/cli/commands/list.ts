/**
 * `berth list` and `berth search`.
 *
 * @module
 */
import { z } from "zod";
import { Runs } from "../../scan/build_schema.ts";
import type { Cli } from "../cli.ts";
import type { Api } from "../client/api.ts";
import { oneLine } from "../output/terminal_text.ts";
import type { Style } from "../output/style.ts";

/** What of a listed server is shown. */
const Listed = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string(),
  lang: z.string(),
  tools: z.object({ count: z.number() }),
  pricing: z.object({ currency: z.string(), amount: z.number() }),
  security_report: z.object({ summary: z.object({ scan_passed: z.boolean() }) }),
  build: z.object({ runs: Runs, reason: z.string().nullable() }).nullish(),
  /** Absent from older registries. */
  capabilities: z.array(z.string()).default([]),
});
type Listed = z.infer<typeof Listed>;

const Page = z.object({
  servers: z.array(Listed),
  next_cursor: z.string().nullish(),
  total_matching: z.number(),
});

const WORDS: Record<Exclude<Runs, "yes">, string> = {
  no: "no",
  needs_variables: "variables",
  needs_network: "network",
  not_tried: "not tried",
};

/** Options of both commands. */
export interface ListOptions {
  author?: string | undefined;
  lang?: string | undefined;
  tool?: string | undefined;
  license?: string | undefined;
  category?: string | undefined;
  tag?: string | undefined;
  capability?: string | undefined;
  maxPrice?: string | undefined;
  passed?: true | undefined;
  sort?: string | undefined;
  limit?: number | undefined;
  all?: true | undefined;
}

function queryOf(words: string[], options: ListOptions): URLSearchParams {
  const query = new URLSearchParams();
  const values: Record<string, string | undefined> = {
    q: words.length > 0 ? words.join(" ") : undefined,
    author: options.author,
    lang: options.lang,
    tool: options.tool,
    license: options.license,
    category: options.category,
    tag: options.tag,
    capability: options.capability,
    max_price: options.maxPrice,
    scan_passed: options.passed ? "true" : undefined,
    sort: options.sort ?? (words.length > 0 ? "relevance" : undefined),
    limit: options.limit?.toString(),
  };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** One page, or all pages as one. */
async function fetchServers(api: Api, query: URLSearchParams, all: boolean) {
  const servers: Listed[] = [];
  const bodies: unknown[] = [];
  for (;;) {
    const { body, data } = await api.read(`/servers?${query}`, Page);
    servers.push(...data.servers);
    bodies.push(...(body as { servers: unknown[] }).servers);
    const cursor = data.next_cursor ?? null;
    if (!all || cursor === null) {
      const shown = { ...body as object, total: bodies.length, servers: bodies };
      return { servers, matching: data.total_matching, body: shown, more: cursor !== null };
    }
    query.set("cursor", cursor);
  }
}

/** A price as people read it. */
export function priceOf({ currency, amount }: Listed["pricing"]): string {
  return amount === 0 ? "free" : `${amount} ${currency}`;
}

function verdictOf(server: Listed, style: Style): string {
  return server.security_report.summary.scan_passed ? style.green("passed") : style.red("failed");
}

/** Whether it runs here, in a word; a reason where it does not. */
function runsOf({ build }: Listed, style: Style): string {
  if (!build) return "";
  const { runs, reason } = build;
  if (runs === "yes") return style.green("yes");
  const paint = runs === "no" ? style.red : style.yellow;
  return `${paint(WORDS[runs])}${
    reason === null || runs === "not_tried" ? "" : `: ${oneLine(reason, 60)}`
  }`;
}

/** Lists the servers that match; `words` are looked for in names, descriptions and tools. */
export async function list(cli: Cli, words: string[], options: ListOptions): Promise<void> {
  const api = await cli.api();
  const found = await fetchServers(api, queryOf(words, options), options.all === true);
  cli.output.table(found.body, () => ({
    head: [
      "NAME",
      "VERSION",
      "LANG",
      "TOOLS",
      "PRICE",
      "SCAN",
      "RUNS",
      "CAPABILITIES",
      "AUTHOR",
      "DESCRIPTION",
    ],
    rows: found.servers.map((server) => [
      oneLine(server.name),
      oneLine(server.version, 20),
      oneLine(server.lang),
      String(server.tools.count),
      priceOf(server.pricing),
      verdictOf(server, cli.output.style),
      runsOf(server, cli.output.style),
      oneLine(server.capabilities.join(", ")),
      oneLine(server.author, 24),
      oneLine(server.description, 200),
    ]),
  }));
  if (found.servers.length === 0) cli.output.note("No matching servers");
  else if (found.more) {
    cli.output.note(
      `Showing ${found.servers.length} of ${found.matching} servers. Use --all to list all`,
    );
  }
}
