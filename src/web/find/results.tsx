/**
 * The list of servers that were found.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import type { Facets } from "../../registry/servers/facets.ts";
import { Alert, Empty, Time } from "../layout/parts.tsx";
import { plural } from "../../text/plural.ts";
import { languageName, priceText } from "../layout/price.ts";
import { CapabilitySigns } from "../layout/capability_signs.tsx";
import { RunsHere } from "../layout/runs.tsx";
import { Verdict } from "../layout/verdict.tsx";
import { FacetLinks } from "./facet_links.tsx";
import { addressOf, isFiltered, type Wanted } from "./query.ts";
import type { ListedServer } from "./statuses.ts";

/** What came of a search. */
export type Found =
  | {
    kind: "page";
    servers: ListedServer[];
    total: number;
    facets: Facets;
    nextCursor: string | null;
    previousCursor: string | null;
  }
  | { kind: "faults"; faults: { field: string; message: string }[] };

function Row({ server, links }: { server: ListedServer; links: Links }) {
  const { name, version, description, author, lang, license, pricing, tools } = server;
  const { total_issues_all_scanners: issues } = server.security_report.summary;
  return (
    <li class="server">
      <div class="server-head">
        <h3>
          <a href={links.path(`/servers/${name}`)}>{name}</a>
        </h3>
        <span class="quiet">{version}</span>
        <Verdict status={server.status} />
        <CapabilitySigns capabilities={server.capabilities} />
        <RunsHere build={server.build} full={server.build?.runs !== "yes"} />
      </div>
      <p class="server-text">
        <bdi>{description}</bdi>
      </p>
      <ul class="meta">
        <li>
          by{" "}
          <a href={links.path(addressOf({ ...EMPTY, author }))}>
            <bdi>{author}</bdi>
          </a>
        </li>
        <li>{languageName(lang)}</li>
        <li>{plural(tools.count, "tool")}</li>
        <li>{license}</li>
        <li>{priceText(pricing)}</li>
        <li>{plural(issues, "finding")}</li>
        <li>
          updated <Time at={server.updatedAt} />
        </li>
      </ul>
    </li>
  );
}

const EMPTY: Wanted = {
  q: "",
  lang: "",
  verdict: "",
  price: "",
  license: "",
  author: "",
  tool: "",
  capability: "",
  sort: "",
};

function Nothing({ wanted, links }: { wanted: Wanted; links: Links }) {
  if (!isFiltered(wanted)) {
    return (
      <Empty title="No servers yet">
        <p>Be the first to publish one: all you need is the URL of a repository.</p>
        <p>
          <a href={links.path("/publish")} class="button">Publish a server</a>
        </p>
      </Empty>
    );
  }
  const { q } = wanted;
  const widened = { ...EMPTY, q };
  const isNarrow = addressOf({ ...wanted, sort: "" }) !== addressOf(widened);
  return (
    <Empty title="No matching servers">
      <p>Check the spelling, use fewer words, or search for part of a word.</p>
      <p class="actions">
        {isNarrow && q !== ""
          ? <a href={links.path(addressOf(widened))} class="button">Search without filters</a>
          : null}
        <a href={links.path("/")} class="button secondary">Show all servers</a>
      </p>
    </Empty>
  );
}

function Pages(
  { wanted, found, links }: { wanted: Wanted; found: Found & { kind: "page" }; links: Links },
) {
  const { previousCursor, nextCursor } = found;
  if (previousCursor === null && nextCursor === null) return null;
  const to = (cursor: string | null) => links.path(addressOf(wanted, cursor));
  return (
    <nav class="pages" aria-label="Pages of results">
      {previousCursor === null ? null : (
        <>
          <a href={to(null)} class="button secondary">First page</a>
          <a href={to(previousCursor)} rel="prev" class="button secondary">Previous page</a>
        </>
      )}
      {nextCursor === null
        ? null
        : <a href={to(nextCursor)} rel="next" class="button secondary">Next page</a>}
    </nav>
  );
}

/** The fields of the registry's list as the form names them. */
const LABELS: Record<string, string> = {
  q: "Search",
  lang: "Language",
  scan_passed: "Scan",
  max_price: "Price",
  sort: "Sort by",
  author: "Author",
  license: "License",
  tool: "Has the tool",
  capability: "Capability",
  cursor: "Page",
};

/** The results; replaced as a whole when a script asks again. */
export function Results({ wanted, found, links }: { wanted: Wanted; found: Found; links: Links }) {
  if (found.kind === "faults") {
    return (
      <div id="results">
        <h2 class="visually-hidden">Results</h2>
        <Alert>
          <p>These filters are not valid:</p>
          <ul>
            {found.faults.map(({ field, message }) => (
              <li>
                <strong>{LABELS[field] ?? field}</strong>: {message}
              </li>
            ))}
          </ul>
        </Alert>
        <p>
          <a href={links.path("/")}>Show all servers</a>
        </p>
      </div>
    );
  }
  const { servers, total, facets } = found;
  return (
    <div id="results">
      <h2 class="visually-hidden">Results</h2>
      <p class="quiet" role="status">
        {isFiltered(wanted) ? `${plural(total, "server")} found` : plural(total, "server")}
      </p>
      <div class="found">
        <FacetLinks wanted={wanted} facets={facets} links={links} />
        <div>
          {servers.length === 0 ? <Nothing wanted={wanted} links={links} /> : (
            <ol class="servers">
              {servers.map((server) => <Row server={server} links={links} />)}
            </ol>
          )}
          <Pages wanted={wanted} found={found} links={links} />
        </div>
      </div>
    </div>
  );
}
