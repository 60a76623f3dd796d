import { assert, assertEquals } from "@std/assert";
import { computedFor } from "../../../workers/analysis/syntax/cpu_time.ts";
import { nodeTypes } from "../../../workers/analysis/syntax/node_types.ts";
import type { Grammar } from "../../../workers/analysis/syntax/parser.ts";
import { parseSource, sourceTree } from "../../../workers/analysis/syntax/source_tree.ts";
import { type SyntaxNode, walk } from "../../../workers/analysis/syntax/tree.ts";
import { Language, Parser } from "web-tree-sitter";
import { readFile } from "node:fs/promises";

const SOURCES: Record<Grammar, string> = {
  python: "@tool()\nasync def f(a: int = 1, *b) -> str:\n    return f\"{a} {'x'}\"  # c\nx = (\n",
  javascript: "const f = async (a = `${1}`) => { return a?.b ?? /x/; };",
  typescript: "interface A<T> { readonly b?: T[] }\nexport class B implements A<string> {}",
  tsx: "const a = <B c={1}>text</B>;",
  go: 'package main\nfunc main() { s := []string{"a"}; go f(s...) }',
  rust: "#[tool]\nasync fn f(a: &str) -> Result<(), E> { a?; Ok(()) }",
};

async function treeOf(grammar: Grammar, text: string) {
  const bytes = new TextEncoder().encode(text);
  const parsed = await parseSource({ path: "a", grammar, role: "source", bytes });
  assert(typeof parsed !== "string");
  return await sourceTree(parsed);
}

type Shown = [string, string | null, boolean, number, number, Shown[]];

const shown = (node: SyntaxNode): Shown => {
  const { type, field, named, start, end, children } = node;
  return [type, field, named, start, end, children.map(shown)];
};

for (const [grammar, text] of Object.entries(SOURCES) as [Grammar, string][]) {
  Deno.test(`a ${grammar} tree of numbers is the parser's tree`, async () => {
    const tree = await treeOf(grammar, text);
    const folder = import.meta.resolve("@vscode/tree-sitter-wasm/package.json");
    const file = new URL(`wasm/tree-sitter-${grammar}.wasm`, folder);
    const parser = new Parser();
    parser.setLanguage(await Language.load(await readFile(file)));
    const parsed = parser.parse(text)!;
    const cursor = parsed.walk();
    const below = (): Shown => {
      const { nodeType, currentFieldName, nodeIsNamed, startIndex, endIndex } = cursor;
      const children: Shown[] = [];
      if (cursor.gotoFirstChild()) {
        do children.push(below()); while (cursor.gotoNextSibling());
        cursor.gotoParent();
      }
      return [nodeType, currentFieldName ?? null, nodeIsNamed, startIndex, endIndex, children];
    };
    assertEquals(shown(tree.root), below());
    cursor.delete();
    parsed.delete();
    parser.delete();
  });

  Deno.test(`nodes of a ${grammar} tree are found by their numbers`, async () => {
    const { root } = await treeOf(grammar, text);
    const nodes = [...walk(root)];
    assertEquals(nodes.map(({ number }) => number), nodes.map((_, i) => i));
    for (const node of nodes) {
      assert(root.numbered(node.number) === node);
      assert(node.children.every(({ parent }) => parent === node));
    }
  });
}

Deno.test("a tree of one node has that one", async () => {
  const { root } = await treeOf("python", "");
  assertEquals([root.type, root.children.length, root.parent], ["module", 0, null]);
});

Deno.test("walk() gives nodes of some types, in order, and passes over others with what is below", async () => {
  const text = "def f(a):\n    g(h(a))\n\nclass C:\n    x = g(1)\n    def m(self): g(2)\n\ng(3)\n";
  const { root } = await treeOf("python", text);
  const shownAs = (found: Iterable<SyntaxNode>) =>
    [...found].map(({ start, end }) => text.slice(start, end));
  const calls = nodeTypes("call");
  assertEquals(shownAs(walk(root, calls)), ["g(h(a))", "h(a)", "g(1)", "g(2)", "g(3)"]);
  const functions = nodeTypes("function_definition");
  assertEquals(shownAs(walk(root, calls, functions)), ["g(1)", "g(3)"]);
  const all = [...walk(root)];
  assertEquals([...walk(root, calls)], all.filter(({ type }) => type === "call"));
  // The same set of types in a grammar where they have other numbers.
  const go = await treeOf("go", SOURCES.go);
  assertEquals([...walk(go.root, calls)], []);
  assertEquals([...walk(go.root, nodeTypes("call_expression"))].length, 1);
});

Deno.test("walk() stays below the node, and passes over nested nodes once", async () => {
  const text = "def f():\n    def g():\n        a()\n    b()\n\nc()\n\ndef h():\n    d()\n";
  const { root } = await treeOf("python", text);
  const called = (from: SyntaxNode, ...whole: ReturnType<typeof nodeTypes>[]) =>
    [...walk(from, calls, ...whole)].map(({ start }) => text[start]).join("");
  const calls = nodeTypes("call");
  const functions = nodeTypes("function_definition");
  const [f, g, h] = [...walk(root, functions)];
  assertEquals([f!, g!, h!].map((each) => called(each)), ["ab", "a", "d"]);
  assertEquals([f!, root].map((each) => called(each, functions)), ["", "c"]);
  assertEquals(called(f!.childIn("body")!, functions), "b");
  for (const node of walk(root)) {
    const below = [...walk(node)].filter(({ type }) => type === "call");
    assertEquals([...walk(node, calls)], below);
  }
});

Deno.test("a child in a field is the first that has it, whichever field was asked for before", async () => {
  const { root } = await treeOf("python", "import a, b\nx = y = 1\n");
  for (const node of walk(root)) {
    for (const field of ["name", "left", "right", "nothing", "type", "name"]) {
      const first = node.children.find((each) => each.field === field) ?? null;
      assertEquals(node.childIn(field), first);
    }
  }
});

Deno.test("nodes are objects of their own, made once, whichever way one comes to them", async () => {
  const { root } = await treeOf("python", "@a\ndef f(b: int = 1): return c.d(b)\n");
  for (const node of walk(root)) {
    for (const each of node.children) {
      assert(root.numbered(each.number) === each);
      if (each.field !== null) {
        const first = node.children.find(({ field }) => field === each.field);
        assert(node.childIn(each.field) === first);
      }
    }
    assertEquals(node.childIn("no such field"), null);
  }
});

Deno.test("what is unpacked is read whole: no call, attribute or choice begins with the star", async () => {
  for (
    const text of [
      "[*f(x)]",
      "{*f.a(x)[0]}",
      "y = *f(x), 1",
      "for a in *f(x), 1: pass",
      "t[*f(x)]",
      "[*a or b]",
      "[*f(x) if y else z]",
      "[*f([*g(x)])]",
    ]
  ) {
    const { root } = await treeOf("python", text);
    const bound = [...walk(root, nodeTypes("list_splat"))]
      .filter(({ parent }) => ["call", "attribute", "boolean_operator"].includes(parent!.type));
    assertEquals(bound, [], text);
    const calls = text.split("(").length - 1;
    assertEquals([...walk(root, nodeTypes("call"))].length, calls, text);
  }
});

Deno.test("computedFor() counts the time that a thread computes, not what it waits", async () => {
  const isOver = computedFor(60);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert(!isOver());
  const until = performance.now() + 10_000;
  while (!isOver()) assert(performance.now() < until);
});
