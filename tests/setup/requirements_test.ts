import { assertEquals, assertThrows } from "@std/assert";
import { SetupError } from "../../src/setup/files.ts";
import { parseRequirements, wheelName } from "../../src/setup/requirements.ts";

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
  assertEquals(requirements.map(wheelName), [
    "idna-3.11-py3-none-any.whl",
    "charset_normalizer-3.4.7-py3-none-any.whl",
  ]);
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
  assertEquals(requirements.map((requirement) => requirement.name), [
    "certifi",
    "charset-normalizer",
    "idna",
    "requests",
    "urllib3",
  ]);
  for (const { digests } of requirements) assertEquals(new Set(digests).size, 2);
});
