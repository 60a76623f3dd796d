/**
 * Refuses requests whose `Host` is not this machine's: a page in the user's browser could
 * otherwise let its own name resolve to a loopback address and talk to a local Berth as if it were
 * of the same origin (DNS rebinding).
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../environment.ts";
import { hostRefused } from "../failures.ts";

/** The host name in a `Host` header's value, lower case, without port and brackets; null if none. */
function hostName(host: string): string | null {
  if (/[^\w.:[\]-]/.test(host)) return null;
  try {
    return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  } catch {
    return null;
  }
}

/** Whether `host`, a name or an address without port, can only mean this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[0-9a-f]{2}:/.test(name);
}

/**
 * On a loopback bind, refuses requests unless `Host` is a loopback name or address or the host of the
 * listener's public address (a reverse proxy on the same machine): what is returned throws then, with
 * status 403. On another bind, it does nothing.
 */
export function hostCheck(
  options: { bindHost: string; publicUrl: string },
): (c: Context<HttpEnv>) => void {
  if (!isLoopbackHost(options.bindHost)) return () => {};
  const publicHost = new URL(options.publicUrl).hostname.replace(/^\[|\]$/g, "");
  // The last value that was found good: nearly every request has the same.
  let good: string | null = null;
  return function checkHost(c) {
    const host = c.req.header("host") ?? new URL(c.req.url).host;
    if (host === good) return;
    const name = hostName(host);
    if (name === null || (!isLoopbackHost(name) && name !== publicHost)) throw hostRefused();
    good = host;
  };
}
