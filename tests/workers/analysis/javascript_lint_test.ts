import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { RawIssue } from "../../../workers/analysis/finding.ts";
import { analyse } from "../../../workers/analysis/quality/mod.ts";
import { analyseHere, scrambledBytes, withStage } from "../../helpers/analysis.ts";

type Files = Record<string, string | Uint8Array>;

async function lint(files: Files, lang = "javascript") {
  const { result, refused } = await analyseHere<{ issues: RawIssue[] }>(analyse, files, { lang });
  return { issues: result.issues, refused };
}

async function rules(files: Files, lang = "javascript"): Promise<string[]> {
  const { issues } = await lint(files, lang);
  return issues.map(({ rule, line }) => `${rule} ${line}`).sort();
}

Deno.test("quality of JavaScript classes ESLint's faults, smells and hotspots", async () => {
  const text = `import fs from "node:fs";
const a = 1;
a = 2;
if (x === NaN) {}
const twice = { k: 1, k: 2 };
switch (a) { case 1: a(); case 2: break; }
element.innerHTML = a + twice;
const slow = /(a+)+$/;
fs.readFile(a, slow);
const token = Math.random();
if (password === token) debugger;
`;
  const { issues } = await lint({ "a.js": text });
  const found = issues.map((each) =>
    `${each.rule} ${each.class} ${each.severity} ${each.cwe} ${each.line}`
  );
  assertEquals(found.sort(), [
    "no-const-assign bug high null 3",
    "no-debugger code_smell low null 11",
    "no-dupe-keys bug medium null 5",
    "no-empty code_smell low null 4",
    "no-fallthrough code_smell medium null 6",
    "no-restricted-properties security_hotspot low CWE-338 10",
    "no-undef bug medium null 11",
    "no-undef bug medium null 4",
    "no-undef bug medium null 7",
    "no-unsanitized/property security_hotspot low CWE-79 7",
    "security/detect-non-literal-fs-filename security_hotspot info CWE-22 9",
    "security/detect-possible-timing-attacks security_hotspot low CWE-208 11",
    "security/detect-unsafe-regex security_hotspot low CWE-1333 8",
    "use-isnan bug medium null 4",
  ]);
});

Deno.test("quality of TypeScript knows types, overloads, decorators and JSX", async () => {
  const typed = `import type { A } from "./a.ts";
enum Colour { Red = 1, Blue = 1 }
function f(a: string): string;
function f(a: number): number;
function f(a: unknown): unknown { return a as A; }
@decorated class B { constructor(private readonly c: A) {} }
export const g = <T,>(t: T): T => { debugger; return t ?? f(1)!; };
export default [Colour, B];
`;
  assertEquals(
    await rules({ "a.ts": typed, "b.tsx": "export const e = <p>{1}</p>;\n" }, "typescript"),
    [
      "no-debugger 7",
      "ts/no-duplicate-enum-values 2",
    ],
  );
});

Deno.test("quality parses JavaScript with decorators or types like TypeScript", async () => {
  const files = {
    "a.js": "@d class A { x = 1; }\ndebugger;\n",
    "b.js": "let a: string; debugger;\n",
  };
  assertEquals(
    await rules(files),
    [
      "no-debugger 1",
      "no-debugger 2",
      "ts/no-unused-vars 1",
      "ts/no-unused-vars 1",
    ].filter((each) => !each.startsWith("prefer")),
  );
});

Deno.test("quality reads CommonJS, plain scripts and modules as what they are", async () => {
  const files = {
    "common.js":
      "const fs = require('fs');\nexports = module.exports = fs;\nif (fs) return;\nwith (fs) {}\n",
    "module.mjs": "export default await unknown;\n",
    "script.js": "shared.of.the.page();\n",
  };
  assertEquals(await rules(files), ["no-empty 4", "no-undef 1", "no-with 4"]);
});

