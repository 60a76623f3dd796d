/**
 * Whether HTML is what Berth's own renderer writes of strangers' documents. It comes from a process
 * that read hostile text, so it is looked at again: one plain pass over tags, no parser.
 *
 * @module
 */

const PLAIN = [
  ...["p", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd"],
  ...["table", "thead", "tbody", "tr", "th", "td", "h3", "h4", "h5", "h6", "details", "summary"],
  ...["a", "code", "kbd", "samp", "em", "strong", "b", "i", "del", "s", "sub", "sup", "span"],
];
const VOID = new Set(["br", "hr"]);
const KNOWN = new Set([...PLAIN, ...VOID]);

/** The values that attributes may have, by tag and name. */
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  "a href": /^(?:https?:|mailto:)[^\s]*$/i,
  "a rel": /^nofollow ugc noopener noreferrer$/,
  "ol start": /^-?\d{1,9}$/,
  "pre tabindex": /^0$/,
  "th scope": /^col$/,
};

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)( \/)?>/y;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
/** Tags that may be open at once; the renderer cuts off far earlier. */
const MAX_OPEN = 200;

function areAllowed(tag: string, attributes: string): boolean {
  for (const [, name, value] of attributes.matchAll(ATTRIBUTE)) {
    if (ATTRIBUTES[`${tag} ${name}`]?.test(value!) !== true) return false;
  }
  return true;
}

/** Whether `html` has only known tags, closed in order, with known attributes. */
export function isSafeHtml(html: string): boolean {
  const open: string[] = [];
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", TAG.lastIndex)) {
    TAG.lastIndex = at;
    const match = TAG.exec(html);
    if (match === null) return false;
    const [, closes, tag = "", attributes = "", selfClosing] = match;
    if (!KNOWN.has(tag)) return false;
    if (closes !== "") {
      if (attributes !== "" || selfClosing !== undefined || open.pop() !== tag) return false;
    } else {
      if (!areAllowed(tag, attributes) || (selfClosing !== undefined) !== VOID.has(tag)) {
        return false;
      }
      if (!VOID.has(tag) && open.push(tag) > MAX_OPEN) return false;
    }
  }
  return open.length === 0;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** `text` as it is, for a page. */
export function asItIs(text: string): string {
  const escaped = text.replace(/[&<>]/g, (character) => ESCAPES[character]!);
  return `<pre tabindex="0">${escaped}</pre>`;
}
