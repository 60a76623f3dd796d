/**
 * The front page before anything is asked: what is used, what is new, and what there is.
 *
 * @module
 */
import type { Sql } from "../../database/client.ts";
import type { Links } from "../../http/links.ts";
import type { Viewer } from "../../access/rule.ts";
import { type Front, readFront } from "../../registry/servers/front.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { plural } from "../../text/plural.ts";
import { type ListedServer, withShown } from "../layout/listed.ts";
import { ServerCard, ServerLine } from "./item.tsx";
import { addressOf, EVERYTHING } from "./query.ts";

/** The front page's servers, as pages show them. */
export interface ShownFront extends Pick<Front, "total" | "categories"> {
  popular: ListedServer[];
  created: ListedServer[];
  updated: ListedServer[];
}

/** Reads the front page for a viewer; null: as everybody sees it. */
export type FrontReader = (now: Date, viewer: Viewer) => Promise<ShownFront>;

/** Calls go on while nothing in the registry changes. */
const KEPT_MS = 60_000;

async function read(sql: Sql, now: Date, viewer: Viewer): Promise<ShownFront> {
  const { popular, created, updated, ...rest } = await readFront(sql, viewer);
  const shown = await withShown(sql, [...popular, ...created, ...updated], now);
  const byName = new Map(shown.map((server) => [server.name, server]));
  const of = (servers: Front["popular"]) => servers.flatMap(({ name }) => byName.get(name) ?? []);
  return { ...rest, popular: of(popular), created: of(created), updated: of(updated) };
}

/** A reader that reads what everybody sees only when the registry has changed, and after a minute. */
export function createFrontReader(sql: Sql): FrontReader {
  let kept: { mark: string; until: number; front: Promise<ShownFront> } | null = null;
  return async (now, viewer) => {
    if (viewer !== null) return await read(sql, now, viewer);
    const [row] = await sql<{ mark: string }[]>`select mark from catalogue`;
    const mark = row?.mark ?? "";
    const at = performance.now();
    if (kept === null || kept.mark !== mark || at > kept.until) {
      const front = read(sql, now, null);
      const mine = { mark, until: at + KEPT_MS, front };
      kept = mine;
      front.catch(() => {
        if (kept === mine) kept = null;
      });
    }
    return await kept.front;
  };
}

function Categories({ categories, links }: Pick<ShownFront, "categories"> & { links: Links }) {
  return (
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <ul class="categories">
        {categories.map(({ category, count }) => (
          <li>
            <a href={links.path(addressOf({ ...EVERYTHING, category }))}>
              {CATEGORY_LABELS[category]}
              <span class="count">
                {count.toLocaleString("en")}
                <span class="visually-hidden">{count === 1 ? " server" : " servers"}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A section's heading, with the link to all of the list that it begins. */
function Head({ id, title, sort, links }: {
  id: string;
  title: string;
  sort: string;
  links: Links;
}) {
  return (
    <div class="section-head">
      <h2 id={id}>{title}</h2>
      <a href={links.path(addressOf({ ...EVERYTHING, sort }))}>
        Show all<span class="visually-hidden">, {title.toLowerCase()} first</span>
      </a>
    </div>
  );
}

/** The sections; those without servers are left out. */
export function FrontSections({ front, links }: { front: ShownFront; links: Links }) {
  const { popular, created, updated, categories, total } = front;
  return (
    <div id="results">
      <p class="quiet">
        <span role="status">{plural(total, "server")}</span>
        {" · "}
        <a href={links.path(addressOf({ ...EVERYTHING, sort: "name" }))}>Browse all</a>
      </p>
      <Categories categories={categories} links={links} />
      {popular.length === 0 ? null : (
        <section aria-labelledby="popular">
          <Head id="popular" title="Most used" sort="popular" links={links} />
          <ol class="server-cards">
            {popular.map((server) => <ServerCard server={server} links={links} />)}
          </ol>
        </section>
      )}
      {created.length === 0 ? null : (
        <div class="two">
          <section aria-labelledby="new">
            <Head id="new" title="New" sort="created" links={links} />
            <ol class="server-lines">
              {created.map((server) => (
                <ServerLine server={server} at={server.createdAt} links={links} />
              ))}
            </ol>
          </section>
          <section aria-labelledby="updated">
            <Head id="updated" title="Recently updated" sort="updated" links={links} />
            <ol class="server-lines">
              {updated.map((server) => (
                <ServerLine server={server} at={server.updatedAt} links={links} />
              ))}
            </ol>
          </section>
        </div>
      )}
    </div>
  );
}
