/**
 * YAML of strangers' repositories: plain values only, within bounds of nesting and repetition.
 *
 * @module
 */
import { packageOnDemand } from "../on_demand.ts";
import { ManifestUnreadable } from "./requirement.ts";

const yaml = packageOnDemand<typeof import("js-yaml")>("js-yaml");

/** No manifest nests deeper by far. */
const MAX_DEPTH = 100;
/** Aliases repeat what they stand for, and that may hold aliases itself. */
const MAX_ALIASES = 100;

function notUnderstood(): ManifestUnreadable {
  return new ManifestUnreadable("its format is not supported");
}

/**
 * The documents of a text.
 *
 * @throws {ManifestUnreadable} When it is no YAML, or beyond the bounds.
 */
export function yamlDocuments(text: string): unknown[] {
  try {
    const { CORE_SCHEMA, loadAll } = yaml();
    return loadAll(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch {
    throw notUnderstood();
  }
}

/**
 * The value of a text of one document; undefined of one without content.
 *
 * @throws {ManifestUnreadable} As {@link yamlDocuments}, and for several documents.
 */
export function parseYaml(text: string): unknown {
  const [first, ...more] = yamlDocuments(text);
  if (more.length > 0) throw notUnderstood();
  return first;
}
