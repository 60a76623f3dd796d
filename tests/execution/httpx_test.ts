import { assertEquals, assertStringIncludes } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { startHttpCases } from "../workers/python/http_server.ts";
import { onCPython } from "./cpython.ts";
import { testBroker } from "../egress/harness.ts";

const SCRIPT = new URL("./httpx_script.py", import.meta.url);
const NEEDED = ["httpx", "httpcore", "h11", "anyio", "idna", "certifi", "sniffio", "typing_ext"];

Deno.test("httpx gives the same as on CPython, through the broker", async (t) => {
  const cases = startHttpCases();
  try {
    await using hosts = await openTestHosts();
    const script = await Deno.readTextFile(SCRIPT);
    const source = server(`
import script, json
@tool
def run(base: str) -> str: return json.dumps(script.run(base))
`);
    const encoder = new TextEncoder();
    const session = await hosts.open(sessionInput("", {
      files: new Map([["main.py", encoder.encode(source)], ["script.py", encoder.encode(script)]]),
      http: testBroker({ allow: ["127.0.0.1"] }).channel,
    }));
    assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
    const text = await callTool(session, "run", { base: cases.url });
    const found = JSON.parse(text);
    const wanted = await onCPython(SCRIPT, cases.url, NEEDED);
    assertEquals(Object.keys(found), Object.keys(wanted));
    for (const [name, outcome] of Object.entries(wanted)) {
      await t.step(name, () => assertEquals(found[name], outcome));
    }
  } finally {
    await cases.close();
  }
});

Deno.test("failures of the broker are exceptions of httpx with its text", async () => {
  await using hosts = await openTestHosts();
  const kinds = [
    ["refused", "ConnectError"],
    ["limit", "ConnectError"],
    ["dns", "ConnectError"],
    ["tls", "ConnectError"],
    ["connect_timeout", "ConnectTimeout"],
    ["read_timeout", "ReadTimeout"],
    ["too_large", "ReadError"],
    ["truncated", "RemoteProtocolError"],
    ["protocol", "RemoteProtocolError"],
    ["invalid_url", "LocalProtocolError"],
  ] as const;
  let seen: unknown;
  const session = await hosts.open(sessionInput(
    server(`
import httpx
@tool
def fails(kind: str) -> str:
    try:
        httpx.get(f"https://example.com/{kind}", timeout=httpx.Timeout(2.5, read=1), verify=False)
    except httpx.HTTPError as error:
        return type(error).__name__ + ": " + str(error)
@tool
async def fails_later(kind: str) -> str:
    try:
        async with httpx.AsyncClient() as client:
            await client.get(f"https://example.com/{kind}")
    except httpx.HTTPError as error:
        return type(error).__name__ + ": " + str(error)
`),
    {
      http(request) {
        seen = request;
        const error = new URL(request.url).pathname.slice(1) as "refused";
        return Promise.resolve({ kind: "error", error, message: `because of ${error}` });
      },
    },
  ));
  for (const [kind, exception] of kinds) {
    for (const name of ["fails", "fails_later"]) {
      assertEquals(
        await callTool(session, name, { kind }),
        `${exception}: because of ${kind}`,
      );
    }
  }
  await callTool(session, "fails", { kind: "dns" });
  const { verify, connectTimeoutMs, readTimeoutMs } = seen as Record<string, unknown>;
  assertEquals([verify, connectTimeoutMs, readTimeoutMs], [false, 2500, 1000]);
});

Deno.test("an .env file is empty, and HTTP/2 is not insisted on", async () => {
  await using hosts = await openTestHosts();
  const encoder = new TextEncoder();
  const source = server(`
import io, os, httpx
from dotenv import dotenv_values, find_dotenv, load_dotenv
loaded = load_dotenv(), load_dotenv(".env", override=True)
@tool
def show() -> str:
    given = dotenv_values(stream=io.StringIO("GIVEN=1"))
    return str([loaded, os.environ.get("KEY"), dict(dotenv_values(".env")), find_dotenv(), dict(given)])
@tool
async def second() -> str:
    async with httpx.AsyncClient(http2=True) as client:
        return (await client.get("http://site.test/")).text
`);
  const session = await hosts.open(sessionInput("", {
    files: new Map([
      ["main.py", encoder.encode(source)],
      [".env", encoder.encode("KEY=placeholder\n")],
    ]),
    environment: { KEY: "mine" },
    http: () => {
      const body = encoder.encode("hi");
      return Promise.resolve({ kind: "response", status: 200, reason: "OK", headers: [], body });
    },
  }));
  assertEquals(
    await callTool(session, "show"),
    "[(False, False), 'mine', {}, '', {'GIVEN': '1'}]",
  );
  assertEquals(await callTool(session, "second"), "hi");
});

Deno.test("the restricted profile has no httpx, whatever the way to it", async () => {
  await using hosts = await openTestHosts();
  const plain = await hosts.open(sessionInput(server("import httpx"), { profile: "restricted" }));
  assertEquals(plain.load.kind, "refused");
  const hidden = await hosts.open(sessionInput(
    server(`
import importlib
@tool
def late() -> str: return str(importlib.import_module("ht" + "tpx"))
`),
    { profile: "restricted" },
  ));
  assertStringIncludes(await callTool(hidden, "late"), "No module named 'httpx'");
});
