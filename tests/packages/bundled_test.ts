import { assertEquals } from "@std/assert";
import { readInstallation } from "../../src/packages/installation.ts";
import type { TestPackage } from "../helpers/package_index.ts";
import { runWith } from "./sessions.ts";
import { reasonsOf, withPackages } from "./harness.ts";

/** What a resolution says of the libraries that the runtime is made of, by name. */
async function bundledIn(
  files: Record<string, string>,
  packages: readonly TestPackage[] = [],
) {
  const { bundled } = await readInstallation();
  const found: Record<string, [version: string, direct: boolean, instead: string | null]> = {};
  let missing: string[] = [];
  await withPackages(packages, async ({ resolve }) => {
    const resolution = await resolve({ "server.py": "", ...files });
    missing = reasonsOf(resolution);
    for (const { name, version, source, direct, instead } of resolution.resolved) {
      if (Object.hasOwn(bundled, name) && source === "installation") {
        found[name] = [version, direct, instead];
      }
    }
  });
  return { found, missing };
}

const REQUESTS = ["certifi", "charset-normalizer", "idna", "urllib3"];

Deno.test("a library of the runtime is listed in the version that sessions have, with what was asked for", async () => {
  const { bundled } = await readInstallation();
  const { found, missing } = await bundledIn({ "requirements.txt": "requests==2.19.1\n" });
  assertEquals([found["requests"], missing], [
    [bundled["requests"]!, true, "requests==2.19.1"],
    [],
  ]);
  // What it requires comes with it.
  assertEquals(Object.keys(found), [...REQUESTS.slice(0, 3), "requests", "urllib3"]);
  for (const name of REQUESTS) assertEquals(found[name], [bundled[name]!, false, null]);
});

Deno.test("a library of the runtime is listed whoever asks for it", async () => {
  const asking = { name: "asking", version: "1.0", requires: ["urllib3<2", "typing_inspection"] };
  const names = async (files: Record<string, string>) =>
    Object.keys((await bundledIn(files, [asking])).found);
  // A package of its own, one of the installation, an SDK.
  const ofAsking = ["typing-extensions", "typing-inspection", "urllib3"];
  assertEquals(await names({ "requirements.txt": "asking\n" }), ofAsking);
  const ofPydantic = ["annotated-types", "typing-extensions", "typing-inspection"];
  assertEquals(await names({ "requirements.txt": "pydantic\n" }), ofPydantic);
  assertEquals(
    (await names({ "requirements.txt": "mcp<2\n" })).includes("typing-extensions"),
    true,
  );
  assertEquals(await names({ "requirements.txt": "attrs\n" }), []);
});

Deno.test("a library that a lock file has in another version is listed with that", async () => {
  const { bundled } = await readInstallation();
  const { found } = await bundledIn({
    "pyproject.toml": '[project]\nname = "example"\nversion = "1"\ndependencies = ["requests"]\n',
    "uv.lock": `version = 1
[[package]]
name = "example"
version = "1"
source = { virtual = "." }
dependencies = [{ name = "requests" }]
[[package]]
name = "requests"
version = "2.31.0"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "urllib3" }]
[[package]]
name = "urllib3"
version = "2.2.0"
source = { registry = "https://pypi.org/simple" }
`,
  });
  assertEquals(found["requests"], [bundled["requests"]!, true, "requests==2.31.0"]);
  assertEquals(found["urllib3"], [bundled["urllib3"]!, false, "urllib3==2.2.0"]);
});

Deno.test("packages of the installation see no more of each other for what is listed", async () => {
  const { said, resolved } = await runWith(
    [],
    "httpx\nrequests==2.19.1\n",
    `
import httpx, requests
from importlib.metadata import version
@tool
def run() -> str:
    return requests.__version__ + " " + version("requests") + " " + version("httpcore")
`,
  );
  const { bundled, fixed } = await readInstallation();
  assertEquals(said, `${bundled["requests"]} ${bundled["requests"]} ${fixed["httpcore"]}`);
  assertEquals(resolved.resolved.some(({ name }) => name === "httpcore"), true);
});
