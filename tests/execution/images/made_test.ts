import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { callTool, openTestHosts, server, sessionInput, until } from "../../helpers/interpreter.ts";
import { linkedInterpreter, testImages } from "../../helpers/made_images.ts";
import type { PlainInput } from "../../helpers/plain_json.ts";

const SOURCE = server(`
import pytz, yaml
from jinja2.sandbox import SandboxedEnvironment

@tool
def run(code: str) -> str:
    names = {"__name__": "code"}
    exec(code, names)
    return str(names["result"])
`);

const IMPORTS = ["jinja2", "mcp", "pytz", "yaml"];
const MODULES = ["jinja2.sandbox", "jinja2.sandbox.SandboxedEnvironment", "mcp.server.fastmcp"];

/** Of a server that imports these, as a scan says it. */
function given(overrides: Partial<PlainInput> = {}): PlainInput {
  const scanned = { files: ["main.py"], texts: [], computed: true, modules: MODULES };
  return sessionInput(SOURCE, { imports: IMPORTS, scanned, ...overrides });
}

/** Whether a session began with them in its memory: their files are not there. */
const FROM_IMAGE = `import os, jinja2, yaml
result = [os.path.exists(each.__file__) for each in (jinja2, jinja2.sandbox, yaml)]`;
const IS_FROM_IMAGE = "[False, False, False]";

Deno.test("servers with the same packages share an image, which is made once in the background", async () => {
  await using interpreter = await linkedInterpreter();
  await using images = await testImages(interpreter);
  const { made, store } = images;
  await using hosts = await openTestHosts({ interpreter, made });
  const run = (session: Awaited<ReturnType<typeof hosts.open>>, code: string) =>
    callTool(session, "run", { code });

  const first = await hosts.open(given());
  assertNotEquals(await run(first, FROM_IMAGE), IS_FROM_IMAGE);
  await hosts.open(given({ server: "another" }));
  await made.idle();
  assertEquals(made.figures().images, 1);
  assertEquals(made.figures().made, 1);
  const [[name, image] = []] = Object.entries(store.images());
  assertEquals(image!.packages, ["jinja2", "markupsafe", "pytz", "pyyaml"]);
  assertEquals(image!.modules, ["jinja2", "pytz", "yaml", "jinja2.sandbox"]);

  // Both begin with it, and nothing that one does reaches the other.
  const second = await hosts.open(given());
  const other = await hosts.open(given({ server: "another", client: "user else" }));
  const poison = `
import builtins, jinja2, yaml, sys
builtins.poisoned = True
jinja2.Environment = None
sys.modules["yaml.loader"].Loader = None
result = True`;
  const look = `
import builtins, jinja2, yaml
result = hasattr(builtins, "poisoned"), jinja2.Environment is None, yaml.loader.Loader is None`;
  for (const session of [second, other]) {
    assertEquals(session.load.kind, "loaded");
    assertEquals(await run(session, FROM_IMAGE), IS_FROM_IMAGE);
    assertEquals(await run(session, look), "(False, False, False)");
    assertEquals(await run(session, poison), "True");
  }

  // What packages read of their files is there; modules that the image lacks come when imported.
  const third = await hosts.open(given());
  const zone = `import pytz
result = pytz.timezone("Europe/Rome").zone, len(pytz.all_timezones) > 400`;
  assertEquals(await run(third, zone), "('Europe/Rome', True)");
  const more = `import jinja2.nativetypes, importlib.metadata
result = jinja2.nativetypes.__name__, importlib.metadata.version("jinja2") > "3"`;
  assertEquals(await run(third, more), "('jinja2.nativetypes', True)");

  // Another node's start finds it; a set that is known is not made again.
  await using again = await testImages(interpreter);
  assertEquals(Object.keys(again.store.images()), [name]);
  again.made.wanted({ imports: IMPORTS, modules: MODULES, paths: ["main.py"] });
  await again.made.idle();
  assertEquals(again.made.figures().made, 0);
  assert(images.log.some((line) => line.includes("image.made")));
});

