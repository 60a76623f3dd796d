import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Package } from "../../src/execution/images/packed.ts";
import { packFiles } from "../../workers/session/interpreter/packages.ts";
import { nodeImageMaking } from "../../src/setup/node_images.ts";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { linkedInterpreter, testImages } from "../helpers/made_images.ts";

/** A package of one module, in place of the one that the interpreter has under this name. */
function packageOf(name: string, source: string): Package {
  const place = `/lib/packages/${name}`;
  const files = { [`${name}.py`]: source, [`${name}-1.0.dist-info/METADATA`]: `Name: ${name}\n` };
  const bytes = packFiles(
    Object.entries(files).map(([path, text]) => ({
      path: `${place}/${path}`,
      bytes: new TextEncoder().encode(text),
    })),
  );
  return { name, digest: `of ${source}`, bytes };
}

/** What becomes of a server that imports `tomli` and packages with these sources. */
async function outcomeOf(
  sources: Record<string, string>,
  { timeoutMs, run = "" }: { timeoutMs?: number; run?: string } = {},
) {
  await using interpreter = await linkedInterpreter();
  const packages = Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [name, packageOf(name, source)]),
  );
  const { catalogue } = interpreter;
  const making = timeoutMs === undefined ? {} : nodeImageMaking(interpreter, {
    catalogue: catalogue.packages,
    memoryMb: 128,
    niceness: 0,
    timeouts: { first: timeoutMs, late: timeoutMs },
  });
  await using images = await testImages(interpreter, { packages, making });
  const { made, store } = images;
  const imports = ["tomli", ...Object.keys(sources)];
  made.wanted({ imports, modules: [], paths: ["main.py"] });
  await made.idle();
  const pages = [];
  for await (const { name } of Deno.readDir(images.folder)) {
    pages.push(await Deno.readFile(`${images.folder}/${name}`));
  }
  // The server runs all the same.
  await using hosts = await openTestHosts({ interpreter, made });
  const body =
    "import tomli\n@tool\ndef hello() -> str:\n    return tomli.loads('a = 1').__str__()\n" +
    "@tool\ndef run(code: str) -> str:\n    names = {'result': None}\n    exec(code, names)\n" +
    "    return str(names['result'])";
  const ran: string[] = [];
  for (let count = 0; count < 2; count++) {
    const session = await hosts.open(sessionInput(server(body), { imports }));
    assertEquals(await callTool(session, "hello"), "{'a': 1}");
    ran.push(await callTool(session, "run", { code: run }));
  }
  return { images: Object.values(store.images()), log: images.log.join("\n"), made, pages, ran };
}

Deno.test("packages that would give sessions something in common are in no image", async () => {
  const reasons = {
    six: [
      "import asyncio\nasync def run(): await asyncio.sleep(60)\n" +
      "task = asyncio.get_event_loop().create_task(run())",
      "starts a task",
    ],
    toml: ["kept = open(__file__)", "keeps a file open"],
    mdurl: ["import uuid\nid = uuid.uuid4()", "draws random values (mdurl)"],
    tabulate: ["from random import randrange\nport = randrange(1000)", "draws random values"],
    distro: ["import secrets\nkey = secrets.token_hex()", "draws random values (distro)"],
    pytz: ["from datetime import datetime\nnow = datetime.now()", "reads the clock (pytz)"],
    cachetools: ["from time import time\nnow = time()", "reads the clock (cachetools)"],
    xmltodict: ["raise SystemExit(3)", "raises SystemExit"],
    defusedxml: ["import none_such", "raises ModuleNotFoundError"],
  };
  const sources = Object.fromEntries(
    Object.entries(reasons).map(([name, [source]]) => [name, source!]),
  );
  const { images, log } = await outcomeOf(sources);
  assertEquals(images.map(({ modules }) => modules), [["tomli"]]);
  for (const [name, [, reason]] of Object.entries(reasons)) {
    assert(log.includes(`"${name}":"${reason}`), `${name} in ${log}`);
  }
});

Deno.test("a package that asks for its version, or drops a file that it opened, is in an image", async () => {
  const { images, log } = await outcomeOf({
    six: "from importlib.metadata import PackageNotFoundError, version\n" +
      "try:\n    found = version('none-such')\nexcept PackageNotFoundError:\n    found = version('six')",
    toml:
      "class Opened:\n    def __init__(self):\n        self.me, self.file = self, open(__file__)\n" +
      "Opened()",
  });
  assertEquals(images.map(({ modules }) => modules), [["six", "toml", "tomli"]], log);
});

/** A package whose module `name` has this source. */
const having = (name: string, source: string) => `
import sys, types
module = types.ModuleType(${JSON.stringify(name)})
sys.modules[module.__name__] = module
exec(${JSON.stringify(source)}, module.__dict__)
`;

