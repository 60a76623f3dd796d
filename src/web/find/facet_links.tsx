/**
 * Filters by license and author as links, each with what it would leave.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import type { Facets, FacetValue } from "../../registry/servers/facets.ts";
import { addressOf, type Wanted } from "./query.ts";

/** Filters of the address that have links. */
type FacetName = "license" | "author";

interface FacetView {
  name: FacetName;
  title: string;
  values: readonly FacetValue[];
}

function Facet(
  { view: { name, title, values }, wanted, links }: {
    view: FacetView;
    wanted: Wanted;
    links: Links;
  },
) {
  const chosen = wanted[name];
  const isChosen = ({ value }: FacetValue) => value.toLowerCase() === chosen.toLowerCase();
  const without = links.path(addressOf({ ...wanted, [name]: "" }));
  return (
    <section aria-labelledby={`facet-${name}`}>
      <h3 id={`facet-${name}`}>{title}</h3>
      <ul>
        {chosen === "" ? null : (
          <li>
            <a href={without}>Any {title.toLowerCase()}</a>
          </li>
        )}
        {chosen === "" || values.some(isChosen) ? null : (
          <li>
            <a href={links.path(addressOf(wanted))} aria-current="true">
              <bdi>{chosen}</bdi>
            </a>
          </li>
        )}
        {values.map((one) => (
          <li>
            <a
              href={links.path(addressOf({ ...wanted, [name]: one.value }))}
              aria-current={isChosen(one) ? "true" : undefined}
            >
              <bdi>{one.value}</bdi>
              <span class="count">
                {one.count.toLocaleString("en")}
                <span class="visually-hidden">{one.count === 1 ? " server" : " servers"}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The links; nothing where there is nothing to choose from. */
export function FacetLinks(
  { wanted, facets, links }: { wanted: Wanted; facets: Facets; links: Links },
) {
  const views: FacetView[] = [
    { name: "license", title: "License", values: facets.licenses },
    { name: "author", title: "Author", values: facets.authors },
  ];
  // A single value divides nothing.
  const shown = views.filter(({ name, values }) => wanted[name] !== "" || values.length > 1);
  if (shown.length === 0) return null;
  return (
    <nav class="facets" aria-label="Licenses and authors">
      {shown.map((view) => <Facet view={view} wanted={wanted} links={links} />)}
    </nav>
  );
}
