import { assert, assertEquals } from "@std/assert";
import type { RawIssue } from "../../../workers/analysis/finding.ts";
import { analyse } from "../../../workers/analysis/quality/mod.ts";
import {
  readCobertura,
  readGoProfile,
  readLcov,
} from "../../../workers/analysis/quality/coverage.ts";
import { analyseHere, scrambledBytes } from "../../helpers/analysis.ts";

interface Result {
  files: number;
  lines: number;
  lines_of_code: number;
  duplicated_lines: number;
  coverage: number | null;
  complexity: {
    total: number;
    functions: number;
    highest: { function: string; complexity: number }[];
  };
  issues: RawIssue[];
}

const CASES: Record<string, { file: string; text: string; ncloc: number; complexity: number }> = {
  python: {
    file: "a.py",
    text: `"""Docstring
of two lines."""
# comment

def f(a, b):
    """Says what."""
    if a and b:  # +2
        return [x for x in a if x]  # +2
    return 1 if a else """text

    counts"""  # +1
`,
    ncloc: 5,
    complexity: 6,
  },
  javascript: {
    file: "a.js",
    text: `// comment
/* more
   comment */
export function f(a) {
  for (const x of a) if (x || a) return x;
  return a ?? 1;
}
`,
    ncloc: 4,
    complexity: 5,
  },
  typescript: {
    file: "a.ts",
    text: `class A {
  m(a: number): number {
    switch (a) {
      case 1: return 1;
      case 2: return a > 1 ? 2 : 3;
      default: return 0;
    }
  }
}
`,
    ncloc: 9,
    complexity: 4,
  },
  go: {
    file: "a.go",
    text: `package a

// comment
func f(a int) int {
	for i := 0; i < a; i++ {
		if i > 1 && a > 2 {
			return i
		}
	}
	return 0
}
`,
    ncloc: 9,
    complexity: 4,
  },
  rust: {
    file: "a.rs",
    text: `/// doc
fn f(a: i32) -> i32 {
    match a {
        1 => 2,
        _ => if a > 2 || a < 0 { 3 } else { 4 },
    }
}
`,
    ncloc: 6,
    complexity: 5,
  },
};

for (const [lang, { file, text, ncloc, complexity }] of Object.entries(CASES)) {
  Deno.test(`quality counts lines of code and complexity of ${lang}`, async () => {
    const { result } = await analyseHere<Result>(analyse, { [file]: text }, { lang });
    assertEquals(result.lines_of_code, ncloc);
    assertEquals(result.complexity.total, complexity);
    assertEquals(result.complexity.functions, 1);
  });
}

Deno.test("quality counts ways through functions as linters do", async () => {
  const cases: [string, string, string, number][] = [
    [
      "a.py",
      "python",
      "def f(x):\n match x:\n  case 1: pass\n  case [a, b] if a: pass\n  case _: pass\n",
      4,
    ],
    ["a.py", "python", "def f(x):\n try: a()\n except A: b()\n else: c()\n finally: d()\n", 2],
    [
      "a.py",
      "python",
      "async def f(x):\n async for a in x: pass\n return [b for b in x if b or a]\n",
      5,
    ],
    ["a.js", "javascript", "function f(x) { x ??= 1; x ||= 2; try { x(); } catch { x?.y(); } }", 4],
    [
      "a.ts",
      "typescript",
      "const f = (x: A) => { switch (x) { case 1: case 2: return; default: } };",
      3,
    ],
    [
      "a.go",
      "go",
      "package a\nfunc f() {\n select {\n case <-c:\n default:\n }\n for range x {\n }\n}\n",
      3,
    ],
    ["a.rs", "rust", "fn f() { loop { if let Some(a) = b { break; } } while c {} }", 4],
  ];
  for (const [file, lang, text, complexity] of cases) {
    const { result } = await analyseHere<Result>(analyse, { [file]: text }, { lang });
    assertEquals(result.complexity.highest.map((each) => each.complexity), [complexity], text);
  }
});

