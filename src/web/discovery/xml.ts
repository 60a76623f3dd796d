/**
 * Text in XML documents.
 *
 * @module
 */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// What is no character of XML 1.0 (section 2.2) makes a document unreadable, escaped or not.
// deno-lint-ignore no-control-regex
const NO_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** `text` as content of an element or of a quoted attribute. */
export function xmlText(text: string): string {
  return text.toWellFormed().replaceAll(NO_CHARACTERS, "")
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
