/**
 * Which addresses count as one client.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

/**
 * The part of `address` that one client has to itself: an IPv4 address, or the /64 of an IPv6 one,
 * in which a client can choose its address anew for each request.
 */
export function addressBlock(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...new Array(8).fill(0)]).toString();
}
