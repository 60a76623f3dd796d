/**
 * Services that clouds offer to the machines in them alone. Most have private or link-local
 * addresses; these have public ones, or names by which a program asks for them.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

const BLOCKS = [
  // Azure: the host of a virtual machine (extensions, their secrets, DNS, health probes).
  "168.63.129.16/32",
  // Equinix Metal: metadata.
  "192.80.8.124/32",
  // IBM Cloud: services of the infrastructure, and endpoints of cloud services.
  "161.26.0.0/16",
  "166.8.0.0/14",
  // Google Cloud: restricted and private access to its interfaces.
  "199.36.153.4/30",
  "199.36.153.8/30",
  "2600:2d00:0002:1000::/64",
  "2600:2d00:0002:2000::/64",
  // Tencent Cloud: name servers inside.
  "183.60.82.98/32",
  "183.60.83.19/32",
].map((block) => ipaddr.parseCIDR(block));

/** Such services with addresses that an operator's own network could have too. */
const INNER_BLOCKS = [
  // Alibaba Cloud, Oracle Cloud.
  "100.100.100.200/32",
  "192.0.0.192/32",
  // Amazon, Google Cloud, Scaleway.
  "fd00:ec2::/32",
  "fd20:ce::254/128",
  "fd00:42::42/128",
].map((block) => ipaddr.parseCIDR(block));

/** Names of metadata services, wherever they lead. */
const NAMES = [
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.azure.internal",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
  "metadata.ec2.internal",
  "instance-data",
  "instance-data.ec2.internal",
  "api.metadata.cloud.ibm.com",
  "rancher-metadata",
];

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function isIn(address: Address, blocks: typeof BLOCKS): boolean {
  return blocks.some(([first, bits]) =>
    first.kind() === address.kind() && address.match([first, bits] as never)
  );
}

/** Whether `address`, public as it looks, is a service inside a cloud. */
export function isCloudAddress(address: Address): boolean {
  return isIn(address, BLOCKS);
}

/**
 * Whether `address` is one that no operator means by an address of the own network: link-local,
 * where metadata services are, or another service of a cloud for its machines.
 *
 * @param address Not one that stands for another (`unwrap()`).
 */
export function isMachineService(address: Address): boolean {
  return address.range() === "linkLocal" || isIn(address, BLOCKS) || isIn(address, INNER_BLOCKS);
}

/** Whether `host` (lower case, no trailing dot) is called like a metadata service, or is below one. */
export function isMetadataName(host: string): boolean {
  return NAMES.some((name) => host === name || host.endsWith(`.${name}`));
}
