/**
 * HTML as a template tag that escapes whatever is put in.
 *
 * @module
 */

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of HTML that is safe to show. */
export class Html {
  /** @param text Markup; made by {@link html} only. */
  constructor(readonly text: string) {}
}

/** What can be put into a template: `null` and `false` show nothing. */
export type Fragment = Html | string | number | null | false | readonly Fragment[];

/** `text` with every character that means something in HTML escaped. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

function show(fragment: Fragment): string {
  if (fragment instanceof Html) return fragment.text;
  if (fragment === null || fragment === false) return "";
  if (Array.isArray(fragment)) return fragment.map(show).join("");
  return escapeHtml(String(fragment));
}

/** Markup with everything in `${}` escaped, but other markup. */
export function html(parts: TemplateStringsArray, ...fragments: Fragment[]): Html {
  return new Html(String.raw({ raw: parts }, ...fragments.map(show)));
}