Deno.test("warm sessions go on with an image that the node made, and other servers find none of it", async () => {
  await using interpreter = await linkedInterpreter();
  await using images = await testImages(interpreter);
  images.made.wanted({ imports: IMPORTS, modules: MODULES, paths: ["main.py"] });
  await images.made.idle();
  await using hosts = await openTestHosts({ interpreter, made: images.made, warmSessions: 2 });
  const modules = "import sys\nresult = [name in sys.modules for name in ('jinja2', 'yaml')]";
  const plain = sessionInput(SOURCE.replace(/^import pytz.*\nfrom jinja2.*$/m, ""), {
    imports: ["mcp"],
    server: "plain",
  });
  for (let n = 0; n < 3; n++) {
    await until(() => hosts.stats().warm === 2);
    const session = await hosts.open(given({ server: `server-${n}` }));
    assertEquals(await callTool(session, "run", { code: FROM_IMAGE }), IS_FROM_IMAGE);
    await session.close();
  }
  // Two wait, of which one has gone on: either serves a server without the image.
  await until(() => hosts.stats().warm === 2);
  for (const client of ["user ada", "user bob"]) {
    const session = await hosts.open({ ...plain, client });
    assertEquals(await callTool(session, "run", { code: modules }), "[False, False]");
  }
});

Deno.test("a server that hides a package of an image, or brings a name of it, gets none of it", async () => {
  await using interpreter = await linkedInterpreter();
  await using images = await testImages(interpreter);
  await using hosts = await openTestHosts({ interpreter, made: images.made });
  images.made.wanted({ imports: ["yaml", "xmltodict"], modules: [], paths: ["main.py"] });
  await images.made.idle();
  assertEquals(images.made.figures().made, 1);
  const source = server(`
import yaml, xmltodict

@tool
def which() -> str:
    return f"{getattr(yaml, 'OWN', None)} {xmltodict.__file__}"
`);
  const files = new Map(
    Object.entries({ "main.py": source, "yaml.py": "OWN = 1\n" }).map(([path, text]) =>
      [path, new TextEncoder().encode(text)] as const
    ),
  );
  const session = await hosts.open(sessionInput("", { files, imports: ["yaml", "xmltodict"] }));
  assertMatch(await callTool(session, "which"), /^1 /);
  // For that server an image without it is made.
  await images.made.idle();
  const packages = Object.values(images.store.images()).map((image) => image.packages);
  assertEquals(packages.toSorted((a, b) => a.length - b.length), [["xmltodict"], [
    "pyyaml",
    "xmltodict",
  ]]);
});

Deno.test("a damaged image is dropped and its server starts without it", async () => {
  await using interpreter = await linkedInterpreter();
  await using images = await testImages(interpreter);
  const { made, store, folder } = images;
  await using hosts = await openTestHosts({ interpreter, made });
  made.wanted({ imports: IMPORTS, modules: MODULES, paths: ["main.py"] });
  await made.idle();
  const [name] = Object.keys(store.images());
  assertEquals((await hosts.open(given())).load.kind, "loaded");
  const bytes = await Deno.readFile(`${folder}/${name}`);
  bytes[bytes.length - 5] = bytes.at(-5)! ^ 1;
  await Deno.writeFile(`${folder}/${name}`, bytes);
  // Nothing is made meanwhile.
  await made.close();
  const session = await hosts.open(given());
  assertEquals(session.load.kind, "loaded");
  assertNotEquals(await callTool(session, "run", { code: FROM_IMAGE }), IS_FROM_IMAGE);
  assertEquals(store.images(), {});
  const left = await Array.fromAsync(Deno.readDir(folder), (file) => file.name);
  assertEquals(left, [`${name}.outcome`]);
  assert(images.log.some((line) => line.includes("image.damaged")));
});
