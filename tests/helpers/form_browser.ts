/**
 * Just enough of a browser without scripts to walk through forms: cookies by path, redirects,
 * hidden fields.
 *
 * @module
 */
import { assert } from "@std/assert";

/** Answers requests, such as an application's `request` or `fetch`. */
export type Send = (url: string, init: RequestInit) => Response | Promise<Response>;

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** A form on a page. */
export interface Form {
  action: string;
  fields: Record<string, string>;
}

/** A loaded page. */
export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
  /** `Set-Cookie` values on the way here. */
  setCookies: string[];
  forms: Form[];
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

function unescape(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]!);
}

function attribute(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}="([^"]*)"`).exec(tag);
  return match === null ? null : unescape(match[1]!);
}

function formsOf(text: string): Form[] {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, tag, inside]) => {
    const fields: Record<string, string> = {};
    for (const [input] of inside!.matchAll(/<input\b[^>]*>/g)) {
      const name = attribute(input, "name");
      if (name !== null) fields[name] = attribute(input, "value") ?? "";
    }
    return { action: attribute(tag!, "action") ?? "", fields };
  });
}

/** A browser with its cookies. It follows redirects within `origin` and stops at others. */
export class Browser {
  readonly #cookies: Cookie[] = [];
  /** @param origin Where `send` answers. */
  constructor(readonly origin: string, readonly send: Send) {}

  #cookieHeader(url: URL): string {
    return this.#cookies.filter(({ path }) =>
      url.pathname === path || url.pathname.startsWith(path.endsWith("/") ? path : `${path}/`)
    ).map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  #keep(url: URL, set: string): void {
    const [pair, ...attributes] = set.split(";").map((part) => part.trim());
    const at = pair!.indexOf("=");
    const name = pair!.slice(0, at);
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? url.pathname;
    const index = this.#cookies.findIndex((one) => one.name === name && one.path === path);
    if (index >= 0) this.#cookies.splice(index, 1);
    const gone = attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one));
    if (!gone) this.#cookies.push({ name, value: pair!.slice(at + 1), path });
  }

  /** The cookies that it has, by name. */
  get cookies(): Record<string, string> {
    return Object.fromEntries(this.#cookies.map(({ name, value }) => [name, value]));
  }

  /** Loads `address`, with `fields` as a posted form. */
  async load(
    address: string,
    options: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Page> {
    let url = new URL(address, this.origin);
    let body = options.fields && new URLSearchParams(options.fields).toString();
    const setCookies: string[] = [];
    for (let hop = 0; hop < 10; hop++) {
      const cookie = this.#cookieHeader(url);
      const response = await this.send(url.href, {
        method: body === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: {
          accept: "text/html",
          ...(cookie === "" ? {} : { cookie }),
          ...(body === undefined ? {} : {
            "content-type": "application/x-www-form-urlencoded",
            // As browsers do on pages with "Referrer-Policy: no-referrer".
            origin: "null",
            "sec-fetch-site": "same-origin",
          }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      for (const set of response.headers.getSetCookie()) {
        setCookies.push(set);
        this.#keep(url, set);
      }
      const text = await response.text();
      const location = response.headers.get("location");
      const next = location === null ? null : new URL(location, url);
      if (next === null || next.origin !== this.origin) {
        const { status, headers } = response;
        return {
          url: next?.href ?? url.href,
          status,
          headers,
          text,
          setCookies,
          forms: formsOf(text),
        };
      }
      url = next;
      body = undefined;
    }
    throw new Error(`Too many redirects from ${address}`);
  }

  /** Sends the form of `page` whose action ends with `action`, with `fields` filled in. */
  async submit(
    page: Page,
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const form = page.forms.find((one) => one.action.endsWith(action));
    assert(form !== undefined, `no form to ${action} on ${page.url}:\n${page.text}`);
    return await this.load(new URL(form.action, page.url).href, {
      fields: { ...form.fields, ...fields },
      headers,
    });
  }
}
