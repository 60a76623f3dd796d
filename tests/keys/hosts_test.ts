import { assert, assertEquals } from "@std/assert";
import { coversHosts, isAmongHosts, isHostPattern, isSharedPattern } from "../../src/keys/hosts.ts";

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

Deno.test("an address is named as requests name it, or it would mean none", () => {
  for (const text of ["1.2.3", "0x7f.1", "010.0.0.1", "[0:0::1]", "[FE80::1]"]) {
    assert(!isHostPattern(text), text);
  }
});

Deno.test("hosts cover others that they include", () => {
  assert(coversHosts(["*.example.com"], ["api.example.com", "*.eu.example.com"]));
  assert(!coversHosts(["*.eu.example.com"], ["*.example.com"]));
  assert(!coversHosts(["api.example.com"], ["api.example.com", "b.example.com"]));
  assertEquals(coversHosts([], []), true);
});

Deno.test("a wildcard is refused where anyone can have a host below it", () => {
  const shared = [
    ...["*.github.io", "*.co.uk", "*.vercel.app", "*.pages.dev", "*.workers.dev", "*.web.app"],
    ...["*.s3.amazonaws.com", "*.amazonaws.com", "*.cloudfront.net", "*.azurewebsites.net"],
    ...["*.herokuapp.com", "*.netlify.app", "*.onrender.com:8443", "*.googleapis.com"],
    ...["*.storage.googleapis.com", "*.cloudapp.azure.com", "*.on.aws", "*.myqcloud.com"],
    ...["*.nip.io", "*.webhook.site", "*.oastify.com", "*.loca.lt:8443"],
    // Each second-level name below it is a suffix of its own.
    "*.kawasaki.jp",
  ];
  for (const text of shared) assert(isSharedPattern(text), text);
  const own = [
    ...["*.example.com", "*.atlassian.net", "*.api.example.co.uk", "*.acme.github.io"],
    ...["github.io", "example.github.io", "*.corp.internal", "10.0.0.1", "localhost:8080"],
  ];
  for (const text of own) assert(!isSharedPattern(text), text);
});

Deno.test("a shared wildcard of an older declaration allows no host", () => {
  assert(!isAmongHosts(["*.github.io"], at("evil.github.io")));
  assert(isAmongHosts(["*.github.io", "api.example.com"], at("api.example.com")));
});
