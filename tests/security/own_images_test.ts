import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readSnapshot } from "../../workers/session/interpreter/snapshot.ts";
import { expectAlike } from "../helpers/snapshots.ts";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { linkedInterpreter, testImages } from "../helpers/made_images.ts";
import { type OwnPackage, ownPackages } from "../helpers/own_packages.ts";
import type { PlainInput } from "../helpers/plain_json.ts";

const RUN = `
@tool
def run(code: str) -> str:
    names = {"__name__": "code"}
    exec(code, names)
    return str(names["result"])
`;

/** Changes what all code of a session has in common, when it is imported. */
const POISON: OwnPackage = {
  files: {
    "poison/__init__.py": `
import builtins, sys, textwrap
builtins.poisoned = True
textwrap.dedent = lambda text: "poisoned"
sys.modules["tomli"] = None
from berth_runtime import packages
packages.catalogue()["honest"] = {"version": "6", "modules": ["honest"], "requires": [], "place": "/lib/packages/poison"}
`,
    "poison/honest.py": "WHO = 'poison'\n",
  },
};
const HONEST: OwnPackage = { files: { "honest/__init__.py": "WHO = 'honest'\nSEEN = []\n" } };

const LOOK = `
import builtins, honest, sys, textwrap
result = [hasattr(builtins, "poisoned"), textwrap.dedent("1"), sys.modules.get("tomli", 1), honest.WHO, honest.SEEN]`;
const CLEAN = "[False, '1', 1, 'honest', []]";

/** Whether the session has a module in its memory whose file is not there. */
const fromImage = (module: string) =>
  `import os, ${module}\nresult = not os.path.exists(${module}.__file__)`;