Deno.test("quality classes Python issues", async () => {
  const { result } = await analyseHere<Result>(analyse, {
    "a.py": `import os
import requests
def f(a=[]):
    print(undefined_name)
    requests.get("https://x", verify=False, timeout=3)
    return a
`,
  });
  const by = Object.fromEntries(
    result.issues.map((issue) => [issue.rule, `${issue.class} ${issue.severity} ${issue.line}`]),
  );
  assertEquals(by, {
    F821: "bug high 4",
    S501: "vulnerability high 5",
    B006: "bug low 3",
    F401: "code_smell low 1",
  });
});

Deno.test("quality ignores suppression comments and says that they are there", async () => {
  const forms = ["# noqa", "# NOQA: F821", "#noqa:F821", "# flake8: noqa", "# ruff: noqa: F821"];
  for (const form of forms) {
    const { result } = await analyseHere<Result>(analyse, {
      "a.py": `${form}\nx = nowhere  ${form}\n`,
    });
    const rules = result.issues.map(({ rule }) => rule).sort();
    assertEquals(rules, ["F821", "suppressed-findings"], form);
  }
});

Deno.test("quality finds duplicated blocks, but not short or overlapping ones", async () => {
  const block = Array.from({ length: 20 }, (_, i) => `    value${i} = call${i}(a, b, ${i})`).join(
    "\n",
  );
  const { result } = await analyseHere<Result>(analyse, {
    "a.py": `def f(a, b):\n${block}\n    return 1\n`,
    "b.py": `x = 2\ndef g(a, b):\n${block}\n    return 2\n`,
    "table.py": `TABLE = [\n${"    1,\n".repeat(90)}]\n`,
    "wide.py": `WIDE = [${"1,".repeat(50_000)}]\n`,
  });
  assert(
    result.duplicated_lines >= 40 && result.duplicated_lines <= 44,
    `${result.duplicated_lines}`,
  );
});

Deno.test("quality finds a duplicate that begins before another ends", async () => {
  const lines = (name: string) =>
    Array.from({ length: 12 }, (_, i) => `${name}${i}(x, y, ${i})\n`).join("");
  const [a, b, c] = [lines("a"), lines("b"), lines("c")];
  const { result } = await analyseHere<Result>(analyse, {
    "one.py": a + b,
    "other.py": b + c,
    "whole.py": a + b + c,
  });
  assertEquals(result.duplicated_lines, 24 + 24 + 36);
});

Deno.test("quality counts literals over several lines as code, and type declarations not at all", async () => {
  const python = `TEXT = f"""a \\n {1}

  b"""
class A:
    """Docstring"""
    x = 1
    """Said of x"""
`;
  const counted = await analyseHere<Result>(analyse, { "a.py": python });
  assertEquals(counted.result.lines_of_code, 5);
  const types = { "a.ts": "let a = `\n\\t\n`;\n", "b.d.mts": "let b;\n", "c.d.ts": "let c;\n" };
  const { result } = await analyseHere<Result>(analyse, types, { lang: "typescript" });
  assertEquals([result.files, result.lines_of_code], [1, 3]);
});

Deno.test("quality survives hostile files and says which it cannot analyse", async () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  const random = scrambledBytes(60_000);
  const { result, refused } = await analyseHere<Result>(analyse, {
    "server.py": "import attributes, deep, huge, open\n",
    "attributes.py": "x = a" + ".b".repeat(3000),
    "bom.py": new Uint8Array([0xef, 0xbb, 0xbf, ...encode("y = 1\n")]),
    "deep.py": "x = " + "(".repeat(3000) + "1" + ")".repeat(3000),
    "empty.py": "",
    "huge.py": "#".repeat(1024 * 1024 + 1),
    "latin.py": new Uint8Array([...encode("# coding: latin-1\ns = '"), 0xe9, ...encode("'\n")]),
    "line.py": "x = [" + "1, ".repeat(100_000) + "]",
    "nul.py": "x = 1\0\0\n",
    "open.py": "(".repeat(50_000),
    "python2.py": "print 'x'\nexec 'y'\n",
    "random.py": random,
    "unreached.py": "x = " + "(".repeat(3000) + "1" + ")".repeat(3000),
    "tests/deep.py": "x = " + "(".repeat(3000) + "1" + ")".repeat(3000),
  });
  assertEquals(refused.map(({ file }) => file), [
    "attributes.py",
    "deep.py",
    "huge.py",
    "open.py",
  ]);
  assert(
    result.issues.some(({ file, rule }) => file === "python2.py" && rule === "invalid-syntax"),
  );
  assert(result.issues.filter(({ file }) => file === "random.py").length <= 1001);
});

