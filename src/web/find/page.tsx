/**
 * The front page: searching, filtering and sorting servers.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { LANGUAGES } from "../../scan/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { SelectField, TextField } from "../layout/forms.tsx";
import { languageName } from "../layout/price.ts";
import { showPage, showPart } from "../layout/respond.tsx";
import { defaultSort, hasMore, isFiltered, listQueryOf, readWanted, type Wanted } from "./query.ts";
import type { FacetReader } from "../../registry/servers/facets.ts";
import { type Found, Results } from "./results.tsx";
import { withStatuses } from "./statuses.ts";

const LANGUAGE_OPTIONS = [
  ["", "Any language"],
  ...LANGUAGES.map((lang) => [lang, languageName(lang)] as const),
] as const;
const VERDICT_OPTIONS = [["", "Any verdict"], ["passed", "Passed"], [
  "other",
  "Not passed",
]] as const;
const PRICE_OPTIONS = [["", "Any price"], ["free", "Free"]] as const;
const CAPABILITY_OPTIONS = [
  ["", "Any"],
  ["none", "None"],
  ["sql", "Runs SQL"],
  ["commands", "Runs commands"],
  ["code", "Runs code"],
] as const;
const SORT_OPTIONS = [
  ["relevance", "Best match"],
  ["updated", "Recently updated"],
  ["created", "Newest"],
  ["name", "Name"],
] as const;

async function find(
  { c, services }: PageRequest,
  wanted: Wanted,
  readFacets: FacetReader,
): Promise<Found> {
  const cursor = c.req.query("cursor") ?? null;
  const asked = listQueryOf(wanted, cursor);
  if ("faults" in asked) return { kind: "faults", faults: asked.faults };
  try {
    const { servers, totalMatching, ...cursors } = await services.app.registry.list(asked.query);
    return {
      kind: "page",
      servers: await withStatuses(services.sql, servers),
      total: totalMatching,
      facets: await readFacets(asked.query, totalMatching),
      ...cursors,
    };
  } catch (error) {
    // A page that was bookmarked before the filters changed, or too many words.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    const field = cursor === null ? "q" : "cursor";
    return { kind: "faults", faults: [{ field, message: error.message }] };
  }
}

function MoreFilters({ wanted }: { wanted: Wanted }) {
  return (
    <details class="more" open={hasMore(wanted)}>
      <summary>More filters</summary>
      <div class="filters">
        <TextField
          view={{
            name: "author",
            label: "Author",
            value: wanted.author,
            required: false,
            attributes: { autocomplete: "off" },
          }}
        />
        <TextField
          view={{
            name: "license",
            label: "License",
            value: wanted.license,
            required: false,
            attributes: { autocomplete: "off", placeholder: "MIT" },
          }}
        />
        <TextField
          view={{
            name: "tool",
            label: "Has the tool",
            value: wanted.tool,
            required: false,
            attributes: { autocomplete: "off" },
          }}
        />
        <SelectField
          view={{ name: "capability", label: "Capability", value: wanted.capability }}
          options={CAPABILITY_OPTIONS}
        />
      </div>
    </details>
  );
}

function Filters({ request, wanted }: { request: PageRequest; wanted: Wanted }) {
  const path = request.links.path("/");
  return (
    <form
      method="get"
      action={path}
      class="find"
      hx-get={path}
      hx-target="#results"
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-trigger="submit, change, input delay:300ms from:#q"
      hx-sync="this:replace"
    >
      <div class="search">
        <label for="q" class="visually-hidden">Search servers</label>
        <input
          type="search"
          id="q"
          name="q"
          value={wanted.q}
          placeholder="Search by name, tool or description"
          autocomplete="off"
          maxlength={400}
        />
        <button type="submit">Search</button>
      </div>
      <div class="filters">
        <SelectField
          view={{ name: "lang", label: "Language", value: wanted.lang }}
          options={LANGUAGE_OPTIONS}
        />
        <SelectField
          view={{ name: "verdict", label: "Scan", value: wanted.verdict }}
          options={VERDICT_OPTIONS}
        />
        <SelectField
          view={{ name: "price", label: "Price", value: wanted.price }}
          options={PRICE_OPTIONS}
        />
        <SelectField
          view={{ name: "sort", label: "Sort by", value: wanted.sort || defaultSort(wanted) }}
          options={SORT_OPTIONS}
        />
      </div>
      <MoreFilters wanted={wanted} />
    </form>
  );
}

/** Shows the front page, or its results alone. */
export async function showFind(
  request: PageRequest,
  readFacets: FacetReader,
): Promise<Response> {
  const { c, links, isPart } = request;
  const wanted = readWanted(new URL(c.req.url).searchParams);
  const found = await find(request, wanted, readFacets);
  const results = <Results wanted={wanted} found={found} links={links} />;
  const status = found.kind === "faults" ? 400 : 200;
  if (isPart) return await showPart(request, results, { status });
  const isStart = !isFiltered(wanted) && c.req.query("cursor") === undefined;
  return await showPage(
    request,
    {
      title: isStart ? "Berth" : wanted.q === "" ? "Servers" : `Search: ${wanted.q.slice(0, 80)}`,
      section: "servers",
      ...(isStart ? { canonical: "/" } : {}),
    },
    <>
      <div class="hero">
        <h1>MCP servers, scanned and ready to run</h1>
        <p>
          Find a server, see exactly what its scan found, try its tools here, and call it from any
          MCP client.
        </p>
      </div>
      <search aria-label="Servers">
        <Filters request={request} wanted={wanted} />
      </search>
      {results}
    </>,
    { status },
  );
}
