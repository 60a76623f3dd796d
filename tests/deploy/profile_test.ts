import { assertEquals, assertMatch } from "@std/assert";
import { fileURLToPath } from "node:url";

const read = (path: string) =>
  Deno.readTextFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

Deno.test("each way to deploy, and the first page of the README, has the full profile", async () => {
  const named: Record<string, RegExp> = {
    "deploy/Containerfile": /^ENV INTERPRETER_PROFILE=(\w+)$/gm,
    "deploy/berth.service": /^Environment=INTERPRETER_PROFILE=(\w+)$/gm,
    "deploy/compose.yaml": /INTERPRETER_PROFILE: \$\{INTERPRETER_PROFILE:-(\w+)\}/g,
    "deploy/helm/berth/values.yaml": /^ {2}INTERPRETER_PROFILE: (\w+)$/gm,
    "deploy/kubernetes/berth.yaml": /name: INTERPRETER_PROFILE, value: "(\w+)"/g,
  };
  for (const [path, pattern] of Object.entries(named)) {
    const found = [...(await read(path)).matchAll(pattern)].map(([, profile]) => profile);
    assertEquals(found.filter((profile) => profile !== "full"), [], path);
    assertEquals(found.length > 0, true, path);
  }
  assertMatch(await read("README.md"), /Run `INTERPRETER_PROFILE=full deno task start`/);
});
