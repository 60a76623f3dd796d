import { assertEquals } from "@std/assert";
import { onCPython } from "../../execution/cpython.ts";
import { performHop } from "./host_http.ts";
import { startHttpCases } from "./http_server.ts";
import { Interpreter, refusal } from "./pyodide.ts";

const python = await Interpreter.boot();
const SCRIPT = new URL("./urllib_script.py", import.meta.url);

const SERVER = `
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("library")
`;

Deno.test("urllib.request and http.client give the same as on CPython", async (t) => {
  const cases = startHttpCases();
  try {
    python.http = performHop;
    await python.load({ "server.py": SERVER }, { profile: "full" });
    const wanted = await onCPython(SCRIPT, cases.url, []);
    const found = await python.run(`${await Deno.readTextFile(SCRIPT)}\nrun("${cases.url}")`);
    assertEquals(Object.keys(found), Object.keys(wanted));
    for (const [name, outcome] of Object.entries(wanted)) {
      await t.step(name, () => assertEquals(found[name], outcome));
    }
  } finally {
    await cases.close();
  }
});

const RAISED = `
import urllib.request
def attempt():
    try:
        urllib.request.urlopen("https://example.com/x")
    except Exception as error:
        return [type(error).__name__, type(getattr(error, "reason", None)).__name__]
attempt()
`;

Deno.test("failures of the host are the exceptions of urllib.request", async () => {
  await python.load({ "server.py": SERVER }, { profile: "full" });
  const wanted: Record<string, string[]> = {
    dns: ["URLError", "gaierror"],
    connect: ["URLError", "ConnectionError"],
    refused: ["URLError", "ConnectionError"],
    tls: ["URLError", "SSLError"],
    connect_timeout: ["URLError", "TimeoutError"],
  };
  for (const [kind, names] of Object.entries(wanted)) {
    python.http = () => Promise.resolve([refusal(kind, "no"), undefined]);
    const [name, reason] = await python.run(RAISED);
    assertEquals([name, reason], names, kind);
  }
});
