/**
 * Which files a function's parameters are, told by labels to a function that writes them.
 *
 * @module
 */
import type { SyntaxNode } from "../../syntax/tree.ts";
import { fileKeys } from "./file_keys.ts";
import type { ObservedCall } from "./flow.ts";
import type { Label } from "./labels.ts";

const AT = "at:";
const MAX_PLACES = 6;
const WRITES = /\bwrite|\bopen\(|\.dump\(|copyfile|print\(|retrieve|extract/;

/** Whether a function writes files, so that it matters which files its parameters are. */
export function mayWrite(text: string): boolean {
  return WRITES.test(text);
}

/** The labels of an argument by the files that it may be. */
export function placeLabels({ names }: ObservedCall, value: SyntaxNode): Label[] {
  return fileKeys(names, value).slice(0, MAX_PLACES).map((key) => AT + key);
}

/** The files that a parameter is told to be. */
export function placesIn(labels: ReadonlySet<Label>): string[] {
  return [...labels].filter((label) => label.startsWith(AT)).map((label) => label.slice(AT.length));
}
