import { assertEquals } from "@std/assert";
import { circles, grouped, importGraph, importsOf } from "./imports.ts";
import { featureOf, layerOf } from "./layers.ts";

/** A graph from lines such as `a: b c`. */
function graphOf(...lines: string[]) {
  return new Map(lines.map((line) => {
    const [from, to = ""] = line.split(":");
    return [from!, new Set(to.split(" ").filter((name) => name !== ""))];
  }));
}

Deno.test("circles() finds none where imports only go down", () => {
  assertEquals(circles(graphOf("a: b c", "b: c", "c:")), []);
  assertEquals(circles(graphOf("a: outside")), []);
});

Deno.test("circles() finds every set of files that lead to each other, the largest first", () => {
  assertEquals(circles(graphOf("a: b", "b: a")), [["a", "b"]]);
  assertEquals(circles(graphOf("a: b", "b: c", "c: a d", "d: e", "e: d")), [
    ["a", "b", "c"],
    ["d", "e"],
  ]);
});

Deno.test("circles() takes circles that share a file as one", () => {
  assertEquals(circles(graphOf("a: b c", "b: a", "c: a")), [["a", "b", "c"]]);
});

Deno.test("importsOf() finds types, re-exports and imports that are made later", () => {
  const text = `
    import "./a.ts";
    import type { B } from "./b.ts";
    export * from "../c.ts";
    type D = typeof import("./d.ts");
    const e = await import("./e.ts");
    import { z } from "zod";`;
  assertEquals([...importsOf("src/x/y.ts", text)].sort(), [
    "src/c.ts",
    "src/x/a.ts",
    "src/x/b.ts",
    "src/x/d.ts",
    "src/x/e.ts",
  ]);
});

Deno.test("grouped() keeps what groups import of each other", () => {
  const graph = graphOf("src/a/1: src/a/2 src/b/1", "src/b/1: src/a/2", "src/a/2:");
  assertEquals(circles(graph), []);
  assertEquals(circles(grouped(graph, featureOf)), [["src/a", "src/b"]]);
});

const GRAPH = importGraph(["src", "workers"]);

Deno.test("no files of src/ or workers/ import each other in a circle", () => {
  assertEquals(circles(GRAPH), []);
});

Deno.test("no features import each other in a circle", () => {
  assertEquals(circles(grouped(GRAPH, featureOf)), []);
});

Deno.test("every file of src/ is in a layer", () => {
  assertEquals(
    [...GRAPH.keys()].filter((path) => path.startsWith("src/") && layerOf(path) < 0),
    [],
  );
});
