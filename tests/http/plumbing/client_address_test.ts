import { assertEquals, assertThrows } from "@std/assert";
import { clientAddress, trustedProxies } from "../../../src/http/plumbing/client_address.ts";

const none = trustedProxies([]);
const proxies = trustedProxies(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);

Deno.test("clientAddress() believes no header when no proxy is trusted", () => {
  assertEquals(clientAddress("198.51.100.1", "203.0.113.9", none), "198.51.100.1");
});

Deno.test("clientAddress() takes the last hop that no trusted proxy wrote for another", () => {
  const cases: [string, string | null, string][] = [
    ["10.1.1.1", "203.0.113.9", "203.0.113.9"],
    ["10.1.1.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["10.1.1.1", "1.1.1.1, 203.0.113.9, 10.2.2.2", "203.0.113.9"],
    ["192.0.2.7", "203.0.113.9", "203.0.113.9"],
    ["2001:db8::1", "[2001:4860::8]:443", "2001:4860::8"],
    ["10.1.1.1", "203.0.113.9:52311", "203.0.113.9"],
    ["10.1.1.1", null, "10.1.1.1"],
    ["10.1.1.1", "", "10.1.1.1"],
    ["10.1.1.1", "not an address", "10.1.1.1"],
    ["10.1.1.1", "203.0.113.9, unknown", "10.1.1.1"],
    ["203.0.113.5", "1.1.1.1", "203.0.113.5"],
  ];
  for (const [remote, header, expected] of cases) {
    assertEquals(clientAddress(remote, header, proxies), expected, `${remote} ${header}`);
  }
});

Deno.test("clientAddress() knows an IPv4 address in its IPv6 form", () => {
  assertEquals(clientAddress("::ffff:10.1.1.1", "::ffff:203.0.113.9", proxies), "203.0.113.9");
});

Deno.test("trustedProxies() names the entry that is not an address", () => {
  const error = assertThrows(() => trustedProxies(["10.0.0.0/8", "proxy.internal"]), TypeError);
  assertEquals(error.message.includes("proxy.internal"), true);
  assertThrows(() => trustedProxies(["10.0.0.0/64"]), TypeError);
});
