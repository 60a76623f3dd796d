/**
 * Which addresses count as one client.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

const OCTET = "(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])";
const PLAIN_IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/** Whether `address` is an IPv4 address in its normal form, which is the same in any reading. */
export function isPlainIpv4(address: string): boolean {
  return PLAIN_IPV4.test(address);
}

/**
 * The part of `address` that one client has to itself: an IPv4 address, or the /64 of an IPv6 one,
 * in which a client can choose its address anew for each request.
 */
export function addressBlock(address: string): string {
  if (isPlainIpv4(address)) return address;
  const bare = address.replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return address;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), ...new Array(8).fill(0)]).toString();
}
