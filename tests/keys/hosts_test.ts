import { assert, assertEquals } from "@std/assert";
import { coversHosts, isAmongHosts, isHostPattern } from "../../src/keys/hosts.ts";

const at = (host: string, port = 443) => ({ host, port, usualPort: 443 });

Deno.test("a host is exact, and a wildcard stands for what is below it", () => {
  assert(isAmongHosts(["api.example.com"], at("api.example.com")));
  assert(!isAmongHosts(["api.example.com"], at("x.api.example.com")));
  assert(!isAmongHosts(["api.example.com"], at("api.example.com.evil.net")));
  assert(isAmongHosts(["*.example.com"], at("a.b.example.com")));
  assert(!isAmongHosts(["*.example.com"], at("example.com")));
  assert(!isAmongHosts(["*.example.com"], at("evilexample.com")));
});

Deno.test("without a port a host means the usual one", () => {
  assert(!isAmongHosts(["api.example.com"], at("api.example.com", 8443)));
  assert(isAmongHosts(["api.example.com:8443"], at("api.example.com", 8443)));
  assert(!isAmongHosts(["api.example.com:8443"], at("api.example.com")));
  assert(isAmongHosts(["127.0.0.1:9000"], at("127.0.0.1", 9000)));
  assert(isAmongHosts(["[::1]:9000"], at("::1", 9000)));
});

Deno.test("addresses are hosts, and wildcards of addresses, paths and schemes are none", () => {
  assert(isHostPattern("10.0.0.1") && isHostPattern("[fe80::1]:80") && isHostPattern("localhost"));
  for (const text of ["*.0.0.1", "https://a.b", "a.b/c", "a b.c", "a..b", "*", "a.b:0", "a.b:x"]) {
    assert(!isHostPattern(text), text);
  }
});

Deno.test("hosts cover others that they include", () => {
  assert(coversHosts(["*.example.com"], ["api.example.com", "*.eu.example.com"]));
  assert(!coversHosts(["*.eu.example.com"], ["*.example.com"]));
  assert(!coversHosts(["api.example.com"], ["api.example.com", "b.example.com"]));
  assertEquals(coversHosts([], []), true);
});
