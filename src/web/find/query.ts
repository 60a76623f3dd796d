/**
 * The address of the front page: which servers are looked for.
 *
 * @module
 */
import { issueText } from "../../issues.ts";
import { ListQuery } from "../../registry/schema.ts";

/** Servers of a page. */
export const PAGE_SIZE = 20;

/** Fields of the address, in its order. */
const FIELDS = [
  "q",
  "category",
  "tag",
  "runs",
  "lang",
  "verdict",
  "price",
  "license",
  "author",
  "tool",
  "capability",
  "sort",
] as const;
export type FieldName = typeof FIELDS[number];

/** What the visitor asks for, as the address has it; absent fields are empty. */
export type Wanted = Record<FieldName, string>;

/** Everything, in no order. */
export const EVERYTHING = Object.fromEntries(FIELDS.map((name) => [name, ""])) as Wanted;

/** Reads the address. Unknown parameters are left alone: links carry all sorts. */
export function readWanted(parameters: URLSearchParams): Wanted {
  const entries = FIELDS.map((name) => [name, (parameters.get(name) ?? "").trim()] as const);
  return Object.fromEntries(entries) as Wanted;
}

/** The order where none is asked for. */
export function defaultSort(wanted: Wanted): string {
  return wanted.q === "" ? "popular" : "relevance";
}

/** The fields that are asked for, but for the order. */
export function filtersOf(wanted: Wanted): FieldName[] {
  return FIELDS.filter((name) => name !== "sort" && wanted[name] !== "");
}

/** Whether anything but the order is asked for. */
export function isFiltered(wanted: Wanted): boolean {
  return filtersOf(wanted).length > 0;
}

const FLAGS: Record<string, string> = { passed: "true", other: "false", yes: "true", no: "false" };

/** The query of the registry's list, or what is wrong with the address. */
export function listQueryOf(
  wanted: Wanted,
  cursor: string | null,
): { query: ListQuery } | { faults: { field: string; message: string }[] } {
  const fields: Record<string, string> = {
    q: wanted.q,
    category: wanted.category,
    tag: wanted.tag,
    runs_here: FLAGS[wanted.runs] ?? wanted.runs,
    lang: wanted.lang,
    license: wanted.license,
    author: wanted.author,
    tool: wanted.tool,
    capability: wanted.capability,
    scan_passed: FLAGS[wanted.verdict] ?? wanted.verdict,
    max_price: wanted.price === "free" ? "0" : wanted.price,
    sort: wanted.sort || defaultSort(wanted),
    limit: String(PAGE_SIZE),
    cursor: cursor ?? "",
  };
  const given = Object.entries(fields).filter(([, value]) => value !== "");
  const parsed = ListQuery.safeParse(Object.fromEntries(given));
  if (parsed.success) return { query: parsed.data };
  return {
    faults: parsed.error.issues.map((issue) => ({
      field: String(issue.path[0]),
      message: issueText(issue).slice(0, 200),
    })),
  };
}

/** The address of `wanted`, with `cursor` for a further page. */
export function addressOf(wanted: Wanted, cursor: string | null = null): string {
  const parameters = new URLSearchParams();
  for (const name of FIELDS) if (wanted[name] !== "") parameters.set(name, wanted[name]);
  if (cursor !== null) parameters.set("cursor", cursor);
  const query = parameters.toString();
  return query === "" ? "/" : `/?${query}`;
}
