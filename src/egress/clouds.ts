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

/** Whether `address`, public as it looks, is a service inside a cloud. */
export function isCloudAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return BLOCKS.some(([first, bits]) =>
    first.kind() === address.kind() && address.match([first, bits] as never)
  );
}

/** Whether `host` (lower case, no trailing dot) is called like a metadata service, or is below one. */
export function isMetadataName(host: string): boolean {
  return NAMES.some((name) => host === name || host.endsWith(`.${name}`));
}
