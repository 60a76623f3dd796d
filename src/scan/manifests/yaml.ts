/**
 * YAML of strangers' repositories: plain values only, within bounds of nesting and repetition.
 *
 * @module
 */
import { CORE_SCHEMA, loadAll } from "js-yaml";

/** No manifest nests deeper by far. */
const MAX_DEPTH = 100;
/** Aliases repeat what they stand for, and that may hold aliases itself. */
const MAX_ALIASES = 100;

/** The documents of a text. Throws when it is no YAML, or beyond the bounds. */
export function yamlDocuments(text: string): unknown[] {
  return loadAll(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
}

/** The value of a text of one document; undefined of one without content. */
export function parseYaml(text: string): unknown {
  const [first, ...more] = yamlDocuments(text);
  if (more.length > 0) throw new Error("There is more than one document");
  return first;
}
