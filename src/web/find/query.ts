/**
 * The address of the front page: which servers are looked for.
 *
 * @module
 */
import { issueText } from "../../issues.ts";
import { ListQuery } from "../../registry/schema.ts";

/** Servers of a page. */
export const PAGE_SIZE = 20;

/** Fields of the form, in the order of the address. */
const FIELDS = [
  "q",
  "lang",
  "verdict",
  "price",
  "license",
  "author",
  "tool",
  "capability",
  "sort",
] as const;
type FieldName = typeof FIELDS[number];

/** What the visitor asks for, as the form has it; absent fields are empty. */
export type Wanted = Record<FieldName, string>;

/** Reads the address. Unknown parameters are left alone: links carry all sorts. */
export function readWanted(parameters: URLSearchParams): Wanted {
  const entries = FIELDS.map((name) => [name, (parameters.get(name) ?? "").trim()] as const);
  return Object.fromEntries(entries) as Wanted;
}

/** The order where none is asked for. */
export function defaultSort(wanted: Wanted): string {
  return wanted.q === "" ? "updated" : "relevance";
}

/** Whether anything but the order is asked for. */
export function isFiltered(wanted: Wanted): boolean {
  return FIELDS.some((name) => name !== "sort" && wanted[name] !== "");
}

/** Whether a filter beside the words is in use. */
export function hasMore(wanted: Wanted): boolean {
  return [wanted.license, wanted.author, wanted.tool, wanted.capability].some((one) => one !== "");
}

/** The query of the registry's list, or what is wrong with the address. */
export function listQueryOf(
  wanted: Wanted,
  cursor: string | null,
): { query: ListQuery } | { faults: { field: string; message: string }[] } {
  const fields: Record<string, string> = {
    q: wanted.q,
    lang: wanted.lang,
    license: wanted.license,
    author: wanted.author,
    tool: wanted.tool,
    capability: wanted.capability,
    scan_passed: { passed: "true", other: "false" }[wanted.verdict] ?? wanted.verdict,
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
