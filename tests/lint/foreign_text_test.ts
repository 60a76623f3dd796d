import { assert, assertEquals } from "@std/assert";
import plugin, { EXEMPT } from "./foreign_text.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

function faults(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `${ROOT}${file}`, source).map(({ message }) => message);
}

const ALLOWED: [string, string][] = [
  ["src/repository/archive.ts", 'import { createTarDecoder } from "modern-tar";'],
  ["src/scan/pipeline.ts", 'import type { Rule } from "../../workers/analysis/audit/rule.ts";'],
  ["src/scan/pipeline.ts", 'import { X } from "../../workers/analysis/weaknesses.ts";'],
  ["src/cli/project/packages.ts", 'import { parse } from "smol-toml"; JSON.parse("1");'],
  ["workers/analysis/manifests/toml.ts", 'import { parse } from "smol-toml";'],
  ["tests/web/x_test.ts", 'JSON.parse("1"); new RegExp("x");'],
];

const REFUSED: [string, string][] = [
  ["src/repository/archive.ts", 'import { marked } from "marked";'],
  ["src/scan/pipeline.ts", 'import { parse } from "smol-toml";'],
  ["src/scan/pipeline.ts", 'import { load } from "npm:js-yaml";'],
  ["src/scan/pipeline.ts", 'import { gunzipSync } from "node:zlib";'],
  ["src/scan/pipeline.ts", 'const x = await import("semver");'],
  ["src/scan/pipeline.ts", "JSON.parse(text);"],
  ["src/scan/pipeline.ts", "parseExact(text);"],
  ["src/scan/pipeline.ts", "await response.json();"],
  ["src/scan/pipeline.ts", "new RegExp(text);"],
  ["src/scan/pipeline.ts", "RegExp(text);"],
  ["src/scan/pipeline.ts", 'import { x } from "../../workers/analysis/manifests/manifests.ts";'],
  ["src/web/publish/inspect.ts", 'import { detect } from "../../cli/project/detect.ts";'],
];

Deno.test("foreign text lint lets the main process parse what the table says, and nothing else", () => {
  for (const [file, source] of ALLOWED) {
    assertEquals(faults(file, source), [], `${file}: ${source}`);
  }
  for (const [file, source] of REFUSED) {
    assertEquals(faults(file, source).length, 1, `${file}: ${source}`);
  }
});

Deno.test("foreign text lint's table has no entry that is not used, and a reason for each", async () => {
  for (const [path, { uses, because }] of Object.entries(EXEMPT)) {
    const source = await Deno.readTextFile(`${ROOT}${path}`);
    assert(because.length > 5, path);
    for (const what of uses) {
      const word = what.startsWith("workers/") ? what.split("/").at(-1)! : what.replace("()", "(");
      assert(source.includes(word), `${path} does not use ${what}`);
    }
  }
});
