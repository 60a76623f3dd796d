/**
 * Requests that check no certificates: a fault of what the server runs. Tests, examples and bundled
 * libraries that it does not import harm nobody, wherever they are and however they switch checks off.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";

const FORMS: Record<string, string> = {
  "verify=False": "import httpx\ndef get(u): return httpx.get(u, verify=False, timeout=5)\n",
  "an unverified context for all":
    "import ssl\nssl._create_default_https_context = ssl._create_unverified_context\ndef get(u): return u\n",
  "a context whose checks are switched off":
    "import ssl\nC = ssl.create_default_context()\nC.check_hostname = False\nC.verify_mode = ssl.CERT_NONE\ndef get(u): return C\n",
};

/** Where a file lies, and how a server imports it. */
const PLACES: [path: string, imported: string][] = [
  ["tests/calls.py", "tests.calls"],
  ["test_calls.py", "test_calls"],
  ["pkg/tests/conftest.py", "pkg.tests.conftest"],
  ["examples/calls.py", "examples.calls"],
  ["vendor/calls.py", "vendor.calls"],
  ["third_party/lib/calls.py", "third_party.lib.calls"],
  ["lib/bundled/calls.py", "lib.bundled.calls"],
  ["scripts/calls.py", "scripts.calls"],
];

const server = (before: string, use: string): string =>
  `${before}from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("s")\n@mcp.tool()\ndef t(X: str) -> str:\n    """Fetches a page"""\n    return ${use}\nmcp.run()\n`;

for (const [what, source] of Object.entries(FORMS)) {
  Deno.test(`${what} in tests and bundled libraries that nothing imports passes the scan`, async () => {
    const files = Object.fromEntries(PLACES.map(([path]) => [path, source]));
    assertEquals((await scan({ "server.py": server("", "X"), ...files })).grave, []);
  });

  for (const [path, imported] of PLACES) {
    Deno.test(`${what} in ${path} fails the scan where the server imports it`, async () => {
      const { grave } = await scan({
        "server.py": server(`from ${imported} import get\n`, "str(get(X))"),
        [path]: source,
      });
      assertEquals([...new Set(grave.map(({ file }) => file))], [path]);
    });
  }

  Deno.test(`${what} fails the scan where another file imports it for the server`, async () => {
    const { grave } = await scan({
      "server.py": server("import pages\n", "pages.page(X)"),
      "pages.py": "from vendor.calls import get\ndef page(x): return str(get(x))\n",
      "vendor/calls.py": source,
    });
    assertEquals([...new Set(grave.map(({ file }) => file))], ["vendor/calls.py"]);
  });

  Deno.test(`${what} fails the scan where the server imports it by a text`, async () => {
    const { grave } = await scan({
      "server.py": server(
        'import importlib\nget = importlib.import_module("vendor.calls").get\n',
        "str(get(X))",
      ),
      "vendor/calls.py": source,
    });
    assertEquals([...new Set(grave.map(({ file }) => file))], ["vendor/calls.py"]);
  });
}

Deno.test("an unverified context for one request is told, and fails no scan", async () => {
  const files = {
    "server.py": server(
      "import ssl, urllib.request\n",
      "str(urllib.request.urlopen('https://a.example', context=ssl._create_unverified_context()))",
    ),
  };
  assertEquals((await scan(files)).grave, []);
});

const KEY = 'os.environ["OPENAI_API_KEY"]';
const HEADERS = `headers={"a": ${KEY}}`;
const AT = '"https://api.openai.com"';

/** A server whose tool has these statements. */
const tool = (before: string, ...statements: string[]): string =>
  `import aiohttp, httpx, os, requests, ssl, urllib.request\n${before}\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP("s")\n@mcp.tool()\nasync def t(X: str) -> str:\n    """Fetches a page"""\n${
    statements.map((each) => `    ${each}\n`).join("")
  }    return "1"\nmcp.run()\n`;

