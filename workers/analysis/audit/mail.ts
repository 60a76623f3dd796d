/**
 * E-mail addresses in source.
 *
 * @module
 */

/** Whether a literal is one address, whole; placeholders that documentation uses are none. */
export function isMailAddress(text: string): boolean {
  return text.length < 255 && /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text) &&
    !/@example\.(com|org|net)$/i.test(text);
}
