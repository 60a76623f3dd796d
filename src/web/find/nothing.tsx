/**
 * What a search that finds nothing suggests.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { proposeTopics } from "../../registry/topics/propose.ts";
import { Empty } from "../layout/parts.tsx";
import { addressOf, EVERYTHING, filtersOf, isFiltered, type Wanted } from "./query.ts";

/** A registry without servers. */
export function NoServers({ links }: { links: Links }) {
  return (
    <Empty title="No servers yet">
      <p>Be the first to publish one: all you need is the URL of a repository.</p>
      <p>
        <a href={links.path("/publish")} class="button">Publish a server</a>
      </p>
    </Empty>
  );
}

/** The category that the words are about, where there is one. */
function CategoryOf({ q, links }: { q: string; links: Links }) {
  const { category } = proposeTopics({ name: q, tools: [], description: q });
  if (category === "other") return null;
  return (
    <p>
      Servers of this kind may be in{" "}
      <a href={links.path(addressOf({ ...EVERYTHING, category }))}>{CATEGORY_LABELS[category]}</a>.
    </p>
  );
}

/** Ways on from a search that found nothing. */
export function Nothing({ wanted, links }: { wanted: Wanted; links: Links }) {
  if (!isFiltered(wanted)) return <NoServers links={links} />;
  const { q } = wanted;
  const isNarrow = filtersOf(wanted).some((name) => name !== "q");
  return (
    <Empty title="No matching servers">
      <p>Use fewer words, or say what a server should do, such as “send mail”.</p>
      {q === "" ? null : <CategoryOf q={q} links={links} />}
      <p class="actions">
        {isNarrow && q !== ""
          ? (
            <a href={links.path(addressOf({ ...EVERYTHING, q }))} class="button">
              Search without filters
            </a>
          )
          : null}
        <a href={links.path("/")} class="button secondary">Show all servers</a>
      </p>
    </Empty>
  );
}
