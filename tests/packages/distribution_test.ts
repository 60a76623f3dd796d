import { assertEquals, assertStringIncludes } from "@std/assert";
import { pathToFileURL } from "node:url";
import { sha256Of } from "../../src/bytes.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { wheelOf } from "../helpers/package_index.ts";
import { reasonsOf, withIndex } from "./harness.ts";

const NAME = "arrays-2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl";
const WHEEL = wheelOf({ name: "arrays", version: "2.0", files: { "arrays/__init__.py": "" } });

/** A lock file of a distribution that has `arrays`, which requires `helper` of the index. */
async function lockFile(folder: string, depends: string[]): Promise<string> {
  const entry = (name: string, more: Record<string, unknown>) => ({
    name,
    version: "2.0",
    package_type: "package",
    depends: [],
    ...more,
  });
  const packages = {
    arrays: entry("arrays", { file_name: NAME, sha256: await sha256Of(WHEEL), depends }),
    libblas: entry("libblas", {
      file_name: "libblas.zip",
      sha256: "0".repeat(64),
      package_type: "shared_library",
    }),
    helper: entry("helper", { file_name: "helper-2.0-py3-none-any.whl", sha256: "0".repeat(64) }),
  };
  const path = `${folder}/lock.json`;
  await Deno.writeTextFile(path, JSON.stringify({ info: {}, packages }));
  return path;
}

/** Resolves `arrays>=1` with a distribution of which `content` is the file; null: it has none. */
async function resolveFrom(content: Uint8Array | null, depends: string[]) {
  const database = await openTestDatabase();
  const folder = await Deno.makeTempDir({ prefix: "berth-distribution-" });
  try {
    if (content !== null) await Deno.writeFile(`${folder}/${NAME}`, content);
    let found: { versions: string[][]; reasons: string[] } | undefined;
    await withIndex(database.sql, [
      { name: "arrays", version: "3.0", sdist: true },
      { name: "helper", version: "2.5" },
    ], async ({ resolve }) => {
      const packages = await resolve({ "server.py": "", "requirements.txt": "arrays>=1\n" });
      const versions = packages.resolved.map((
        { name, version, source },
      ) => [name, version, source]);
      found = { versions, reasons: reasonsOf(packages) };
    }, {
      deps: {
        distributionUrl: pathToFileURL(`${folder}/`).href,
        distributionFile: await lockFile(folder, depends),
      },
    });
    return found!;
  } finally {
    await database.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("resolvePackages() takes from Pyodide's distribution what the index has no wheel of", async () => {
  const { versions, reasons } = await resolveFrom(WHEEL, ["helper"]);
  assertEquals(versions, [["arrays", "2.0", "distribution"], ["helper", "2.5", "index"]]);
  assertEquals(reasons, []);
});

Deno.test("resolvePackages() refuses files of a mirror that the distribution's lock does not have", async () => {
  const poisoned = wheelOf({ name: "arrays", version: "2.0", files: { "arrays/evil.py": "" } });
  const { versions, reasons } = await resolveFrom(poisoned, []);
  assertEquals(versions, []);
  assertStringIncludes(reasons[0]!, "another digest");
});

Deno.test("resolvePackages() says that the distribution could not be reached", async () => {
  const { versions, reasons } = await resolveFrom(null, []);
  assertEquals(versions, []);
  assertStringIncludes(reasons[0]!, "Pyodide's distribution alone");
});

Deno.test("resolvePackages() leaves out packages of the distribution that need a library beside them", async () => {
  const { versions, reasons } = await resolveFrom(WHEEL, ["libblas"]);
  assertEquals(versions, []);
  assertStringIncludes(reasons[0]!, "source distribution");
});
