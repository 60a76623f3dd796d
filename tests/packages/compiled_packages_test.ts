import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { pathToFileURL } from "node:url";
import { sha256Of } from "../../src/bytes.ts";
import { COMPILED, linkedPackage, PYODIDE_TAG, SEEDED } from "../helpers/compiled_package.ts";
import { callTool, openTestHosts, server, sessionInput } from "../helpers/interpreter.ts";
import { wheelOf } from "../helpers/package_index.ts";
import { givenPackages, runWith } from "./sessions.ts";

Deno.test("compiled modules of a server's own packages find all that the interpreter has", async () => {
  const { said } = await runWith(
    [COMPILED, linkedPackage()],
    "compiled\nlinked\n",
    `
import ctypes
from compiled import first, second
from linked import third

HASH_SLOT = 60

@tool
def run() -> str:
    try:
        first.refuse(None)
    except BlockingIOError as error:
        refused = str(error)
    slot = ctypes.c_uint32.from_address(id(list) + HASH_SLOT).value
    return repr([
        first.lines("a\\nb"), refused, first.count(None) + first.count(None), first.caught(None),
        first.missing(None), third.base(None),
        [slot == first.place_in_table(None), slot == second.place_in_table(None)],
        first.place_of_lent(None) == second.place_of_lent(None) > 0,
    ])
`,
  );
  const wanted = "[['a', 'b'], 'refused by compiled code', 3, 7, 0, 41, [True, True], True]";
  assertEquals(said, wanted);
});

Deno.test("compiled packages of Pyodide's distribution come from a folder, by the digests of its lock", async () => {
  const folder = await Deno.makeTempDir({ prefix: "berth-distribution-" });
  try {
    const wheel = wheelOf(COMPILED);
    const file = `compiled-1.0-${PYODIDE_TAG}.whl`;
    await Deno.writeFile(`${folder}/${file}`, wheel);
    const entry = {
      name: "compiled",
      version: "1.0",
      file_name: file,
      sha256: await sha256Of(wheel),
      package_type: "package",
      depends: [],
    };
    const lock = `${folder}/pyodide-lock.json`;
    await Deno.writeTextFile(lock, JSON.stringify({ info: {}, packages: { compiled: entry } }));
    const { said, resolved } = await runWith(
      // What the index has is for machines that no session has.
      [{ ...COMPILED, tag: "cp314-cp314-manylinux_2_28_x86_64" }],
      "compiled>=1\n",
      `
from compiled import first

@tool
def run() -> str:
    return str(first.lines("a\\nb"))
`,
      { deps: { distributionUrl: pathToFileURL(`${folder}/`).href, distributionFile: lock } },
    );
    assertEquals(said, "['a', 'b']");
    assertEquals(resolved.resolved.map(({ source }) => source), ["distribution"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("what compiled code draws at its import differs between sessions", async () => {
  const { given } = await givenPackages([SEEDED], "seeded\n");
  await using hosts = await openTestHosts({ warmSessions: 1 });
  const source = server(`
import seeded

@tool
def run() -> str:
    return str(seeded.seed(None))
`);
  const seeds: string[] = [];
  for (let round = 0; round < 2; round++) {
    const session = await hosts.open(sessionInput(source, { packages: given }));
    assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
    seeds.push(await callTool(session, "run"));
    await session.close();
  }
  assert(seeds.every((seed) => seed !== "0"), seeds.join());
  assertNotEquals(seeds[0], seeds[1]);
});
