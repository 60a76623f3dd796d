/**
 * The list of servers that were found.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import type { Facets } from "../../registry/servers/facets.ts";
import { matchingTools, parseQuestion } from "../../registry/servers/search.ts";
import { plural } from "../../text/plural.ts";
import type { ListedServer } from "../layout/listed.ts";
import { Alert } from "../layout/parts.tsx";
import { Chosen, FILTER_LABELS, Filters } from "./filters.tsx";
import { ServerRow } from "./item.tsx";
import { Nothing } from "./nothing.tsx";
import { addressOf, defaultSort, isFiltered, type Wanted } from "./query.ts";

/** What came of a search. */
export type Found =
  | {
    kind: "page";
    servers: ListedServer[];
    total: number;
    facets: Facets;
    nextCursor: string | null;
    previousCursor: string | null;
    /** The words that were searched in place of those that found nothing; null for none. */
    corrected: string | null;
  }
  | { kind: "faults"; faults: { field: string; message: string }[] };

type FoundPage = Found & { kind: "page" };

const SORTS = [
  ["popular", "Most used"],
  ["updated", "Recently updated"],
  ["created", "New"],
  ["name", "Name"],
] as const;

function Sorting({ wanted, links }: { wanted: Wanted; links: Links }) {
  const sorts = wanted.q === "" ? SORTS : [["relevance", "Best match"] as const, ...SORTS];
  const current = wanted.sort || defaultSort(wanted);
  return (
    <nav class="sorting" aria-label="Sort by">
      <ul>
        {sorts.map(([sort, label]) => (
          <li>
            <a
              href={links.path(addressOf({ ...wanted, sort }))}
              aria-current={sort === current ? "true" : undefined}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Pages({ wanted, found, links }: { wanted: Wanted; found: FoundPage; links: Links }) {
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

/** The fields of the registry's list as the page names them. */
const LABELS: Record<string, string> = {
  ...FILTER_LABELS,
  scan_passed: FILTER_LABELS.verdict,
  runs_here: FILTER_LABELS.runs,
  max_price: FILTER_LABELS.price,
  cursor: "Page",
};

function Faults({ faults, links }: { faults: { field: string; message: string }[]; links: Links }) {
  return (
    <div id="results">
      <h2 class="visually-hidden">Results</h2>
      <Alert>
        <p>These filters are not valid:</p>
        <ul>
          {faults.map(({ field, message }) => (
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

function Corrected({ from, to }: { from: string; to: string }) {
  return (
    <p>
      Nothing found for “<bdi>{from}</bdi>”. Showing results for{" "}
      <strong>
        <bdi>{to}</bdi>
      </strong>.
    </p>
  );
}

/** The results; replaced as a whole when a script asks again. */
export function Results({ wanted, found, links }: { wanted: Wanted; found: Found; links: Links }) {
  if (found.kind === "faults") return <Faults faults={found.faults} links={links} />;
  const { servers, total, facets, corrected } = found;
  // Links go on with what was searched.
  const searched = corrected === null ? wanted : { ...wanted, q: corrected };
  const question = parseQuestion(searched.q);
  const matches = (tools: readonly string[]) =>
    question === null ? [] : matchingTools(question, tools);
  return (
    <div id="results" class="found">
      <Filters wanted={searched} facets={facets} links={links} />
      <div>
        <h2 class="visually-hidden">Results</h2>
        {corrected === null ? null : <Corrected from={wanted.q} to={corrected} />}
        <div class="found-head">
          <p class="quiet" role="status">
            {isFiltered(wanted) ? `${plural(total, "server")} found` : plural(total, "server")}
          </p>
          <Sorting wanted={searched} links={links} />
        </div>
        <Chosen wanted={searched} links={links} />
        {servers.length === 0 ? <Nothing wanted={wanted} links={links} /> : (
          <ol class="servers">
            {servers.map((server) => (
              <ServerRow server={server} matches={matches(server.tools.names)} links={links} />
            ))}
          </ol>
        )}
        <Pages wanted={searched} found={found} links={links} />
      </div>
    </div>
  );
}
