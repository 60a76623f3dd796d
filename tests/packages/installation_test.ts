import { assertEquals } from "@std/assert";
import { readInstallation } from "../../src/packages/installation.ts";
import { readImageInputs } from "../../src/setup/interpreter.ts";
import { readMetadata } from "../../workers/analysis/packages/index_page.ts";
import { needsOf } from "../../workers/analysis/packages/requirement.ts";
import { allows } from "../../workers/analysis/packages/versions.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { testInterpreter } from "../helpers/interpreter.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { directOf, reasonsOf, withIndex } from "./harness.ts";
import { runWith } from "./sessions.ts";

/** The metadata of a package as setup packed it. */
function metadataIn(packed: Uint8Array): string {
  const decoder = new TextDecoder();
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const list: [string, number][] = JSON.parse(decoder.decode(packed.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const [path, size] of list) {
    if (/\.dist-info\/METADATA$/.test(path)) return decoder.decode(packed.subarray(at, at + size));
    at += size;
  }
  return "";
}

/** What the metadata of libraries says in a session that they require, by name. */
async function requiredInSession(names: string[]): Promise<Record<string, string[]>> {
  const { said } = await runWith(
    [],
    "requests\n",
    `
import json
from importlib.metadata import requires
@tool
def run() -> str:
    return json.dumps({name: requires(name) or [] for name in ${JSON.stringify(names)}})
`,
  );
  return JSON.parse(said);
}

Deno.test("installed_requirements.json says what the packages of the lock files require", async () => {
  const { fixed, bundled, requires } = await readInstallation();
  const inputs = await readImageInputs((await testInterpreter()).folder);
  const found: Record<string, string[]> = {};
  for (const name of Object.keys(fixed)) {
    const lines = readMetadata(metadataIn((await inputs.package(name)).bytes));
    found[name] = lines!.map((line) => line.replaceAll(/\s+/g, " "));
  }
  const ofRuntime = Object.entries(requires).filter(([name]) => Object.hasOwn(bundled, name));
  const said = Object.fromEntries(ofRuntime);
  assertEquals(requires, { ...found, ...said });
  const parts = ["annotated-types", "certifi", "charset-normalizer", "idna", "requests"];
  assertEquals(Object.keys(said), [...parts, "typing-extensions", "typing-inspection", "urllib3"]);
  assertEquals(await requiredInSession(Object.keys(said)), said);
});

Deno.test("a package of the installation has the digests of its wheels in the report", async () => {
  const { digests } = await readInstallation();
  const database = await openTestDatabase();
  try {
    const own = { name: "own", version: "1.0", requires: ["httpx"], files: { "own.py": "" } };
    await withIndex(database.sql, [own], async ({ resolve }) => {
      const { resolved } = await resolve({ "server.py": "", "requirements.txt": "own\nattrs\n" });
      assertEquals(
        resolved.filter(({ name }) => ["attrs", "httpx", "own"].includes(name))
          .map(({ name, source, wheels }) => [name, source, wheels]),
        [
          ["attrs", "installation", digests.attrs],
          ["httpx", "installation", digests.httpx],
          ["own", "index", undefined],
        ],
      );
    });
  } finally {
    await database.close();
  }
  assertEquals(Object.values(digests).every((each) => each.length > 0), true);
});

Deno.test("the packages of packages.lock go together", async () => {
  const { fixed, requires } = await readInstallation();
  const broken = Object.entries(requires).flatMap(([by, lines]) =>
    needsOf(lines, { by, extras: [] }).filter(({ name, specs }) =>
      fixed[name] !== undefined && !allows(specs, fixed[name])
    ).map(({ name, specs }) => `${by} requires ${name}${specs}`)
  );
  assertEquals(broken, []);
});

async function resolved(packages: readonly TestPackage[], requirements: string[]) {
  const database = await openTestDatabase();
  try {
    let result: {
      versions: string[];
      instead: (string | null)[];
      missing: string[];
      asked: string[];
    };
    await withIndex(database.sql, packages, async ({ index, resolve }) => {
      const files = { "server.py": "", "requirements.txt": `${requirements.join("\n")}\n` };
      const found = await resolve(files);
      const direct = directOf(found);
      result = {
        versions: found.resolved.flatMap(({ name, version, direct, source }) =>
          direct || source === "index" ? [`${name} ${version}`] : []
        ),
        instead: direct.map(({ instead }) => instead),
        missing: reasonsOf(found),
        asked: index.asked.filter((path) => path.startsWith("/simple/")).sort(),
      };
    });
    return result!;
  } finally {
    await database.close();
  }
}

const OLD: TestPackage[] = [
  { name: "starlette", version: "0.37.0" },
  { name: "fastapi", version: "0.164.0", requires: ["starlette>=1"] },
  { name: "fastapi", version: "0.110.0", requires: ["starlette<0.40"] },
];

Deno.test("resolvePackages() takes an own version of what would not go with an own version of another", async () => {
  for (const requirements of [["fastapi", "starlette<0.40"], ["starlette<0.40", "fastapi"]]) {
    const { versions, missing } = await resolved(OLD, requirements);
    assertEquals([versions, missing], [["fastapi 0.110.0", "starlette 0.37.0"], []]);
  }
  // Asked for by another package.
  const asking = { name: "asking", version: "1.0", requires: ["starlette<0.40"] };
  const { versions } = await resolved([...OLD, asking], ["fastapi", "asking"]);
  assertEquals(versions, ["asking 1.0", "fastapi 0.110.0", "starlette 0.37.0"]);
});

Deno.test("resolvePackages() says so where no version goes with what the installation has", async () => {
  const { fixed } = await readInstallation();
  const { versions, instead } = await resolved(OLD.slice(0, 2), ["fastapi", "starlette<0.40"]);
  assertEquals(versions, [`fastapi ${fixed["fastapi"]}`, `starlette ${fixed["starlette"]}`]);
  assertEquals(instead, [null, "starlette<0.40"]);
});

Deno.test("resolvePackages() knows what extras of the installation's packages require", async () => {
  const { fixed } = await readInstallation();
  const packages = [{ name: "h2", version: "4.1.0" }];
  const { versions, asked } = await resolved(packages, ["httpx[http2]"]);
  assertEquals(versions, ["h2 4.1.0", `httpx ${fixed["httpx"]}`]);
  assertEquals(asked, ["/simple/h2/"]);
});
