import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { interfaceAddresses, resolveName } from "../../src/egress/machine.ts";
import { parseEgressPolicy } from "../../src/egress/policy.ts";
import { errorOf, get, never, testBroker, withTcpServer, write } from "./harness.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

const INNER = [
  ...["127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0177.0.0.1", "0"],
  ...["0x7f.1", "127.0.0.1.", "１２７.0.0.1", "0.0.0.0", "localhost", "localhost.", "a.localhost"],
  ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "169.254.1.1"],
  ...["100.64.0.1", "100.100.100.200", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1"],
  ...["203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  ...["[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:0:127.0.0.1]"],
  ...["[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[64:ff9b::808:808]"],
  ...["[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd00::1]"],
  ...["[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[100::1]"],
  ...["[4000::1]", "[2001:20::1]", "[2001:10::1]"],
];

for (const host of INNER) {
  Deno.test(`broker refuses http://${host}/ without connecting`, async () => {
    const loopback = ["127.0.0.1", "::1"];
    const names = { localhost: loopback, "a.localhost": loopback };
    const outcome = await testBroker({ names }).channel(get(`http://${host}/`), never);
    assertEquals(errorOf(outcome), "refused");
  });
}

const MALFORMED = [
  ...["http://", "http:///", "//host/", "http://a b/", "http://a\tb/", "http://a\r\nb/"],
  ...["http://256.1.1.1/", "http://[fe80::1%25eth0]/", "http://h:99999/", "http://h:0/"],
  ...["http://h/\0", " http://h/", "http://h/\nHost: x", `http://h/${"a".repeat(17000)}`, "h"],
];

for (const url of MALFORMED) {
  Deno.test(`broker calls ${JSON.stringify(url.slice(0, 40))} an invalid address`, async () => {
    const { channel, lookups } = testBroker();
    assertEquals(errorOf(await channel(get(url), never)), "invalid_url");
    assertEquals(lookups, []);
  });
}

Deno.test("broker reaches http and https only", async () => {
  const { channel } = testBroker();
  for (
    const url of ["file:///etc/passwd", "ftp://h/", "gopher://h/", "data:,x", "ws://h/", "unix:/x"]
  ) {
    assertEquals(errorOf(await channel(get(url), never)), "refused", url);
  }
});

Deno.test("broker refuses a name if any of its addresses is bad", async () => {
  const names = { "mixed.test": ["93.184.216.34", "10.0.0.1"], "odd.test": ["fe80::1%eth0"] };
  const { channel } = testBroker({ names });
  for (const name of Object.keys(names)) {
    assertEquals(errorOf(await channel(get(`http://${name}/`), never)), "refused");
  }
});

Deno.test("broker resolves once and connects to what it checked", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port, heads) => {
    let turn = 0;
    const names = { "rebind.test": () => [turn++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1"] };
    const { channel, lookups } = testBroker({ names, allow: [`127.0.0.2:${port}`] });
    const kinds: string[] = [];
    for (let i = 0; i < 40; i++) {
      kinds.push(errorOf(await channel(get(`http://rebind.test:${port}/`), never)));
    }
    // The server listens on 127.0.0.1 alone: a good answer would mean it was reached unchecked.
    assertEquals(new Set(kinds.filter((_, i) => i % 2 === 0)), new Set(["connect"]));
    assertEquals(new Set(kinds.filter((_, i) => i % 2 === 1)), new Set(["refused"]));
    assertEquals(lookups.length, 40);
    assertEquals(heads, []);
  });
});

Deno.test("broker keeps to EGRESS_HOSTS and does not look other names up", async () => {
  const names = { "deep.api.example.com": ["10.0.0.1"], "api.example.com": ["10.0.0.1"] };
  const { channel, lookups } = testBroker({
    hosts: ["*.example.com", "Exact.test", "93.184.216.34"],
    names,
  });
  async function refusalOf(url: string) {
    const outcome = await channel(get(url), never);
    assert(outcome.kind === "error");
    return outcome.message;
  }
  for (
    const host of [
      "example.com",
      ".example.com",
      "example.com.evil.test",
      "notexample.com",
      "evil.test",
      "8.8.8.8",
    ]
  ) {
    assertStringIncludes(await refusalOf(`http://${host}/`), "not among the hosts");
  }
  assertEquals(lookups, []);
  for (const host of ["api.example.com", "DEEP.api.Example.com."]) {
    assertStringIncludes(await refusalOf(`http://${host}/`), "not on the public internet");
  }
  assertStringIncludes(await refusalOf("http://exact.test/"), "could not be resolved");
});

Deno.test("broker refuses mail, database and login ports unless one is named", async () => {
  const { channel } = testBroker({ allow: ["db.test:5432"] });
  for (const port of [22, 25, 3306, 5432, 6379, 3389]) {
    assertEquals(errorOf(await channel(get(`http://93.184.216.34:${port}/`), never)), "refused");
  }
  assertEquals(errorOf(await channel(get("http://db.test:5432/"), never)), "dns");
});

