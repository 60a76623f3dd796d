import { assertEquals } from "@std/assert";
import { docFaults, saysSomething } from "./docstrings.ts";
import { sources, textOf } from "./imports.ts";

function faults(text: string, path = "src/x/y.ts"): number {
  return docFaults(path, text).length;
}

Deno.test("what src/ and workers/ export has a docstring that says something, where it needs one", () => {
  const paths = ["src", "workers"].flatMap((folder) => [...sources(folder)]);
  assertEquals(paths.flatMap((path) => docFaults(path, textOf(path))), []);
});

Deno.test("docstrings that only point elsewhere, or only say the name again, say nothing", () => {
  for (
    const [name, doc] of [
      ["scanReport", "See {@link ScanReport}."],
      ["RescanDeps", "What it needs."],
      ["addRoutes", "Adds them."],
      ["runQuality", "Stage 1: quality."],
      ["showTokens", "Shows the page of tokens."],
      ["removeOldEntries", "Removes the entries that are too old."],
      ["readServer", "@param server The server."],
    ] as const
  ) assertEquals(saysSomething(name, doc), false, `${name}: ${doc}`);
});

Deno.test("docstrings with a purpose, a unit or a failure say something", () => {
  for (
    const [name, doc] of [
      ["Clock", "Time and timers, passed in so that tests control them."],
      ["waitFor", "@param limit Milliseconds, at most an hour."],
      ["findServer", "The record; null when the name is taken by nobody."],
      ["readBody", "@throws {AppError} `too_large` beyond the limit."],
    ] as const
  ) assertEquals(saysSomething(name, doc), true, `${name}: ${doc}`);
});

Deno.test("names of several words, types on one line and what makes a named type explain themselves", () => {
  assertEquals(faults("export function findServer(name: string) {}"), 0);
  assertEquals(faults("export const findServer = (name: string) => name;"), 0);
  assertEquals(faults("export interface ScanOptions {\n  folder: string;\n}"), 0);
  assertEquals(faults('export type Role = "all" | "worker";'), 0);
  assertEquals(faults("export function createHost(a: A, b: B, c: C, d: D): Host {}"), 0);
  assertEquals(faults("function hidden() {}\ninterface Hidden {\n  a: 1;\n}"), 0);
});

Deno.test("names of one word, and functions of many parameters, need a docstring", () => {
  assertEquals(faults("export function find(name: string) {}"), 1);
  assertEquals(faults("export const find = async (name: string) => name;"), 1);
  assertEquals(faults("export interface Host {\n  pid: number;\n}"), 1);
  assertEquals(faults("export class Sessions {}"), 1);
  assertEquals(faults("export function findServer(a: A, b: B, c: C, d: D) {}"), 1);
  assertEquals(faults("/** Looks into the cache first. */\nexport function find() {}"), 0);
});

Deno.test("failures explain themselves by their text, but a docstring of theirs says something", () => {
  const path = "src/registry/failures.ts";
  assertEquals(faults("export function taken(name: string): AppError {}", path), 0);
  assertEquals(faults("/** Taken. */\nexport function taken(name: string): AppError {}", path), 1);
});
