/**
 * Requests to the code host. Redirects are followed by hand, so that the host can send us neither
 * to a plain-text address nor into the local network, and never sees the token elsewhere.
 *
 * @module
 */
import { isPublicAddress, parseAddress } from "../egress/addresses.ts";
import { MAX_REDIRECTS } from "./fetch_limits.ts";

/** What requests need from outside. */
export interface GuardedFetchDeps {
  /** Address of the code host's API: what the operator configured, and so trusts. */
  apiUrl: string;
  fetch: typeof fetch;
  /** Addresses of a host name; rejects when it has none. */
  resolve: (hostname: string) => Promise<string[]>;
}

/** Thrown when the code host redirects where Berth does not follow. */
export class RedirectRefused extends Error {
  /** @param reason What is wrong with the target; names no address of the local network. */
  constructor(readonly reason: string) {
    super(`The code host redirects ${reason}`);
    this.name = "RedirectRefused";
  }
}

function isPublic(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && isPublicAddress(address);
}

/** Whether any of the addresses that `url` leads to is not public. Names without one are public. */
export async function leadsInside(
  url: URL,
  resolve: GuardedFetchDeps["resolve"],
): Promise<boolean> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (parseAddress(host) !== null) return !isPublic(host);
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  // Without an answer the request itself will fail, or a forward proxy does the resolving.
  const addresses = await resolve(host).catch(() => []);
  return addresses.some((address) => !isPublic(address));
}

async function checkTarget(deps: GuardedFetchDeps, target: URL): Promise<void> {
  const api = new URL(deps.apiUrl);
  if (target.username !== "" || target.password !== "") {
    throw new RedirectRefused("to a URL with credentials");
  }
  if (target.origin === api.origin) return;
  // An API on the local network (an own code host, a test) may point into that network.
  if (await leadsInside(api, deps.resolve)) {
    if (target.protocol === "https:" || target.protocol === api.protocol) return;
    throw new RedirectRefused("to a URL that is not https");
  }
  if (target.protocol !== "https:") throw new RedirectRefused("to a URL that is not https");
  // The certificate is checked against the name, so a name that changes its address between this
  // check and the connection reaches nothing inside.
  if (await leadsInside(target, deps.resolve)) throw new RedirectRefused("into a private network");
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A `fetch` for GET requests with these rules. */
export function createGuardedFetch(deps: GuardedFetchDeps): typeof fetch {
  return async function guardedFetch(input, init) {
    let url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    for (let hop = 0;; hop++) {
      const response = await deps.fetch(url, { ...init, headers, redirect: "manual" });
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      if (hop === MAX_REDIRECTS) throw new RedirectRefused("too many times");
      if (!URL.canParse(location, url)) throw new RedirectRefused("to an invalid URL");
      const target = new URL(location, url);
      await checkTarget(deps, target);
      if (target.origin !== url.origin) {
        headers.delete("authorization");
        headers.delete("cookie");
      }
      url = target;
    }
  };
}
