/**
 * Where requests for packages may go. What a page of an index, a redirect or the analysis process
 * names are words of strangers; what the operator configured is not, but vouches for itself alone.
 *
 * @module
 */
import { type Address, parseAddress, unwrap } from "../egress/addresses.ts";
import { isMachineService, isMetadataName } from "../egress/clouds.ts";
import { checkOwn, type OwnAddresses } from "../egress/own.ts";
import { leadsInside } from "../repository/guarded_fetch.ts";

/** What the rules go by. */
export interface TargetDeps {
  /** Address of the simple API; null: there is no index. */
  indexUrl: string | null;
  /** Where the distribution's files are, with a slash at its end; null: nowhere. */
  distributionUrl: string | null;
  /** Addresses of a host name; rejects when it has none. */
  resolve: (hostname: string) => Promise<string[]>;
  /** Berth's own endpoints. */
  own: OwnAddresses;
}

/** What is not fetched, with the reason for people. */
export class Refused extends Error {}

/** A host to which no request goes: what is asked of it again is refused again. */
export class HostRefused extends Refused {}

const REMEDY = "use a PACKAGE_INDEX_URL whose files are on its own host";
const MAX_HOST = 100;

/** The configured source at which a request begins; null for another address. */
function sourceOf({ indexUrl, distributionUrl }: TargetDeps, start: URL): URL | null {
  const index = indexUrl === null ? null : new URL(indexUrl);
  // An index has its files anywhere on its host.
  if (index !== null && index.origin === start.origin) return index;
  if (distributionUrl === null || distributionUrl.startsWith("file:")) return null;
  const distribution = new URL(distributionUrl);
  return start.href.startsWith(distribution.href) ? distribution : null;
}

/** Addresses of a host; none where there is no answer, as a forward proxy may do the resolving. */
async function addressesOf(deps: TargetDeps, host: string): Promise<Address[]> {
  const texts = parseAddress(host) === null ? await deps.resolve(host).catch(() => []) : [host];
  return texts.map(parseAddress).filter((address) => address !== null);
}

/** Whether a request would reach a metadata service or Berth itself: nobody's index is there. */
async function isForbidden(deps: TargetDeps, target: URL): Promise<boolean> {
  const host = target.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isMetadataName(host)) return true;
  const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
  for (const address of await addressesOf(deps, host)) {
    if (isMachineService(unwrap(address))) return true;
    if (await checkOwn(deps.own, host, address, port) !== null) return true;
  }
  return false;
}

/**
 * Refuses a target that a request which began at `start` may not lead to. Without encryption, and
 * inside the operator's network, only a configured source is asked: by requests that begin there,
 * and not elsewhere from there.
 *
 * @throws {Refused}
 */
export async function checkTarget(
  deps: TargetDeps,
  { start, target }: { start: URL; target: URL },
): Promise<void> {
  if (target.username !== "" || target.password !== "") {
    const source = sourceOf(deps, target);
    // Of the configured address itself.
    if (source?.username !== target.username || source.password !== target.password) {
      throw new Refused("an address is refused");
    }
  }
  const host = target.host.slice(0, MAX_HOST);
  const isWeb = target.protocol === "https:" || target.protocol === "http:";
  const isOwn = isWeb && sourceOf(deps, start)?.origin === target.origin;
  if (await isForbidden(deps, target)) {
    throw new HostRefused(`${host} is a service of the machine itself, which has no packages`);
  }
  if (isOwn) return;
  if (target.protocol !== "https:") {
    throw new HostRefused(`${host} would be asked without encryption: ${REMEDY}`);
  }
  if (await leadsInside(target, deps.resolve)) {
    throw new HostRefused(`the address of ${host} is private or reserved: ${REMEDY}`);
  }
}
