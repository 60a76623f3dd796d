/**
 * Markdown and HTML of strangers, of which only what cannot do harm is left.
 *
 * @module
 */
import { marked } from "marked";
import sanitizeHtml from "sanitize-html";

const BLOCKS = ["p", "blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd", "hr", "br"];
const TABLES = ["table", "thead", "tbody", "tr", "th", "td"];
const TEXT = [
  "a",
  "code",
  "kbd",
  "samp",
  "em",
  "strong",
  "b",
  "i",
  "del",
  "s",
  "sub",
  "sup",
  "span",
];
const MORE = ["h3", "h4", "h5", "h6", "details", "summary"];

/** Two levels down: the page has the first two. */
function lowered(level: number): string {
  return `h${Math.min(level + 2, 6)}`;
}

function linkAttributes(attributes: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { href } = attributes;
  // Relative ones lead nowhere here.
  if (href === undefined || !/^(https?:|mailto:)/i.test(href)) return {};
  return { href, rel: "nofollow ugc noopener noreferrer" };
}

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...BLOCKS, ...TABLES, ...TEXT, ...MORE],
  allowedAttributes: { a: ["href", "rel"], th: ["scope"], ol: ["start"], pre: ["tabindex"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  transformTags: {
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((
        level,
      ) => [`h${level}`, sanitizeHtml.simpleTransform(lowered(level), {}, false)]),
    ),
    a: (_name, attributes) => {
      const kept = linkAttributes(attributes);
      return { tagName: kept["href"] === undefined ? "span" : "a", attribs: kept };
    },
    // Pictures would come from elsewhere: their text is shown instead.
    img: (_name, { alt }) => ({
      tagName: "span",
      attribs: {},
      text: alt ? `[${alt.slice(0, 200)}]` : "",
    }),
    // What scrolls can be scrolled by keyboard.
    pre: () => ({ tagName: "pre", attribs: { tabindex: "0" } }),
    th: () => ({ tagName: "th", attribs: { scope: "col" } }),
  },
  nestingLimit: 50,
};

/** `text` as it is. */
function asItIs(text: string): string {
  const escaped = sanitizeHtml(text, { allowedTags: [], disallowedTagsMode: "escape" });
  return `<pre tabindex="0">${escaped}</pre>`;
}

/** Markdown as HTML that is safe to put into a page. What cannot be read as such is shown as it is. */
export function renderMarkdown(text: string): string {
  try {
    return sanitizeHtml(marked.parse(text, { async: false, gfm: true }), OPTIONS);
  } catch {
    // Nested too deep, say.
    return asItIs(text);
  }
}
