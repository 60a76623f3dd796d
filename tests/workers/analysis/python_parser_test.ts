import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { decodePython } from "../../../workers/analysis/python/decode.ts";
import { libraryModules } from "../../helpers/python_library.ts";
import { differences, openPythonParser, ourFacts } from "../../helpers/python_syntax.ts";

/** One module in this many of the library; `tests/bench/python_parser.ts` takes all. */
const EVERY = 9;

Deno.test("the scanner's parser sees in the standard library what CPython's does", async () => {
  await using python = await openPythonParser();
  const modules = (await libraryModules()).filter((_, index) => index % EVERY === 0);
  const texts = modules.map(({ path, bytes }) => {
    const decoded = decodePython(bytes);
    assert(decoded.kind === "text", path);
    return decoded.text;
  });
  for (const [index, text] of texts.entries()) {
    const { path } = modules[index]!;
    const ours = await ourFacts(text);
    const [theirs] = await python.facts([text]);
    assert(Array.isArray(ours), `${path}: ${ours}`);
    assertEquals(differences(ours, theirs!), [], path);
  }
});

const NAMES = [
  "a",
  "x1",
  "ｅval",
  "𝓸𝓼",
  "ﬁ",
  "ª",
  "é",
  "type",
  "match",
  "case",
  "print",
  "exec",
  "_",
];
const name = fc.constantFrom(...NAMES);
const blank = fc.constantFrom(" ", "  ", "\t", "\f", " \\\n ", " \\\r\n\t", "");
const text = fc.constantFrom(
  "'a'",
  '"é\\n"',
  "r'\\\\'",
  "'''x\n\u2028y'''",
  "b'z'",
  "'a' 'b'",
  "'\\x41\\u0042\\103'",
  "f'{a!r:>{x1}}'",
  "f'{f\"{a(1)}\"}'",
  "t'{a.x1}'",
  "f'{a!r:=>{x1(1)}}{a:=}'",
  "rb'\\''",
  "'\\\\'",
);
const expressions = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    text,
    fc.constantFrom("1_0", "0xF", "1j", "...", "None", "[]", "{}"),
    fc.tuple(tie("value"), blank, name).map(([a, b, c]) => `(${a})${b.trim()}.${b}${c}`),
    fc.tuple(tie("value"), blank, tie("value")).map(([a, b, c]) => `(${a})${b}(${c})`),
    fc.tuple(name, blank, tie("value"), name, tie("value")).map(([f, b, a, k, c]) =>
      `${f}${b}(${a}, *${c}, ${k}k=(${c}))`
    ),
    fc.tuple(tie("value"), tie("value")).map(([a, b]) => `(${a})[${b}:, ...]`),
    fc.tuple(tie("value"), blank, tie("value")).map(([a, b, c]) => `((${a})${b} + ${b}(${c}))`),
    fc.tuple(name, tie("value")).map(([n, a]) => `(${n} := ${a})`),
    fc.tuple(name, tie("value")).map(([n, a]) => `(lambda ${n}: ${a})`),
    fc.tuple(tie("value"), name, tie("value")).map(([a, n, b]) => `[${a} for ${n} in (${b})]`),
    fc.tuple(tie("value"), tie("value")).map(([a, b]) => `{(${a}): (${b}), **(${b})}`),
  ),
}));
const line = fc.oneof(
  fc.tuple(name, expressions.value).map(([n, a]) => `${n} = ${a}`),
  expressions.value,
  expressions.value.map((a) => `(${a}).y: int = 1`),
  expressions.value.map((a) => `type(${a}).z = 2`),
  fc.tuple(name, expressions.value).map(([n, a]) => `type ${n}[T = (${a})] = (${a})`),
  fc.tuple(name, name).map(([a, b]) => `import ${a} . ${b} as ${b}`),
  fc.tuple(name, name).map(([a, b]) => `from .. ${a} import (${b},\n ${a} as ${b})`),
  fc.constant("from . import *"),
  expressions.value.map((a) => `assert ${a}, ${a}; del (${a}).q`),
  fc.constantFrom("# coding\u2028 'x' a()", "pass", "", "\f", "global g", "raise"),
);
const programs = fc.array(
  fc.tuple(
    fc.constantFrom(
      "",
      "if 1:",
      "def ｆ[T: int = str](a, /, b=1, *, c):",
      "class A(a, metaclass=x1):",
      "async def g():",
      "with a as b, x1() as c:",
      "for _ in a:",
      "try:",
      "match a:\n case A.b | {'k': x1, **r} if a():",
    ),
    fc.array(line, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("    ", "\t", " ", " \f "),
  ).map(([head, lines, indent]) => {
    if (head === "") return lines.join("\n");
    const body = lines.map((each) => indent + each).join("\n");
    const end = head === "try:" ? "\nexcept a, x1:\n  pass" : "";
    const margin = head.startsWith("match") ? body.replaceAll(/^/gm, " ") : body;
    return `${head}\n${margin}\n${indent}${head.startsWith("match") ? " " : ""}pass${end}`;
  }),
  { minLength: 1, maxLength: 4 },
).chain((parts) =>
  fc.constantFrom("\n", "\r", "\r\n").map((end) => parts.join("\n").replaceAll("\n", end) + end)
);

Deno.test("the scanner's parser sees in generated programs what CPython's does, or refuses them", async () => {
  await using python = await openPythonParser();
  let alike = 0;
  const samples = fc.sample(programs, { numRuns: 400, seed: 12 });
  const texts = samples.map((each) => {
    const decoded = decodePython(new TextEncoder().encode(each));
    assert(decoded.kind === "text");
    return decoded.text;
  });
  // The interpreter is given the program as it was written, with its line ends.
  const theirs = await python.facts(samples);
  for (const [index, each] of texts.entries()) {
    const ours = await ourFacts(each);
    const expected = theirs[index]!;
    // What only the interpreter refuses cannot run; what only the scanner refuses fails a scan.
    if (expected === null || !Array.isArray(ours)) continue;
    assertEquals(differences(ours, expected), [], each);
    alike++;
  }
  assert(alike > 150, `${alike} programs were compared`);
});

Deno.test("formats that begin with = are no assignments, and what runs in them and beside is seen", async () => {
  await using python = await openPythonParser();
  const programs = [
    'print(f"{a:=^90}")',
    'print(f"{a:=+5} {b:=5} {c(1):=x}")',
    'f"{a[1:2]:={eval(b)}}"',
    "f'''{\n  a # {b:=^3}\n:=^{f(x)}}'''",
    'f"{f(b:=1)} {(c:=eval)(d)} {[e:=1][0]:=^4}"',
    "f'{f\"{a:=^9}\"!r:=^3}'",
    "rf'\\{a:=^9}' + f'\\N{BULLET}{a:=^9}\\\\{b(1):=^9}'",
    "x = {a:=1}\ny = '{b:=^9}'\nz = f'{{{a:=^9}}}{{a:=1}}'",
    "s = '''\nf\"{a:=^9}\"''' # f'{a:=^9}'\nif (b:=eval(c)): pass\nf'{a:=^9}'",
    'exec("(f:=eval)(x)"); f"{a:=^9}"',
  ];
  const theirs = await python.facts(programs);
  for (const [index, each] of programs.entries()) {
    const ours = await ourFacts(each);
    assert(theirs[index] !== null, `the interpreter refuses ${each}`);
    assert(Array.isArray(ours), `${each}: ${ours}`);
    assertEquals(differences(ours, theirs[index]!), [], each);
  }
});
