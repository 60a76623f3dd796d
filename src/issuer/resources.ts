/**
 * What tokens can be asked for (RFC 8707), and the audience that they get.
 *
 * @module
 */

/** The services whose tokens the issuer makes. */
export interface OwnResources {
  /** Public address of the registry listener, without a trailing slash. */
  publicUrl: string;
  /** Public address of the execution listener, without a trailing slash. */
  workerUrl: string;
  /** Audience of tokens for the registry; they count on the execution listener too. */
  audience: string;
}

/** Address of the execution endpoint: as resource, and as audience of tokens for it. */
function endpointOf({ workerUrl }: OwnResources): string {
  return `${workerUrl}/mcp`;
}

function isBelow(resource: URL, base: string): boolean {
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, "");
  return resource.origin === origin &&
    (resource.pathname === path || resource.pathname.startsWith(`${path}/`));
}

/**
 * The audience of a token for `resource`; null when that is not one of ours.
 *
 * Whoever asks for a token for the execution endpoint, as MCP clients do, gets one that is good for
 * running servers and for nothing else, least of all for publishing.
 */
export function audienceOf(own: OwnResources, resource: string): string | null {
  if (!URL.canParse(resource)) return null;
  const url = new URL(resource);
  const endpoint = endpointOf(own);
  const isEndpoint = isBelow(url, endpoint) || url.href === new URL(own.workerUrl).href;
  if (isEndpoint) return endpoint;
  return isBelow(url, own.publicUrl) ? own.audience : null;
}

/** Whether tokens for `resources`, as a request names them, are good for running servers only. */
export function isForRunningOnly(own: OwnResources, resources: unknown): boolean {
  const named = [resources].flat().filter((one) => typeof one === "string");
  return named.length > 0 && named.every((one) => audienceOf(own, one) === endpointOf(own));
}