Deno.test("quality honours no configuration of the repository, in comments or in files", async () => {
  const off = [
    "/* eslint-disable */",
    "/* eslint no-debugger: 0 */",
    "// eslint-disable-next-line",
  ];
  for (const comment of off) {
    const found = await rules({
      "a.js": `${comment}\ndebugger; // eslint-disable-line\n`,
      "eslint.config.js": `globalThis.ranBySomebody = true;\nexport default [{ rules: {} }];\n`,
      ".eslintrc.js": `globalThis.ranBySomebody = true;\n`,
    });
    assertEquals(
      found.filter((each) => each.startsWith("no-debugger")),
      ["no-debugger 2"],
      comment,
    );
    assert(found.some((each) => each.startsWith("suppressed-findings")), comment);
  }
  assert(!("ranBySomebody" in globalThis), "code of the repository ran");
});

Deno.test("quality calls one weakness at one line one issue, that of our own rule", async () => {
  const found = await rules({
    "a.js":
      `import cp from "node:child_process";\ncp.exec(process.argv[2]);\neval(process.argv[2]);\n`,
  });
  assertEquals(found, ["js/eval 3", "js/shell 2"]);
});

Deno.test("quality finds lines also where JavaScript breaks them at other characters", async () => {
  const text = "// a\u2028debugger;\n// b\rdebugger;\r\ndebugger;\n";
  assertEquals(await rules({ "a.js": text }), [
    "no-debugger 1",
    "no-debugger 2",
    "no-debugger 3",
    "no-irregular-whitespace 1",
  ]);
});

Deno.test("quality reports JavaScript that does not parse and survives hostile files", async () => {
  const random = scrambledBytes(20_000);
  const nested = (open: string, close: string, times: number) =>
    `debugger; x = ${open.repeat(times)}1${close.repeat(times)};`;
  const names = ["broken", "deep", "deeper", "long", "minified"];
  const { issues, refused } = await lint({
    "server.js": names.map((name) => `import "./${name}.js";\n`).join(""),
    "broken.js": "let = = 1;\n",
    "deep.js": nested("(() => ", ")", 495),
    "deeper.js": nested("[", "]", 3000),
    "long.js": `x = "${"a".repeat(900_000)}";`,
    "minified.js": "a=1;if(a){a++}".repeat(2000),
    "random.js": random,
    "tests/deep.js": nested("(() => ", ")", 495),
  });
  const of = (rule: string) => issues.filter((each) => each.rule === rule);
  const refusedFiles = refused.map(({ file }) => file);
  assertEquals(
    of("invalid-syntax").filter(({ file }) => file === "broken.js")
      .map((each) => `${each.class} ${each.severity} ${each.line}`),
    ["bug high 1"],
  );
  assert(refusedFiles.includes("deeper.js"));
  // Whether the parser's stack holds them depends on the process; silent it is not.
  const linted = of("no-debugger").map(({ file }) => file);
  assert(linted.includes("deep.js") || refusedFiles.includes("deep.js"));
  assert(linted.includes("tests/deep.js") || of("not-linted")[0]?.file === "tests/deep.js");
  for (const file of ["long.js", "minified.js"]) assert(!refusedFiles.includes(file), file);
});

Deno.test("quality says which tests ESLint did not look at, and looks at all that runs", async () => {
  const big = `debugger;\n/* ${"a".repeat(900_000)} */\n`;
  const { issues } = await lint({
    "server.js": big,
    "tests/a.js": big,
    "tests/b.js": big,
    "tests/c.js": big,
  });
  const files = issues.filter(({ rule }) => rule === "no-debugger").map(({ file }) => file);
  assertEquals(files, ["server.js", "tests/a.js"]);
  const remark = issues.find(({ rule }) => rule === "not-linted");
  assertStringIncludes(remark?.detail ?? "", "tests/b.js, tests/c.js");
});

Deno.test("ESLint and its TypeScript parser run with the analysis process's permissions", async () => {
  await withStage(async ({ deps, input }) => {
    const outcome = await deps.analysis.run({
      analyser: "quality",
      lang: "typescript",
      entrypoint: "a.ts",
      files:
        input({ "a.ts": "const a: number = 1;\ndebugger;\nexport { a };\n", "b.js": "debugger;\n" })
          .repository.files,
    }, { deadlineMs: 60_000 });
    assertEquals(outcome.kind === "done" && outcome.notAnalysable, []);
    const { issues } = (outcome as { result: { issues: RawIssue[] } }).result;
    assertEquals(issues.map(({ rule, file }) => `${rule} ${file}`), [
      "no-debugger a.ts",
      "no-debugger b.js",
    ]);
  });
});
