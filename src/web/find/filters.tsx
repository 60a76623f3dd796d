/**
 * Filters as links, beside the list on wide screens and behind a heading on narrow ones.
 *
 * @module
 */
import type { Links } from "../../http/links.ts";
import type { Facets, FacetValue } from "../../registry/servers/facets.ts";
import { CATEGORY_LABELS } from "../../registry/topics/categories.ts";
import { LANGUAGES } from "../../scan/schema.ts";
import { SIGNS } from "../layout/capability_signs.tsx";
import { TextField } from "../layout/forms.tsx";
import { languageName } from "../layout/price.ts";
import { addressOf, type FieldName, filtersOf, type Wanted } from "./query.ts";

/** A value that can be chosen; the count is absent where counting would take long. */
interface Choice extends Omit<FacetValue, "count"> {
  count?: number;
  label?: string;
}

/** A filter and its values. */
interface FilterView {
  name: FieldName;
  title: string;
  values: readonly Choice[];
}

const VALUE_LABELS: Partial<Record<FieldName, Record<string, string>>> = {
  category: CATEGORY_LABELS,
  runs: { yes: "Runs here", no: "Does not run here" },
  verdict: { passed: "Passed", other: "Not passed" },
  price: { free: "Free" },
  capability: {
    none: "None",
    ...Object.fromEntries(Object.entries(SIGNS).map(([kind, { label }]) => [kind, label])),
  },
  lang: Object.fromEntries(LANGUAGES.map((lang) => [lang, languageName(lang)])),
};

/** Filters for people. */
export const FILTER_LABELS: Record<FieldName, string> = {
  q: "Search",
  category: "Category",
  tag: "Tag",
  runs: "Build",
  lang: "Language",
  verdict: "Scan",
  price: "Price",
  license: "License",
  author: "Author",
  tool: "Has the tool",
  capability: "Capability",
  sort: "Sort by",
};

function labelOf(name: FieldName, value: string): string {
  return VALUE_LABELS[name]?.[value] ?? value;
}

function fixed(name: FieldName): FilterView {
  const values = Object.keys(VALUE_LABELS[name]!).map((value) => ({ value }));
  return { name, title: FILTER_LABELS[name], values };
}

function Filter({ view, wanted, links }: { view: FilterView; wanted: Wanted; links: Links }) {
  const { name, title, values } = view;
  const chosen = wanted[name];
  const isChosen = ({ value }: Choice) => value.toLowerCase() === chosen.toLowerCase();
  const shown = chosen === "" || values.some(isChosen) ? values : [{ value: chosen }, ...values];
  return (
    <section aria-labelledby={`filter-${name}`}>
      <h3 id={`filter-${name}`}>{title}</h3>
      <ul>
        {chosen === "" ? null : (
          <li>
            <a href={links.path(addressOf({ ...wanted, [name]: "" }))}>
              Any {title.toLowerCase()}
            </a>
          </li>
        )}
        {shown.map((one: Choice) => (
          <li>
            <a
              href={links.path(addressOf({ ...wanted, [name]: one.value }))}
              aria-current={chosen !== "" && isChosen(one) ? "true" : undefined}
            >
              <bdi>{labelOf(name, one.value)}</bdi>
              {one.count === undefined ? null : (
                <span class="count">
                  {one.count.toLocaleString("en")}
                  <span class="visually-hidden">{one.count === 1 ? " server" : " servers"}</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The filter by a tool's name, which nobody can choose from a list. */
function ToolForm({ wanted, links }: { wanted: Wanted; links: Links }) {
  return (
    <form method="get" action={links.path("/")} class="tool-filter">
      <HiddenFilters wanted={{ ...wanted, tool: "" }} />
      <TextField
        view={{
          name: "tool",
          label: FILTER_LABELS.tool,
          value: wanted.tool,
          required: false,
          attributes: { autocomplete: "off", maxlength: 128 },
        }}
      />
      <button type="submit" class="secondary">Filter</button>
    </form>
  );
}

/** Everything that is asked for, for forms that ask for something more. */
export function HiddenFilters({ wanted }: { wanted: Wanted }) {
  return (
    <>
      {Object.entries(wanted).filter(([, value]) => value !== "").map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** The filters, of which those that divide nothing are left out. */
export function Filters(
  { wanted, facets, links }: { wanted: Wanted; facets: Facets; links: Links },
) {
  const views: FilterView[] = [
    { name: "category", title: "Category", values: facets.categories },
    fixed("runs"),
    fixed("verdict"),
    fixed("capability"),
    fixed("lang"),
    fixed("price"),
    { name: "license", title: "License", values: facets.licenses },
    { name: "author", title: "Author", values: facets.authors },
    { name: "tag", title: "Tag", values: [] },
  ];
  const counted = new Set<FieldName>(["category", "license", "author"]);
  const shown = views.filter(({ name, values }) =>
    wanted[name] !== "" || values.length > (counted.has(name) ? 1 : 0)
  );
  const used = filtersOf(wanted).filter((name) => name !== "q").length;
  return (
    <details class="drawer">
      <summary>
        Filters{used === 0 ? null : <span class="count">{used}</span>}
      </summary>
      <nav class="facets" aria-label="Filters">
        {shown.map((view) => <Filter view={view} wanted={wanted} links={links} />)}
      </nav>
      <ToolForm wanted={wanted} links={links} />
    </details>
  );
}

/** What is asked for, each with a link to let it go. */
export function Chosen({ wanted, links }: { wanted: Wanted; links: Links }) {
  const names = filtersOf(wanted).filter((name) => name !== "q");
  if (names.length === 0) return null;
  return (
    <ul class="chosen" aria-label="Filters in use">
      {names.map((name) => (
        <li>
          <a href={links.path(addressOf({ ...wanted, [name]: "" }))}>
            <span class="visually-hidden">Remove the filter</span>{" "}
            <span class="nowrap">{FILTER_LABELS[name]}:</span>{" "}
            <bdi>{labelOf(name, wanted[name])}</bdi>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
