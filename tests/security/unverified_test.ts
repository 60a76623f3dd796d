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
