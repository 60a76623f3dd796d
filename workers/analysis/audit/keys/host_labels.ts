/**
 * What the host of an address carries, without what its path does.
 *
 * @module
 */
import { plainValue, valuesOf } from "../../python/values/assigned.ts";
import { textOf } from "../../syntax/source_tree.ts";
import { named, type SyntaxNode } from "../../syntax/tree.ts";
import type { ObservedCall } from "../flow/observed.ts";
import type { Label } from "../flow/labels.ts";

const TEXTS = /^(string|concatenated_string)$/;
/** Behind the last `://` of a text: a host, and the beginning of its path. */
const AFTER_HOST = /^[^/?#\s]*[/?#]\S*$/;

function isAfterHost(address: string): boolean {
  const at = address.lastIndexOf("://");
  return at >= 0 && AFTER_HOST.test(address.slice(at + 3));
}

/** The texts that a value is; null where it may be anything else. */
function writtenTexts({ names }: ObservedCall, node: SyntaxNode): SyntaxNode[] | null {
  const plain = plainValue(node);
  if (TEXTS.test(plain.type)) return [plain];
  if (plain.type !== "identifier") return null;
  const { values, open } = valuesOf(names, plain);
  const texts = values.map(plainValue);
  return open || texts.some(({ type }) => !TEXTS.test(type)) ? null : texts;
}

/** The labels of an address's host, or of all of it where that is not written out. */
export function hostLabels(call: ObservedCall, node: SyntaxNode): ReadonlySet<Label> {
  const texts = writtenTexts(call, node);
  if (texts === null) return call.labels(node);
  const found = new Set<Label>();
  for (const text of texts) {
    let address = "";
    const strings = text.type === "string" ? [text] : named(text);
    for (const part of strings.flatMap(({ children }) => children)) {
      if (part.type === "string_content") address += textOf(call.names.tree, part);
      else if (part.type === "interpolation" && !isAfterHost(address)) {
        for (const label of call.labels(part)) found.add(label);
      }
    }
  }
  return found;
}
