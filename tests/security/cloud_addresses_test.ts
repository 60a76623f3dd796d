/**
 * What a cloud offers to its own machines is out of reach of sandboxed code, of redirects and of
 * client documents, under every spelling and name.
 */
import { assert, assertEquals } from "@std/assert";
import { isPublicAddress, parseAddress } from "../../src/egress/addresses.ts";
import { errorOf, get, never, testBroker } from "../egress/harness.ts";

/** Address → whose it is. */
const CLOUDS: [address: string, cloud: string][] = [
  ["169.254.169.254", "AWS, Azure, Google Cloud, Oracle, DigitalOcean, Hetzner, OpenStack, IBM, …"],
  ["169.254.169.253", "AWS, name server"],
  ["169.254.170.2", "AWS, credentials of containers"],
  ["169.254.170.23", "AWS, identities of pods"],
  ["fd00:ec2::254", "AWS"],
  ["fd00:ec2::253", "AWS, name server"],
  ["fd00:ec2::23", "AWS, identities of pods"],
  ["168.63.129.16", "Azure"],
  ["fd20:ce::254", "Google Cloud"],
  ["199.36.153.4", "Google Cloud, restricted access"],
  ["199.36.153.11", "Google Cloud, private access"],
  ["2600:2d00:2:1000::1", "Google Cloud, restricted access"],
  ["2600:2d00:2:2000::1", "Google Cloud, private access"],
  ["192.0.0.192", "Oracle"],
  ["169.254.0.2", "Oracle, disks"],
  ["100.100.100.200", "Alibaba"],
  ["100.100.2.136", "Alibaba, name server"],
  ["169.254.0.23", "Tencent"],
  ["183.60.83.19", "Tencent, name server"],
  ["183.60.82.98", "Tencent, name server"],
  ["161.26.0.10", "IBM"],
  ["166.9.14.5", "IBM"],
  ["192.80.8.124", "Equinix"],
  ["169.254.42.42", "Scaleway"],
  ["fd00:42::42", "Scaleway"],
  ["fe80::a9fe:a9fe", "OpenStack"],
  ["fd00:a9fe:a9fe::1", "Akamai"],
  ["fdaa::3", "Fly.io"],
  ["10.96.0.1", "Kubernetes"],
  ["172.17.0.1", "Docker"],
];

function v4Parts(address: string): number[] {
  return address.split(".").map(Number);
}

function hexPair(high: number, low: number): string {
  return ((high << 8) | low).toString(16);
}

/** Other spellings of an IPv4 address, and IPv6 addresses that lead to it. */
function spellings(address: string): string[] {
  const [a, b, c, d] = v4Parts(address) as [number, number, number, number];
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const tail = `${hexPair(a, b)}:${hexPair(c, d)}`;
  const inverted = `${hexPair(255 - a, 255 - b)}:${hexPair(255 - c, 255 - d)}`;
  return [
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((part) => `0x${part.toString(16)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${address}.`,
    `[::ffff:${address}]`,
    `[::ffff:${tail}]`,
    `[::${tail}]`,
    `[::ffff:0:${tail}]`,
    `[64:ff9b::${tail}]`,
    `[64:ff9b:1::${tail}]`,
    `[2002:${tail}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted}]`,
    `[2a00:1450::5efe:${tail}]`,
    `[2a00:1450::200:5efe:${tail}]`,
  ];
}

for (const [address, cloud] of CLOUDS) {
  Deno.test(`${address} (${cloud}) is refused under every spelling, without a connection`, async () => {
    assert(!isPublicAddress(parseAddress(address)!));
    const isV6 = address.includes(":");
    const hosts = isV6 ? [`[${address}]`] : [address, ...spellings(address)];
    const { channel } = testBroker({ names: { "leads.test": [address] } });
    for (const host of [...hosts, "leads.test"]) {
      assertEquals(errorOf(await channel(get(`http://${host}/latest/`), never)), "refused", host);
    }
  });
}

const NAMES = [
  "metadata.google.internal",
  "metadata.google.internal.",
  "METADATA.google.internal",
  "metadata.goog",
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.tencentyun.com",
  "x.metadata.tencentyun.com",
  "rancher-metadata",
  "metadata．google．internal",
];

Deno.test("names of metadata services are not even looked up", async () => {
  const { channel, lookups } = testBroker();
  for (const name of NAMES) {
    assertEquals(errorOf(await channel(get(`http://${name}/`), never)), "refused", name);
  }
  assertEquals(lookups, []);
});

Deno.test("who really wants a service of the cloud names it in EGRESS_ALLOW", async () => {
  const { channel } = testBroker({ allow: ["metadata.google.internal"] });
  assertEquals(errorOf(await channel(get("http://metadata.google.internal/"), never)), "dns");
});

Deno.test("addresses beside those of clouds stay public", () => {
  const addresses = [
    ...["168.63.129.15", "168.63.129.17", "192.80.8.123", "161.25.255.255", "161.27.0.0"],
    ...["166.7.255.255", "166.12.0.0", "199.36.153.3", "199.36.153.12", "183.60.83.20", "8.8.8.8"],
    ...["2600:2d00:2:3000::1", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450:4001::200e"],
  ];
  for (const address of addresses) assert(isPublicAddress(parseAddress(address)!), address);
});
