/**
 * The front page: searching, filtering and sorting servers.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import type { Viewer } from "../../access/rule.ts";
import type { ListQuery } from "../../registry/schema.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import type { FacetReader } from "../../registry/servers/facets.ts";
import { FRONT_FEEDS } from "../discovery/feeds.ts";
import { Term } from "../guide/glossary.tsx";
import type { PageRequest } from "../layout/context.ts";
import { fullTitle, type PageHead } from "../layout/document.tsx";
import { withShown } from "../layout/listed.ts";
import { showPage, showPart } from "../layout/respond.tsx";
import { HiddenFilters } from "./filters.tsx";
import { type FrontReader, FrontSections } from "./front.tsx";
import { NoServers } from "./nothing.tsx";
import { isFiltered, listQueryOf, readWanted, type Wanted } from "./query.ts";
import { type Found, Results } from "./results.tsx";

/** What the page reads by, each with what it keeps. */
export interface FindReaders {
  facets: FacetReader;
  front: FrontReader;
}

async function readPage(
  { services }: PageRequest,
  viewer: Viewer,
  query: ListQuery,
  { facets }: FindReaders,
): Promise<Omit<Found & { kind: "page" }, "corrected">> {
  const [{ servers, totalMatching, ...cursors }, counted] = await Promise.all([
    services.app.registry.list(query, viewer),
    facets({ query, viewer }),
  ]);
  return {
    kind: "page",
    servers: await withShown(services.sql, servers, services.app.now()),
    total: totalMatching,
    facets: counted,
    ...cursors,
  };
}

/** What the words find, or else those that they may have been meant to be. */
async function readForgiving(
  request: PageRequest,
  query: ListQuery,
  readers: FindReaders,
): Promise<Found> {
  const { registry } = request.services.app;
  const viewer = await registry.viewer(request.visitor.caller);
  const found = await readPage(request, viewer, query, readers);
  if (found.total > 0 || query.q === undefined) return { ...found, corrected: null };
  const corrected = await registry.correct(query.q, viewer);
  if (corrected === null) return { ...found, corrected };
  const again = await readPage(request, viewer, { ...query, q: corrected }, readers);
  return again.total === 0 ? { ...found, corrected: null } : { ...again, corrected };
}

async function find(
  request: PageRequest,
  wanted: Wanted,
  readers: FindReaders,
): Promise<Found> {
  const cursor = request.c.req.query("cursor") ?? null;
  const asked = listQueryOf(wanted, cursor);
  if ("faults" in asked) return { kind: "faults", faults: asked.faults };
  try {
    return await readForgiving(request, asked.query, readers);
  } catch (error) {
    // A page that was bookmarked before the filters changed, or too many words.
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    const field = cursor === null ? "q" : "cursor";
    return { kind: "faults", faults: [{ field, message: error.message }] };
  }
}

function SearchForm({ request, wanted }: { request: PageRequest; wanted: Wanted }) {
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
      hx-trigger="submit, input delay:300ms from:#q"
      hx-sync="this:replace"
    >
      <div class="search">
        <label for="q" class="visually-hidden">Search servers</label>
        <input
          type="search"
          id="q"
          name="q"
          value={wanted.q}
          placeholder="What should it do? For example: send mail"
          autocomplete="off"
          maxlength={400}
        />
        <button type="submit">Search</button>
      </div>
      <HiddenFilters wanted={{ ...wanted, q: "", sort: "" }} />
    </form>
  );
}

function headOf(wanted: Wanted, isStart: boolean): PageHead {
  const section = "servers" as const;
  if (isStart) return { title: "Berth", section, canonical: "/", feeds: FRONT_FEEDS };
  if (wanted.q !== "") return { title: `Search: ${wanted.q.slice(0, 80)}`, section };
  const label = CATEGORY_LABELS[wanted.category as keyof typeof CATEGORY_LABELS];
  return { title: label ?? "Servers", section };
}

/** What is below the search: sections before anything is asked, else what was found. */
async function contentOf(request: PageRequest, wanted: Wanted, readers: FindReaders) {
  const { c, links, services } = request;
  const isStart = !isFiltered(wanted) && wanted.sort === "" && c.req.query("cursor") === undefined;
  if (!isStart) {
    const found = await find(request, wanted, readers);
    const status = found.kind === "faults" ? 400 as const : 200 as const;
    return { isStart, status, content: <Results wanted={wanted} found={found} links={links} /> };
  }
  const viewer = await services.app.registry.viewer(request.visitor.caller);
  const front = await readers.front(services.app.now(), viewer);
  const content = front.total === 0
    ? (
      <div id="results">
        <NoServers links={links} />
      </div>
    )
    : <FrontSections front={front} links={links} />;
  return { isStart, status: 200 as const, content };
}

/** Shows the front page, or what is below its search alone. */
export async function showFind(request: PageRequest, readers: FindReaders): Promise<Response> {
  const wanted = readWanted(new URL(request.c.req.url).searchParams);
  const { isStart, status, content } = await contentOf(request, wanted, readers);
  const head = headOf(wanted, isStart);
  if (request.isPart) {
    // The script takes the title out, and gives it to the page.
    const part = (
      <>
        {content}
        <title>{fullTitle(head)}</title>
      </>
    );
    return await showPart(request, part, { status });
  }
  return await showPage(
    request,
    head,
    <>
      <div class={isStart ? "hero" : "hero small-hero"}>
        <h1>MCP servers, scanned and ready to run</h1>
        {isStart
          ? (
            <p>
              Find a <Term word="server" links={request.links}>server</Term>, see exactly what its
              {" "}
              <Term word="scan" links={request.links}>scan</Term> found, try its{" "}
              <Term word="tool" links={request.links}>tools</Term> here, and call it from any{" "}
              <Term word="client" links={request.links}>MCP client</Term>.
            </p>
          )
          : null}
      </div>
      <search aria-label="Servers">
        <SearchForm request={request} wanted={wanted} />
      </search>
      {content}
    </>,
    { status },
  );
}