Deno.test("readCobertura() uses counts, else the rate, and interprets no entities", () => {
  assertEquals(
    readCobertura(`<?xml version="1.0"?><!DOCTYPE coverage [<!ENTITY a "&b;&b;">]>
      <coverage lines-valid="100" lines-covered="80" branches-valid="100" branches-covered="40">`),
    60,
  );
  assertEquals(readCobertura(`<coverage line-rate='0.855' version="7">`), 85.5);
  for (const bad of ["", "<coverage>", `<coverage line-rate="7">`, `<coverage line-rate="&x;">`]) {
    assertEquals(readCobertura(bad), null);
  }
});

Deno.test("readLcov() adds up the totals, or the single lines without totals", () => {
  assertEquals(readLcov("SF:a\nLF:10\nLH:5\nBRF:2\nBRH:1\nend_of_record\nSF:b\nLF:8\nLH:4\n"), 50);
  const single = "TN:\nSF:a\nDA:1,1\nDA:2,0,hash\nBRDA:1,0,0,-\nBRDA:1,0,1,4\nend_of_record\n";
  assertEquals(readLcov(single), 50);
  for (const bad of ["nothing", "LF:5\nLH:7\n", "LF:99999999999\nLH:1\n", "DA:1,NaN\n"]) {
    assertEquals(readLcov(bad), null, bad);
  }
});

Deno.test("readGoProfile() gives the share of statements that ran, each block once", () => {
  const profile = `mode: atomic
example.com/a/a.go:3.20,5.2 2 7
example.com/a/a.go:7.20,9.2 3 0
example.com/a/with space.go:7.20,9.2 1 0
example.com/a/a.go:7.20,9.2 3 1
`;
  assertEquals(readGoProfile(profile), 83.3);
  assertEquals(readGoProfile(profile.replaceAll("\n", "\r\n")), 83.3);
  const bad = [
    "",
    "mode: set\n",
    "mode: other\na.go:1.1,2.2 1 1\n",
    "a.go:1.1,2.2 1 1\n",
    "mode: set\na.go:1.1,2.2 -1 1\n",
    `mode: set\n${"a".repeat(100_000)}`,
    `mode: set\n${":1.1,".repeat(50_000)}\n`,
  ];
  for (const text of bad) assertEquals(readGoProfile(text), null, text.slice(0, 40));
});

Deno.test("quality takes the coverage from the first readable report of any kind", async () => {
  const reports: [string, string, number | null][] = [
    ["cover.out", "mode: set\na.go:1.1,2.2 1 1\n", 100],
    ["reports/coverage.txt", "mode: count\na.go:1.1,2.2 4 0\n", 0],
    ["coverage.txt", "all tests passed\n", null],
    ["coverage/lcov.info", "LF:4\nLH:1\n", 25],
    ["coverage.xml", `<!-- <coverage line-rate="1"> --><coverage line-rate="0.25">`, 25],
    ["cobertura.xml", `<coverage lines-valid="10" lines-covered="11" line-rate="9">`, null],
  ];
  for (const [path, text, percent] of reports) {
    const { result } = await analyseHere<Result>(analyse, { "a.py": "x = 1\n", [path]: text });
    assertEquals(result.coverage, percent, path);
  }
});
