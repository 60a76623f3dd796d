/**
 * What an update changes, and whether that was scanned.
 *
 * @module
 */
import type { Visibility } from "../../access/schema.ts";
import type { AddressHost } from "../../code_host_settings.ts";
import { parseRepositoryAddress } from "../../repository/address.ts";
import type { RecordFields, ServerRow } from "./record.ts";
import type { UpdateServer } from "../schema.ts";

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}

/**
 * `repository` with its address as it is stored and shown: what people see is what is fetched.
 *
 * @throws {AppError} `invalid_request` when the address cannot be used.
 */
export function normalRepository(
  repository: RecordFields["repository"],
  codeHosts: readonly AddressHost[],
): RecordFields["repository"] {
  return { ...repository, url: parseRepositoryAddress(repository.url, codeHosts).normal };
}

/**
 * `input` without what it says of topics as the record shows them: what was proposed and is sent back
 * stays proposed.
 */
export function withoutProposedTopics(
  input: UpdateServer,
  row: Pick<ServerRow, "given_category" | "given_tags" | "category" | "tags">,
): UpdateServer {
  const { category, tags, ...rest } = input;
  const isProposed = row.given_category === null && category === row.category;
  const areProposed = row.given_tags === null && Array.isArray(tags) && sameNames(tags, row.tags);
  return {
    ...rest,
    ...(category === undefined || isProposed ? {} : { category }),
    ...(tags === undefined || areProposed ? {} : { tags }),
  };
}

/** `before` with what `input` has. Tools that are sent back as they were stay discovered. */
export function withChanges(before: RecordFields, input: UpdateServer): RecordFields {
  const tools = input.tools?.names;
  const reported = tools !== undefined && !sameNames(tools, before.tools);
  return {
    version: input.version ?? before.version,
    description: input.description ?? before.description,
    author: input.author ?? before.author,
    lang: input.lang ?? before.lang,
    license: input.license ?? before.license,
    entrypoint: input.entrypoint ?? before.entrypoint,
    repository: input.repository ?? before.repository,
    tools: reported ? tools : before.tools,
    toolsDiscovered: before.toolsDiscovered && !reported,
    pricing: input.pricing ?? before.pricing,
    configuration: input.configuration === undefined ? before.configuration : input.configuration,
    category: input.category === undefined ? before.category : input.category,
    tags: input.tags === undefined ? before.tags : input.tags,
    visibility: input.visibility ?? before.visibility,
  };
}

/** The names of the fields that differ. */
export function changedFields(before: RecordFields, after: RecordFields): string[] {
  const names = Object.keys(before) as (keyof RecordFields)[];
  return names.filter((name) =>
    name !== "toolsDiscovered" && JSON.stringify(before[name]) !== JSON.stringify(after[name])
  );
}

/** Whether two addresses select different content. */
function isOtherRepository(
  before: string,
  after: string,
  codeHosts: readonly AddressHost[],
): boolean {
  if (before === after) return false;
  const normal = parseRepositoryAddress(after, codeHosts).normal;
  try {
    return parseRepositoryAddress(before, codeHosts).normal !== normal;
  } catch {
    return true; // Of a host that is no longer allowed.
  }
}

/**
 * Whether a change touches what was scanned: version, language, entrypoint, repository or tools.
 *
 * @throws {AppError} `invalid_request` when the new repository's address cannot be used.
 */
export function needsScan(
  before: RecordFields,
  after: RecordFields,
  codeHosts: readonly AddressHost[],
): boolean {
  const other = isOtherRepository(before.repository.url, after.repository.url, codeHosts);
  return other || before.version !== after.version || before.lang !== after.lang ||
    before.entrypoint !== after.entrypoint || !sameNames(before.tools, after.tools);
}

/**
 * Who reads a server once its repository was read: what comes from one that some may not read is not
 * shown to everybody unless its owner says so.
 *
 * @param asked What the owner says; null for nothing.
 */
export function visibilityOf(
  asked: Visibility | null,
  { before, isNowPrivate }: { before: Visibility; isNowPrivate: boolean },
): Visibility {
  if (asked !== null) return asked;
  return isNowPrivate && before === "public" ? "private" : before;
}