/** Hosts that make images of what these servers import. */
async function setting() {
  await using started = new AsyncDisposableStack();
  const interpreter = started.use(await linkedInterpreter());
  const images = started.use(await testImages(interpreter));
  const hosts = started.use(await openTestHosts({ interpreter, made: images.made }));
  const all = started.move();
  return {
    ...images,
    given: (packages: Record<string, OwnPackage>) => ownPackages(interpreter.folder, packages),
    async open(imports: string[], overrides: Partial<PlainInput>) {
      const scanned = { files: ["main.py"], texts: [], computed: true };
      const source = server(`import ${imports.join(", ")}\n${RUN}`);
      const session = await hosts.open(sessionInput(source, { imports, scanned, ...overrides }));
      assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
      return Object.assign(session, { run: (code: string) => callTool(session, "run", { code }) });
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

Deno.test("what a package does to its image reaches no server that lacks it", async () => {
  await using test = await setting();
  const { made, store } = test;
  const both = await test.given({ poison: POISON, honest: HONEST });
  const alone = await test.given({ honest: HONEST });
  // Of the same name, but other bytes.
  const changed = await test.given({
    poison: { files: { "poison/__init__.py": "" } },
    honest: HONEST,
  });

  await test.open(["honest", "poison"], { server: "a", packages: both });
  await made.idle();
  const [image] = Object.values(store.images());
  assertEquals(image?.packages, ["honest", "poison"]);
  assertEquals(image?.own, both.set);
  const poisoned = await test.open(["honest", "poison"], { server: "a", packages: both });
  assertEquals(await poisoned.run(`import builtins\nresult = builtins.poisoned`), "True");

  for (
    const [imports, packages] of [
      [["honest"], alone],
      [["honest", "poison"], changed],
    ] as const
  ) {
    for (const round of ["without an image", "with its own"]) {
      const session = await test.open([...imports], { server: `b ${packages.set}`, packages });
      assertEquals(await session.run(LOOK), CLEAN, round);
      assertEquals(
        await session.run(fromImage("honest")),
        round === "with its own" ? "True" : "False",
      );
      await made.idle();
    }
  }
  assertEquals(Object.keys(store.images()).length, 3);
  // Nor a server without packages of its own, and those have no part in images of the installation's.
  await test.open(["tomli"], { server: "c" });
  await made.idle();
  const plain = await test.open(["tomli"], { server: "c" });
  assertEquals(
    await plain.run(`import builtins, tomli\nresult = hasattr(builtins, "poisoned")`),
    "False",
  );
  const common = Object.values(store.images()).find(({ own }) => own === null);
  assertEquals(common?.packages, ["tomli"]);
});

Deno.test("servers with the same packages by digest share an image, and no memory", async () => {
  await using test = await setting();
  const packages = await test.given({ honest: HONEST });
  const same = await test.given({ honest: HONEST });
  assertEquals(packages.set, same.set);
  await test.open(["honest"], { server: "a", packages });
  await test.made.idle();
  assertEquals(test.made.figures().made, 1);
  const change = `import honest\nhonest.SEEN.append(1)\nresult = len(honest.SEEN)`;
  for (
    const [server, client] of [["a", "user one"], ["a", "user two"], ["b", "user one"]] as const
  ) {
    const session = await test.open(["honest"], { server, client, packages: same });
    assertEquals(await session.run(fromImage("honest")), "True");
    assertEquals(await session.run(change), "1");
  }
  assertEquals(test.made.figures().made, 1);
});

Deno.test("a server that sees other packages has another image, though its own are the same", async () => {
  await using test = await setting();
  const greedy: OwnPackage = {
    files: {
      "greedy/__init__.py": "try:\n    import honest\nexcept ImportError:\n    honest = None\n",
    },
  };
  const alone = await test.given({ greedy });
  const both = await test.given({ greedy, honest: HONEST });
  assertNotEquals(alone.set, both.set);
  const sees = `import greedy\nresult = greedy.honest is not None`;
  for (const packages of [alone, both, alone, both]) {
    const session = await test.open(["greedy"], { server: `s ${packages.set}`, packages });
    assertEquals(await session.run(sees), packages === both ? "True" : "False");
    await test.made.idle();
  }
  assertEquals(
    Object.values(test.store.images()).map((image) => image.packages.join(" ")).sort(),
    ["greedy", "greedy honest"],
  );
});

Deno.test("what own packages draw, read or start when they are imported is in no image", async () => {
  await using test = await setting();
  const sources: Record<string, string> = {
    drawn: "import os\nKEY = os.urandom(8).hex()\n",
    clocked: "import time\nNOW = time.time()\n",
    started: "import asyncio\nTASK = asyncio.get_event_loop().create_task(asyncio.sleep(60))\n",
    seeded: "import random\nOWN = random.Random()\n",
    reading: "import os\nSET = os.environ.get('READ_HERE')\n",
  };
  const packages = await test.given(
    Object.fromEntries(
      Object.entries(sources).map(([name, text]) => [name, { files: { [`${name}.py`]: text } }]),
    ),
  );
  const imports = Object.keys(sources);
  await test.open(imports, { packages });
  await test.made.idle();
  const [image] = Object.values(test.store.images());
  assertEquals(image?.packages, ["reading", "seeded"]);
  assertEquals(image?.reads, ["READ_HERE"]);
  const draws = `import drawn, seeded, random
result = [drawn.KEY, seeded.OWN.random(), random.random(), id(object())]`;
  const [one, other] = [
    await test.open(imports, { packages }),
    await test.open(imports, { packages }),
  ];
  assertEquals(await one.run(fromImage("seeded")), "True");
  const [first, second] = [await one.run(draws), await other.run(draws)].map((text) =>
    text.split(", ")
  );
  first!.forEach((value, i) => assertNotEquals(value, second![i]));
  // A session that sets what was read gets no image that has read it.
  const environment = { READ_HERE: "now" };
  const set = await test.open(imports, { packages, environment });
  assertEquals(await set.run("import reading\nresult = reading.SET"), "now");
});

Deno.test("a package of its own that a server hides is in no image of it", async () => {
  await using test = await setting();
  const packages = await test.given({
    honest: HONEST,
    needy: { files: { "needy.py": "import honest\n" }, requires: ["honest"] },
    free: { files: { "free.py": "" } },
  });
  const source = server(`import honest, needy, free\n${RUN}`);
  const encode = (text: string) => new TextEncoder().encode(text);
  const files = new Map([["main.py", encode(source)], ["honest.py", encode("WHO = 'server'\n")]]);
  const imports = ["honest", "needy", "free"];
  const scanned = { files: [...files.keys()], texts: [], computed: true };
  for (const isMade of [false, true]) {
    const session = await test.open(imports, { packages, files, scanned });
    assertEquals(await session.run("import honest, needy\nresult = needy.honest.WHO"), "server");
    assertEquals(await session.run(fromImage("free")), isMade ? "True" : "False");
    await test.made.idle();
  }
  assertEquals(Object.values(test.store.images()).map((image) => image.packages), [["free"]]);
  assert(test.made.figures().made === 1);
});

Deno.test("two builds of a node's image are alike, whichever server and user they were made for", async () => {
  let builds = 0;
  await expectAlike(async () => {
    await using test = await setting();
    const packages = await test.given({
      honest: HONEST,
      table: { files: { "table.py": "ROWS = {str(n): [n] * 50 for n in range(5000)}\n" } },
    });
    const planted = crypto.randomUUID();
    const session = await test.open(["honest", "table", "yaml"], {
      server: `server ${++builds}`,
      client: `user ${builds}`,
      environment: { KEY: planted },
      packages,
    });
    await session.run(`import honest\nhonest.SEEN.append("${planted}")\nresult = 1`);
    await test.made.idle();
    const [name] = Object.keys(test.store.images());
    const pages = await Deno.readFile(`${test.folder}/${name}`);
    assert(!Buffer.from(pages.buffer).includes(planted, 0, "latin1"));
    return readSnapshot(pages);
  });
});
