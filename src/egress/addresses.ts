/**
 * Which addresses are on the public internet. Anything that is not plainly public is not.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { isCloudAddress } from "./clouds.ts";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address block: its first address and the number of leading bits. */
export type Block = [Address, number];

// ipaddr.js calls everything it does not know unicast; global unicast is this block alone.
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
// Protocol assignments; ipaddr.js knows some of them.
const PROTOCOLS_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2001::"), 23];
const EMBEDDING = new Set(["ipv4Mapped", "rfc6145", "rfc6052"]);

/** The address in `text` (IPv6 with or without brackets), or null for a name. */
export function parseAddress(text: string): Address | null {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (bare.includes("%") || bare.includes("/")) return null;
  // ipaddr.js also reads decimal and octal spellings, which only a URL parser may fold.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return ipaddr.IPv6.isValid(bare) ? ipaddr.IPv6.parse(bare) : null;
}

/** The block in `text` (`10.0.0.0/8`, `fd00::/8`), or null. */
export function parseBlock(text: string): Block | null {
  if (!/^[0-9a-fA-F.:]+\/\d{1,3}$/.test(text)) return null;
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    return null;
  }
}

/** Whether `address` lies in `block`; a block of one family never holds the other's. */
export function isInBlock(address: Address, block: Block): boolean {
  if (address.kind() !== block[0].kind()) return false;
  return address.kind() === "ipv4"
    ? (address as ipaddr.IPv4).match(block as [ipaddr.IPv4, number])
    : (address as ipaddr.IPv6).match(block as [ipaddr.IPv6, number]);
}

/** Whether an IPv6 address has the interface identifier of ISATAP (RFC 5214), which holds an IPv4 one. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [marker, protocol] = address.parts.slice(4, 6);
  return (marker === 0 || marker === 0x200) && protocol === 0x5efe;
}

/**
 * Whether `address` is on the public internet: not of a cloud's inside, private, loopback, link-local (where metadata
 * services live), shared, multicast, reserved, nor an IPv6 form that stands for an IPv4 address.
 */
export function isPublicAddress(address: Address): boolean {
  if (address.range() !== "unicast" || isCloudAddress(address)) return false;
  if (address.kind() === "ipv4") return true;
  const v6 = address as ipaddr.IPv6;
  return v6.match(GLOBAL_V6) && !v6.match(PROTOCOLS_V6) && !isIsatap(v6);
}

/** Whether `address` reaches the machine it is used on: loopback or unspecified. */
export function isLocal(address: Address): boolean {
  const range = address.range();
  return range === "loopback" || range === "unspecified";
}

/** The IPv4 address that `address` stands for (mapped, translated), or the address itself. */
export function unwrap(address: Address): Address {
  if (address.kind() === "ipv4" || !EMBEDDING.has(address.range())) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

/** Whether both are the same address in any spelling. */
export function isSameAddress(a: Address, b: Address): boolean {
  return unwrap(a).toNormalizedString() === unwrap(b).toNormalizedString();
}
