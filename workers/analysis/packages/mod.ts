/**
 * The analyser that finds out which packages a server's sessions are to have. The main process
 * fetches what it asks for, round after round, and reads none of it.
 *
 * @module
 */
import { z } from "zod";
import type { AnalyserInput } from "../analyser.ts";
import { readDeclared } from "./declared.ts";
import { readDistribution } from "./distribution.ts";
import { readMetadata, readPage } from "./index_page.ts";
import { metadataIn, type Packed, packWheel } from "./pack.ts";
import { resolve } from "./resolve.ts";
import type { Answer, State } from "./state.ts";
import type { Resolution, Wanted } from "./types.ts";

/** Either what to fetch before the next round, or the result. */
export interface Round {
  /** What the next round needs, unread. */
  state: string;
  wanted: Wanted[];
  resolution: Resolution | null;
}

const answer = z.object({
  kind: z.enum(["index", "metadata", "wheel"]),
  key: z.string(),
  file: z.string().nullable(),
  url: z.string(),
  problem: z.string().nullable(),
});

const options = z.discriminatedUnion("task", [
  z.object({
    task: z.literal("resolve"),
    /** Where the state of the round before is among the files; absent in the first. */
    state: z.string().optional(),
    /** Where Pyodide's lock file is among them, and where its files are. */
    distribution: z.object({ file: z.string(), url: z.string() }).optional(),
    answers: z.array(answer),
    fixed: z.record(z.string(), z.string()),
    provided: z.array(z.string()),
  }),
  z.object({
    task: z.literal("pack"),
    file: z.string(),
    name: z.string(),
    version: z.string(),
    part: z.boolean(),
  }),
]);

const decoder = new TextDecoder();

function takePage(state: State, { key, file, url, problem }: Answer, text: string): void {
  if (file === null) {
    state.pages[key] = { candidates: [], without: problem };
    return;
  }
  try {
    state.pages[key] = readPage(text, key, url);
  } catch {
    state.pages[key] = { candidates: [], without: "the index's answer cannot be read" };
  }
}

function takeMetadata(state: State, { kind, key, problem }: Answer, bytes: Uint8Array | null) {
  try {
    const lines = bytes === null
      ? null
      : kind === "wheel"
      ? metadataIn(bytes)
      : readMetadata(decoder.decode(bytes));
    if (lines !== null) {
      state.metadata[key] = lines;
      return;
    }
  } catch {
    // As where there is none.
  }
  state.unusable[key] = problem ?? "its metadata cannot be read";
  state.metadata[key] = [];
}

function take(state: State, given: Answer, files: AnalyserInput["files"]): void {
  const bytes = given.file === null ? null : files.get(given.file) ?? null;
  if (given.kind === "index") takePage(state, given, bytes === null ? "" : decoder.decode(bytes));
  // A wheel that was refused after it had been chosen.
  else if (given.kind === "wheel" && bytes === null && given.problem !== null) {
    state.unusable[given.key] = given.problem;
    state.metadata[given.key] ??= [];
  } else takeMetadata(state, given, bytes);
}

/** Makes a round, or packs a wheel: as `options.task` says. */
export async function analyse(input: AnalyserInput): Promise<Round | Packed> {
  const given = options.parse(input.options);
  if (given.task === "pack") return packWheel(input.files.get(given.file)!, given);
  const { distribution } = given;
  const text = (path: string) => decoder.decode(input.files.get(path));
  const state: State = given.state === undefined
    ? {
      declared: await readDeclared(input),
      distribution: distribution === undefined
        ? {}
        : readDistribution(text(distribution.file), distribution.url),
      pages: {},
      metadata: {},
      unusable: {},
    }
    : JSON.parse(text(given.state)) as State;
  for (const each of given.answers) take(state, each, input.files);
  const { fixed, provided } = given;
  const { wanted, resolution } = resolve(state, { fixed, provided: new Set(provided) });
  return { state: JSON.stringify(state), wanted, resolution };
}
