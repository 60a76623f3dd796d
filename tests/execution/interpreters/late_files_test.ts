import { assertEquals } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";

const SOURCE = server(`
import zipfile

@tool
def imported(name: str) -> str:
    import importlib, inspect, sys
    before = name in sys.modules
    module = importlib.import_module(name)
    return f"{before} {'def ' in inspect.getsource(module)}"

@tool
def entries(path: str) -> bool:
    with zipfile.ZipFile(path) as archive:
        return archive.testzip() is None and len(archive.namelist()) > 100
`);

Deno.test("modules that are not in the snapshot are imported from files that come when they are read", async () => {
  await using hosts = await openTestHosts();
  // Two sessions of a host: each gets files of its own.
  for (
    const session of [
      await hosts.open(sessionInput(SOURCE)),
      await hosts.open(sessionInput(SOURCE)),
    ]
  ) {
    for (const name of ["colorsys", "wave", "mailbox"]) {
      assertEquals(await callTool(session, "imported", { name }), "False True", name);
    }
    for (const path of ["/lib/python314.zip", "/lib/berth.zip"]) {
      assertEquals(await callTool(session, "entries", { path }), "true", path);
    }
  }
});
