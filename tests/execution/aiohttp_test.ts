import { assertEquals, assertStringIncludes } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { startHttpCases } from "../workers/python/http_server.ts";
import { onCPython } from "./cpython.ts";
import { testBroker } from "../egress/harness.ts";

const SCRIPT = new URL("./aiohttp_script.py", import.meta.url);
const WHEELS = [
  ...["aiohttp", "aiohappyeyeballs", "aiosignal", "attrs", "frozenlist", "multidict", "propcache"],
  ...["yarl", "idna", "typing_ext"],
];

Deno.test("aiohttp gives the same as on CPython, through the broker", async (t) => {
  const cases = startHttpCases();
  try {
    await using hosts = await openTestHosts();
    const encoder = new TextEncoder();
    const source = server(`
import script, json, asyncio, aiohttp
@tool
def run(base: str) -> str: return json.dumps(script.run(base))
@tool
async def inside(url: str) -> str:
    try:
        async with aiohttp.ClientSession() as session:
            await session.get(url, ssl=False)
    except aiohttp.ClientError as error:
        return type(error).__name__ + ": " + str(error)
`);
    const script = await Deno.readTextFile(SCRIPT);
    const session = await hosts.open(sessionInput("", {
      files: new Map([["main.py", encoder.encode(source)], ["script.py", encoder.encode(script)]]),
      http: testBroker({ allow: ["127.0.0.1"] }).channel,
    }));
    assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
    const text = await callTool(session, "run", { base: cases.url });
    const wanted = await onCPython(SCRIPT, cases.url, WHEELS);
    const found = JSON.parse(text);
    assertEquals(Object.keys(found), Object.keys(wanted));
    for (const [name, outcome] of Object.entries(wanted)) {
      await t.step(name, () => assertEquals(found[name], outcome));
    }
    for (const url of ["http://10.0.0.1/", "https://10.0.0.2/"]) {
      const said = await callTool(session, "inside", { url });
      assertStringIncludes(said, "ClientConnectionError: ");
      assertStringIncludes(said, "not on the public internet");
    }
  } finally {
    await cases.close();
  }
});