Deno.test("broker reaches what EGRESS_ALLOW names, by name, address, port and block", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port) => {
    const names = { "inner.test": ["127.0.0.1"], "outer.test": ["127.0.0.1"] };
    const cases: [allow: string, host: string, expected: string][] = [
      ["inner.test", "inner.test", "response 200"],
      ["INNER.test", "inner.test", "response 200"],
      ["inner.test", "outer.test", "refused"],
      [`inner.test:${port}`, "inner.test", "response 200"],
      ["inner.test:1", "inner.test", "refused"],
      ["127.0.0.1", "outer.test", "response 200"],
      ["127.0.0.0/8", "127.0.0.1", "response 200"],
      [`127.0.0.1:${port}`, "127.0.0.1", "response 200"],
      ["127.0.0.1:1", "127.0.0.1", "refused"],
      ["10.0.0.0/8", "127.0.0.1", "refused"],
      ["127.0.0.0/8", "[::ffff:127.0.0.1]", "refused"],
    ];
    for (const [allow, host, expected] of cases) {
      const { channel } = testBroker({ names, allow: [allow], hosts: ["*"] });
      const outcome = await channel(get(`http://${host}:${port}/`), never);
      assertEquals(errorOf(outcome), expected, `${allow} for ${host}`);
    }
    const { channel } = testBroker({ allow: ["127.0.0.1"], hosts: ["example.com"] });
    assertEquals(errorOf(await channel(get(`http://127.0.0.1:${port}/`), never)), "response 200");
  });
});

Deno.test("broker never reaches Berth's own endpoints, however they are spelled", async () => {
  await withTcpServer((conn) => write(conn, OK), async (port, heads) => {
    const names = {
      "berth.test": ["127.0.0.1"],
      "box.test": ["10.9.8.7"],
      "db.internal": ["10.0.0.5"],
      "also-db.test": ["10.0.0.5"],
    };
    const { channel } = testBroker({
      names,
      allow: ["0.0.0.0/0", "::/0", "berth.test", "box.test", `db.internal:5432`, "also-db.test"],
      own: [{ host: "0.0.0.0", port }, { host: "db.internal", port: 5432 }],
      interfaces: ["127.0.0.1", "10.9.8.7", "fe80::1%eth0"],
    });
    for (
      const host of [
        ...["127.0.0.1", "127.0.0.2", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]"],
        ...["[::ffff:127.0.0.2]", "berth.test", "box.test", "10.9.8.7", "[::ffff:10.9.8.7]"],
      ]
    ) {
      const outcome = await channel(get(`http://${host}:${port}/`), never);
      assert(outcome.kind === "error", host);
      assertStringIncludes(outcome.message, "belongs to Berth itself", host);
    }
    let turn = 0;
    const moving = { "db.internal": () => [`10.0.0.${turn++}`] };
    const moved = testBroker({
      names: moving,
      allow: ["db.internal:5432"],
      own: [{ host: "db.internal", port: 5432 }],
    });
    assertEquals(errorOf(await moved.channel(get("http://db.internal:5432/"), never)), "refused");
    for (const host of ["db.internal", "10.0.0.5"]) {
      const outcome = await testBroker({
        names,
        allow: [`${host}:5432`],
        own: [{ host: "db.internal", port: 5432 }],
      }).channel(get(`http://${host}:5432/`), never);
      assert(outcome.kind === "error", host);
      assertStringIncludes(outcome.message, "belongs to Berth itself", host);
    }
    assertEquals(heads, []);
  });
});

Deno.test("broker refuses redirect targets like any other address", async () => {
  const { channel } = testBroker({ names: { "to-metadata.test": ["169.254.169.254"] } });
  for (const url of ["http://169.254.169.254/latest/", "http://to-metadata.test/", "file:///x"]) {
    assertEquals(errorOf(await channel(get(url), never)), "refused");
  }
});

Deno.test("parseEgressPolicy() names the entry it cannot read", () => {
  for (const entry of ["10.0.0.0/99", "a b", "host:99999", "http://x/", "*", "-x-", "[::1"]) {
    assertThrows(() => parseEgressPolicy([entry], ["*"]), TypeError, entry);
  }
  for (const entry of ["*.*", "a b", "**", "http://x"]) {
    assertThrows(() => parseEgressPolicy([], [entry]), TypeError, entry);
  }
  parseEgressPolicy(["::1", "[::1]:80", "fd00::/8", "a_b.test", "10.0.0.1:1"], ["*", "a.test."]);
});

Deno.test("resolveName() and interfaceAddresses() give this machine's loopback address", async () => {
  assert((await resolveName("localhost")).some((a) => a === "127.0.0.1" || a === "::1"));
  assert(interfaceAddresses().includes("127.0.0.1"));
});

Deno.test("broker tells of refused requests, one by one, and not of others that fail", async () => {
  const { channel, refused } = testBroker({ hosts: ["api.example"], names: { "api.example": [] } });
  const urls = ["http://127.0.0.1/", "http://evil.example/?secret", "http://api.example:22/"];
  for (const url of urls) await channel(get(url), never);
  assertEquals(refused.map(({ server, target, kind }) => [server, target, kind]), [
    ["weather", "127.0.0.1:80", "refused"],
    ["weather", "evil.example:80", "refused"],
    ["weather", "api.example:22", "refused"],
  ]);
  for (const url of ["http://api.example/", "nonsense"]) await channel(get(url), never);
  assertEquals(refused.length, 3);
});
