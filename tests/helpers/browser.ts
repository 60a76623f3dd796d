/**
 * As much of a browser as signing in takes: cookies by origin and redirects.
 *
 * @module
 */

const MAX_HOPS = 20;

/** What {@link Browser.open} ended at. */
export interface Page {
  url: URL;
  response: Response;
}

/** Follows redirects and keeps cookies. Close what it returns: a page's body is the caller's. */
export interface Browser {
  /**
   * Opens `url`. Stops, without asking it, at the first address that begins with `stopAt`.
   */
  open(url: string | URL, init?: RequestInit, stopAt?: string): Promise<Page>;
  /**
   * Sends the form number `index` of a page whose text is `html`, with its hidden fields and
   * `fields`; then as {@link open}.
   */
  submit(
    page: { url: URL; html: string },
    fields?: Record<string, string>,
    options?: { index?: number; stopAt?: string },
  ): Promise<Page>;
  /** Cookies as a `Cookie` header, for `url`. */
  cookies(url: string | URL): string;
}

function unescape(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return text
    .replace(
      /&#(x[\da-f]+|\d+);/gi,
      (_whole, code: string) =>
        String.fromCodePoint(parseInt(code.replace(/^x/i, ""), /^x/i.test(code) ? 16 : 10)),
    )
    .replace(/&(amp|lt|gt|quot);/g, (_whole, name: string) => named[name]!);
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(tag);
  return found === null ? null : unescape(found[1] ?? found[2] ?? found[3] ?? "");
}

/** The forms of a page: where they go and what they send unasked. */
export function formsOf(
  page: { url: URL; html: string },
): { action: URL; fields: URLSearchParams }[] {
  return [...page.html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/gi)].map(([form]) => {
    const fields = new URLSearchParams();
    for (const [tag] of form.matchAll(/<input\b[^>]*>/gi)) {
      const name = attribute(tag, "name");
      if (name !== null) fields.append(name, attribute(tag, "value") ?? "");
    }
    const open = /<form\b[^>]*>/i.exec(form)![0];
    return { action: new URL(attribute(open, "action") ?? "", page.url), fields };
  });
}

/** Answers requests; never follows a redirect. */
export type Send = (url: URL, init: RequestInit) => Promise<Response>;

/** A browser without history. @param send Asks the network by default. */
export function createBrowser(
  send: Send = (url, init) => fetch(url, { ...init, redirect: "manual" }),
): Browser {
  const jar = new Map<string, Map<string, { value: string; path: string }>>();

  function keep(url: URL, response: Response): void {
    const own = jar.get(url.host) ?? new Map();
    jar.set(url.host, own);
    for (const header of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
      const name = pair.slice(0, pair.indexOf("="));
      const value = pair.slice(pair.indexOf("=") + 1);
      const find = (key: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
      const expires = find("expires");
      const gone = value === "" || find("max-age") === "0" ||
        (expires !== undefined && new Date(expires) < new Date());
      if (gone) own.delete(name);
      else own.set(name, { value, path: find("path") ?? "/" });
    }
  }

  function cookies(address: string | URL): string {
    const url = new URL(address);
    return [...jar.get(url.host) ?? []]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  }

  const browser: Browser = {
    cookies,
    async submit(page, more = {}, { index = 0, stopAt } = {}) {
      const form = formsOf(page)[index];
      if (form === undefined) throw new Error(`No form ${index} at ${page.url}: ${page.html}`);
      for (const [name, value] of Object.entries(more)) form.fields.set(name, value);
      const init = {
        method: "POST",
        // As browsers do; pages check where a form was sent from.
        headers: { origin: page.url.origin, "sec-fetch-site": "same-origin" },
        body: form.fields,
      };
      return await browser.open(form.action, init, stopAt);
    },
    async open(address, init = {}, stopAt) {
      let url = new URL(address);
      let request = init;
      for (let hop = 0; hop < MAX_HOPS; hop++) {
        if (stopAt !== undefined && url.href.startsWith(stopAt)) {
          return { url, response: new Response(null, { status: 204 }) };
        }
        const headers = new Headers(request.headers);
        const cookie = cookies(url);
        if (cookie !== "") headers.set("cookie", cookie);
        const response = await send(url, { ...request, headers });
        keep(url, response);
        const location = response.headers.get("location");
        if (response.status < 300 || response.status > 399 || location === null) {
          return { url, response };
        }
        await response.body?.cancel();
        url = new URL(location, url);
        // As browsers do after a form.
        if (response.status !== 307 && response.status !== 308) request = {};
      }
      throw new Error(`More than ${MAX_HOPS} redirects, the last to ${url}`);
    },
  };
  return browser;
}