const HOSTILE: [what: string, server: string][] = [
  ["a session", tool("", "s = requests.Session()", `s.get(${AT}, verify=False)`)],
  ["a session of the module", tool("s = requests.Session()", `s.get(${AT}, verify=False)`)],
  [
    "a session that is opened",
    tool("", "with requests.Session() as s:", `    s.get(${AT}, verify=False)`),
  ],
  [
    "a session of an object",
    tool(
      `class C:\n    def __init__(self): self.s = requests.Session()\n    def go(self): return self.s.get(${AT}, verify=False)`,
      "C().go()",
    ),
  ],
  [
    "a session that is given",
    tool(`def go(session): return session.get(${AT}, verify=False)`, "go(requests.Session())"),
  ],
  ["a client", tool("", "c = httpx.Client(verify=False)", `c.get(${AT})`)],
  ["a table of options", tool("", 'k = {"verify": False}', `httpx.get(${AT}, **k)`)],
  ["a constant", tool("VERIFY = False", `requests.get(${AT}, verify=VERIFY)`)],
  ["a number", tool("", `requests.get(${AT}, verify=0)`)],
  ["a denied truth", tool("", `requests.get(${AT}, verify=not True)`)],
  [
    "a session of aiohttp",
    tool("", "async with aiohttp.ClientSession() as s:", `    await s.get(${AT}, ssl=False)`),
  ],
  ["a pool", tool("import urllib3", 'urllib3.PoolManager(cert_reqs="CERT_NONE")')],
  ["a pool's number", tool("import urllib3", "urllib3.PoolManager(cert_reqs=ssl.CERT_NONE)")],
  [
    "an adapter",
    tool(
      'class A(requests.adapters.HTTPAdapter):\n    def cert_verify(self, conn, url, verify, cert): conn.cert_reqs = "CERT_NONE"',
      "s = requests.Session()",
      's.mount("https://", A())',
    ),
  ],
  ["a variable for all", tool("", 'os.environ["PYTHONHTTPSVERIFY"] = "0"')],
  ["an empty list of authorities", tool("", 'os.environ["CURL_CA_BUNDLE"] = ""')],
  [
    "a context for a key",
    tool(
      "",
      `r = urllib.request.Request(${AT}, ${HEADERS})`,
      "urllib.request.urlopen(r, context=ssl._create_unverified_context())",
    ),
  ],
  [
    "a context for a key that is added",
    tool(
      "",
      `r = urllib.request.Request(${AT})`,
      `r.add_header("a", ${KEY})`,
      "c = ssl._create_unverified_context()",
      "urllib.request.urlopen(r, context=c)",
    ),
  ],
  [
    "a context as a choice",
    tool("", `httpx.get(${AT}, ${HEADERS}, verify=ssl._create_unverified_context())`),
  ],
  [
    "a context of a client",
    tool(
      "",
      `c = httpx.Client(${HEADERS}, verify=ssl._create_unverified_context())`,
      `c.get(${AT})`,
    ),
  ],
  [
    "a context of a connection",
    tool(
      "import http.client",
      `c = http.client.HTTPSConnection("api.openai.com", context=ssl._create_unverified_context())`,
      `c.request("GET", "/", ${HEADERS})`,
    ),
  ],
];

for (const [what, server] of HOSTILE) {
  Deno.test(`checks that ${what} leaves out fail the scan`, async () => {
    const { grave } = await scan({ "server.py": server });
    const rules = [...new Set(grave.map(({ rule }) => rule))];
    assertEquals(rules.filter((rule) => !/^(S501|py\/(request|tls)-unverified)$/.test(rule)), []);
    assertEquals(rules.length, 1);
  });
}

const HONEST: [what: string, server: string][] = [
  ["its user decides", tool("", `requests.get(${AT}, verify=os.getenv("VERIFY", "1") != "0")`)],
  [
    "an own authority is named",
    tool("", "s = requests.Session()", 's.verify = "/etc/ca.pem"', `s.get(${AT})`),
  ],
  ["checks stay on", tool("", "s = requests.Session()", `s.get(${AT}, verify=True)`)],
  [
    "another function is told",
    tool("def check(u, verify=False): return u", "check(X, verify=False)"),
  ],
  [
    "a caller of the function decides",
    tool("def go(u, verify=True): return httpx.get(u, verify=verify)", `go(${AT})`),
  ],
  [
    "the usual context gets a key",
    tool(
      "",
      `r = urllib.request.Request(${AT}, ${HEADERS})`,
      "urllib.request.urlopen(r, context=ssl.create_default_context())",
    ),
  ],
];

for (const [what, server] of HONEST) {
  Deno.test(`a server where ${what} passes the scan`, async () => {
    assertEquals((await scan({ "server.py": server })).grave, []);
  });
}