Deno.test("what known packages draw or read of the clock is drawn and read anew in each session", async () => {
  const sources = {
    six: having(
      "bson.objectid",
      "import os, random\n_MAX_COUNTER_VALUE = 0xffffff\nclass ObjectId:\n" +
        "    _inc = random.SystemRandom().randint(0, _MAX_COUNTER_VALUE)\n" +
        "    _ObjectId__random = os.urandom(5)",
    ),
    toml: having(
      "github.Repository",
      "from datetime import datetime, timezone\nclass Repository:\n" +
        "    def mark_notifications_as_read(self, at=datetime.now(timezone.utc)): return at",
    ),
    mdurl: having("branca.element", "import os\nname = os.urandom(16)"),
  };
  const { images, log, ran } = await outcomeOf(sources, {
    run: `
import sys
from datetime import datetime, timezone
ids = sys.modules["bson.objectid"].ObjectId
read = sys.modules["github.Repository"].Repository().mark_notifications_as_read()
result = [ids._inc, ids._ObjectId__random, (datetime.now(timezone.utc) - read).total_seconds()]`,
  });
  assertEquals(images.map(({ modules }) => modules), [["mdurl", "six", "toml", "tomli"]], log);
  const [first, second] = ran.map((text) => text.slice(1, -1).split(", "));
  assertNotEquals(first![0], second![0]);
  assertNotEquals(first![1], second![1]);
  assert(Number(first![2]) < 60 && Number(second![2]) < 60);
});

Deno.test("a known package of another form is in no image", async () => {
  const { images, log } = await outcomeOf({
    six: having("bson.objectid", "import os\nclass ObjectId:\n    drawn = os.urandom(5)"),
  });
  assertEquals(images.map(({ modules }) => modules), [["tomli"]], log);
  assertMatch(log, /"six":"draws what cannot be renewed: AttributeError/);
});

Deno.test("a package that makes callbacks of C is in an image if it keeps none", async () => {
  const { images, log } = await outcomeOf({
    six: "import ctypes\nctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)()",
  });
  assertEquals(images.map(({ modules }) => modules), [["six", "tomli"]], log);
  const kept = await outcomeOf({
    six: "import ctypes\nkept = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)",
  });
  assertEquals(kept.images, [], kept.log);
});

Deno.test("variables that packages read when they are imported are known, however they read them", async () => {
  const { images } = await outcomeOf({
    six: 'import os\na = os.getenv("READ_A")',
    toml: 'from os import environ\na = environ.get("READ_B", "") or "READ_C" in environ',
    mdurl: 'import os\ntry:\n    os.environb[b"READ_D"]\nexcept KeyError:\n    pass',
    tabulate: 'import os\nos.environ.setdefault("READ_E", "1")\ndel os.environ["READ_E"]',
  });
  const reads = images[0]!.reads;
  for (const name of "ABCDE") assert(reads.includes(`READ_${name}`), `${name} in ${reads}`);
  const all = await outcomeOf({ six: "import os\nseen = dict(os.environ)" });
  assert(all.images[0]!.reads.includes("*"));
});

Deno.test("nothing of the node is in an image's pages, whatever a package looks through", async () => {
  const planted = crypto.randomUUID();
  const NAME = "PLANTED_API_KEY";
  Deno.env.set(NAME, planted);
  try {
    const { images, pages } = await outcomeOf({
      six: `import os, sys\nfrom pyodide.code import run_js\n` +
        `kept = ["in every image: " + "six", dict(os.environ), os.getenv("${NAME}")]\n` +
        "for expression in ('Deno.env.toObject()', 'Deno.args', 'process.env', 'Deno.readTextFileSync(\"/proc/self/environ\")'):\n" +
        "    try:\n        kept.append(str(run_js('JSON.stringify(' + expression + ')')))\n" +
        "    except Exception as error:\n        kept.append(str(error))\n",
    });
    assertEquals(images.map(({ modules }) => modules), [["six", "tomli"]]);
    const has = (text: string) =>
      pages.some((bytes) => Buffer.from(bytes.buffer).includes(text, 0, "latin1"));
    assert(has("in every image: six"), "the pages are not those that are looked through");
    assert(!has(planted), "a variable of the node is in the image");
  } finally {
    Deno.env.delete(NAME);
  }
});

Deno.test("a package that hangs or takes all memory when it is imported makes no image", async () => {
  const memory = await outcomeOf({ six: "held = [bytes(2**20) for _ in range(4096)]" });
  assertEquals(memory.images.map(({ modules }) => modules), [["tomli"]]);
  assertMatch(memory.log, /"six":"raises MemoryError/);
  // Memory of JavaScript's, which the interpreter's ceiling does not count.
  const buffers = await outcomeOf({
    six: "from pyodide.code import run_js\n" +
      "held = [run_js('new Uint8Array(2 ** 30)') for _ in range(12)]",
  });
  assertEquals(buffers.images.map(({ modules }) => modules), [["tomli"]]);
  assertMatch(buffers.log, /"six":"raises JsException: RangeError/);
  // As long as it takes to be sure that it is at that.
  const hung = await outcomeOf({ six: "while True: pass" }, { timeoutMs: 20_000 });
  assertEquals(hung.images, []);
  assertMatch(hung.log, /"image.none".*not created within/);
  assertEquals(hung.made.figures().failed, 1);
});
