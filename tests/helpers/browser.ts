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
  /** Cookies as a `Cookie` header, for `url`. */
  cookies(url: string | URL): string;
}

/** A browser without history. */
export function createBrowser(): Browser {
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

  return {
    cookies,
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
        const response = await fetch(url, { ...request, headers, redirect: "manual" });
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
}
