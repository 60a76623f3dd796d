import { assertEquals } from "@std/assert";
import { addressBlock, isPlainIpv4 } from "../../src/limits/address.ts";

Deno.test("isPlainIpv4() knows the normal form only", () => {
  for (const address of ["0.0.0.0", "127.0.0.1", "10.99.100.199", "249.250.255.9"]) {
    assertEquals([isPlainIpv4(address), addressBlock(address)], [true, address]);
  }
  const others = [
    "256.0.0.1",
    "01.2.3.4",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.4 ",
    "::1",
    "0x7f.0.0.1",
    "",
  ];
  for (const address of others) assertEquals(isPlainIpv4(address), false, address);
});

Deno.test("addressBlock() counts an IPv6 address by its /64, and a mapped one as IPv4", () => {
  assertEquals(addressBlock("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
  assertEquals(addressBlock("fe80::1%eth0"), "fe80::");
  assertEquals(addressBlock("::ffff:10.0.0.1"), "10.0.0.1");
  assertEquals(addressBlock("unknown"), "unknown");
});
