/**
 * Addresses of requests: what of them the source states.
 *
 * @module
 */
import { textOf } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import type { ObservedCall } from "./observed.ts";

/** Whether a literal beginning fixes scheme and host, so that only the path is the caller's. */
export function fixesHost({ names }: ObservedCall, address: SyntaxNode): boolean {
  const text = textOf(names.tree, address).slice(0, 1000);
  if (/^[rbf]*["']{1,3}https?:\/\/[^/{"'\s]+\/?[/?"'{]/i.test(text)) {
    return !/^[rbf]*["']{1,3}https?:\/\/[^/{"']*\{/i.test(text);
  }
  // `BASE + path`, `f"{BASE}/…"` with a constant of the module.
  const start = /^(?:f["']{1,3}\{)?([A-Za-z_][\w.]*)/.exec(text)?.[1];
  const constant = start === undefined ? undefined : names.constants.get(start);
  return constant !== undefined && /^https?:\/\/[^/]+/.test(constant);
}
