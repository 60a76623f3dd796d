import { assert, assertEquals, assertThrows } from "@std/assert";
import { SetupError } from "../../src/setup/files.ts";
import { isWheelOf, parseRequirements } from "../../src/setup/requirements.ts";

const DIGEST = "a".repeat(64);
const OTHER = "0123456789abcdef".repeat(4);

Deno.test("parseRequirements() reads pinned packages with every digest", () => {
  const text =
    `# comment\n\nidna==3.11 \\\n    --hash=sha256:${DIGEST} \\\n    --hash=sha256:${OTHER}\n` +
    `charset-normalizer==3.4.7 --hash=sha256:${OTHER}\n`;
  const requirements = parseRequirements(text);
  assertEquals(requirements, [
    { name: "idna", version: "3.11", digests: [DIGEST, OTHER] },
    { name: "charset-normalizer", version: "3.4.7", digests: [OTHER] },
  ]);
  const files = ["idna-3.11-py3-none-any.whl", "charset_normalizer-3.4.7-cp314-cp314-any.whl"];
  for (const [i, requirement] of requirements.entries()) {
    assertEquals(files.filter((file) => isWheelOf(requirement, file)), [files[i]!]);
  }
  assertEquals(isWheelOf(requirements[0]!, "idna-3.110-py3-none-any.whl"), false);
});

Deno.test("parseRequirements() refuses what is not pinned, has no digest or leaves the folder", () => {
  const lines = [
    "idna",
    "idna==3.11",
    `idna>=3.11 --hash=sha256:${DIGEST}`,
    `idna==3.11 --hash=md5:${DIGEST}`,
    `idna==3.11 --hash=sha256:abc`,
    `../idna==3.11 --hash=sha256:${DIGEST}`,
    `idna==../3.11 --hash=sha256:${DIGEST}`,
    `--index-url=http://example.com idna==3.11 --hash=sha256:${DIGEST}`,
  ];
  for (const line of lines) assertThrows(() => parseRequirements(line), SetupError, line);
});

Deno.test("requirements.lock has requests and what it needs, each with two digests", async () => {
  const file = new URL("../../workers/python/requirements.lock", import.meta.url);
  const requirements = parseRequirements(await Deno.readTextFile(file));
  const names = ["certifi", "charset-normalizer", "idna", "requests", "urllib3"];
  for (const name of names) {
    const found = requirements.find((requirement) => requirement.name === name);
    assertEquals(new Set(found?.digests).size, 2, name);
  }
});

Deno.test("packages.lock holds pydantic with its compiled part, and no package twice", () => {
  const file = new URL("../../workers/python/packages.lock", import.meta.url);
  const always = new URL("../../workers/python/requirements.lock", import.meta.url);
  const names = [file, always].map((path) =>
    parseRequirements(Deno.readTextFileSync(path)).map((requirement) => requirement.name)
  );
  assertEquals(new Set(names.flat()).size, names.flat().length);
  for (const name of ["pydantic", "pydantic-core", "httpx", "starlette"]) {
    assert(names[0]!.includes(name));
  }
});
