/**
 * The lists that a server gives, entry by entry, without reading more of one than its name.
 *
 * @module
 */
import { joined, RawJson } from "./raw_json.ts";

/** Where a method's result has its entries, and what names one. */
const LISTS: Record<string, { entries: string; key: string }> = {
  "tools/list": { entries: "tools", key: "name" },
  "resources/list": { entries: "resources", key: "uri" },
  "resources/templates/list": { entries: "resourceTemplates", key: "uriTemplate" },
  "prompts/list": { entries: "prompts", key: "name" },
};

const NAME_MAX_BYTES = 64 * 1024;

/** What a method lists, as its result calls it; null when it gives no list. */
export function listedBy(method: string): string | null {
  return Object.hasOwn(LISTS, method) ? LISTS[method]!.entries : null;
}

/** Entries of a list. `twice`: the result has several lists, of which a client would see one. */
export type Entries = RawJson[] | "twice" | null;

/**
 * Entries of the list that a method gave, `most` and one more at most; null when there is none.
 */
export function entriesOf(method: string, result: RawJson, most: number): Entries {
  const name = listedBy(method);
  if (name === null) return null;
  const members = result.pickOnce(name, "nextCursor");
  if (members === null) return "twice";
  const list = members[name];
  return list?.isList ? [...list.items().take(most + 1)] : null;
}

/** What names an entry; null without a name, or with several. */
export function nameOf(method: string, entry: RawJson): string | null {
  const { key } = LISTS[method]!;
  return entry.pickOnce(key)?.[key]?.string(NAME_MAX_BYTES) ?? null;
}

/** `result` with these entries, and with `nextCursor` when it is given. */
export function withEntries(
  method: string,
  result: RawJson,
  entries: readonly RawJson[],
  nextCursor?: string,
): RawJson {
  const { entries: name } = LISTS[method]!;
  const changed: [string, RawJson][] = [[name, RawJson.of(entries)]];
  if (nextCursor !== undefined) changed.push(["nextCursor", RawJson.of(nextCursor)]);
  return withMembers(result, Object.fromEntries(changed));
}

type Member = [key: string | Uint8Array, value: RawJson];

function objectOf(members: Member[]): RawJson {
  if (members.length === 0) return RawJson.EMPTY;
  const parts = members.flatMap(([key, { bytes }], at) => [at === 0 ? "{" : ",", key, ":", bytes]);
  return RawJson.checked(joined([...parts, "}"]));
}

/** Members of `given` that have none of these names. */
function without(given: RawJson, names: readonly string[]): Member[] {
  return [...given.members()]
    .filter(([key]) => !names.includes(key.key() ?? ""))
    .map(([key, value]) => [key.bytes, value]);
}

/** The object `given` without the member `name`. */
export function withoutMember(given: RawJson, name: string): RawJson {
  return given.member(name) === undefined ? given : objectOf(without(given, [name]));
}

/** The object `given` with these members in place of its own. */
export function withMembers(given: RawJson, changed: Record<string, RawJson>): RawJson {
  const members: Member[] = Object.entries(changed).map((
    [name, value],
  ) => [JSON.stringify(name), value]);
  return objectOf([...without(given, Object.keys(changed)), ...members]);
}
