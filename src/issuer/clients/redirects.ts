/**
 * Where a client that nobody vouches for may be sent with a code (MCP, "Authorization": redirect
 * addresses are https or loopback).
 *
 * @module
 */

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const MAX_LENGTH = 1000;

/** What is wrong with a redirect address; null when it may be used. */
export function redirectFault(redirect: string): string | null {
  if (redirect.length > MAX_LENGTH) {
    return `A redirect address is longer than ${MAX_LENGTH} characters`;
  }
  if (!URL.canParse(redirect)) return "A redirect address is not an absolute URL";
  // Two readers of an address with such characters may see different hosts.
  if (/[\s\\\p{Cc}*]/u.test(redirect)) {
    return "A redirect address contains characters that are not allowed";
  }
  const url = new URL(redirect);
  if (url.hash !== "" || redirect.includes("#")) {
    return "A redirect address must not have a fragment";
  }
  if (url.username !== "" || url.password !== "") {
    return "A redirect address must not contain credentials";
  }
  const loopback = LOOPBACK.has(url.hostname);
  if (url.protocol === "https:") {
    return loopback ? "A redirect address on loopback must use http" : null;
  }
  if (url.protocol === "http:" && loopback) return null;
  return "A redirect address must use https, or http on loopback";
}
