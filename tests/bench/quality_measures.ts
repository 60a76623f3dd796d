// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Lines of code against cloc and duplicated lines against jscpd, each folder of `FOLDER` being a
 * repository: `deno run -A tests/bench/quality_measures.ts FOLDER [cloc] [jscpd] [--files]`.
 *
 * Both are given exactly the files that stage 1 measures, so that SonarQube's definitions, which are
 * ours, can be compared. cloc finds comments by patterns, also in literals: a path such as `/**` in
 * a string hides the rest of a file from it, and every string in three quotes is a docstring, where
 * SonarQube knows those of modules, classes and functions. So it gets literals replaced by names;
 * what it says of the plain sources is `cloc's own`.
 *
 * `jscpd %` is jscpd's list of clones counted by SonarQube's definition:
 *
 * - duplicated are all lines that are part of a clone, on either side, once each; jscpd's own
 *   percentage, beside it, adds up one side of each pair;
 * - comments and docstrings count for nothing, and a string literal is one token; jscpd's
 *   tokenizers compare docstrings and split literals and operators (`::`), so that it is given
 *   sources without these, and the number of its tokens that 100 of the language are
 *   (`jscpd's tokens`);
 * - JavaScript and TypeScript are compared with each other.
 *
 * `--files` lists the files where lines of code differ.
 *
 * @module
 */
import { z } from "zod";
import { loadProject } from "../../workers/analysis/project.ts";
import {
  createDuplication,
  MIN_LINES,
  MIN_TOKENS,
  tokensOf,
} from "../../workers/analysis/quality/duplication.ts";
import { measure } from "../../workers/analysis/quality/metrics.ts";
import { codeTokens } from "../../workers/analysis/quality/tokens.ts";
import type { SourceTree } from "../../workers/analysis/syntax/source_tree.ts";
import { filesBelow } from "./folders.ts";

const ClocFiles = z.record(z.string(), z.object({ code: z.number().optional() }));
const Side = z.object({ name: z.string(), start: z.number(), end: z.number() });
const Clones = z.object({
  duplicates: z.array(z.object({ firstFile: Side, secondFile: Side })),
  statistics: z.object({ total: z.object({ percentage: z.number(), tokens: z.number() }) }),
});

/** Languages of a server with the endings of their files. */
const LANGUAGES = { python: /\.pyw?$/, typescript: /\.[cm]?[jt]sx?$/, go: /\.go$/, rust: /\.rs$/ };

const [root, cloc = "cloc", jscpd = "jscpd"] = Deno.args.filter((each) => !each.startsWith("--"));
if (root === undefined) throw new Error("Give a folder that holds one folder for each repository");
const showFiles = Deno.args.includes("--files");

async function run(program: string, args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

async function treesOf(
  files: ReadonlyMap<string, Uint8Array>,
  lang: string,
): Promise<SourceTree[]> {
  const { trees } = await loadProject({
    lang,
    entrypoint: "",
    files,
    options: {},
    threads: 1,
    begin: () => {},
    refuse: (file, reason) => console.log(`refused ${file}: ${reason}`),
  });
  return trees;
}

/** Lines of code by path. */
async function byCloc(folder: string): Promise<Map<string, number>> {
  const args = ["--json", "--by-file", "--skip-uniqueness", "--quiet", folder];
  const counted = ClocFiles.parse(JSON.parse(await run(cloc, args)));
  return new Map(
    Object.entries(counted).filter(([path]) => path.startsWith(folder))
      .map(([path, { code = 0 }]) => [path.slice(folder.length + 1), code]),
  );
}

const names = new Map<string, string>();

/** A name for a string literal, the same for the same literal. */
function nameOf(literal: string): string {
  let name = names.get(literal);
  if (name === undefined) names.set(literal, name = `literal${names.size}`);
  return name;
}

/** The source with each string literal replaced, docstrings and comments as `blank` makes them. */
function rewrite(
  tree: SourceTree,
  blank: (text: string) => string,
  literal: (text: string) => string,
): string {
  let code = "";
  let at = 0;
  const { starts, ends } = codeTokens(tree);
  for (const [token, start] of starts.entries()) {
    code += blank(tree.text.slice(at, start));
    const text = tree.text.slice(start, ends[token]);
    code += /^\w{0,3}#*["'`]/.test(text) ? literal(text) : text;
    at = ends[token]!;
  }
  return code + blank(tree.text.slice(at));
}

/** For jscpd: no comments, no docstrings, each literal one token; lines stay where they are. */
function codeOnly(tree: SourceTree): string {
  return rewrite(
    tree,
    (text) => text.replace(/[^\n]/g, " "),
    (text) => nameOf(text) + text.replace(/[^\n]/g, ""),
  );
}

/** For cloc: nothing in a literal looks like a comment; the lines that it fills stay filled. */
function plainLiterals(tree: SourceTree): string {
  return rewrite(tree, (text) => text, (text) => text.replace(/[^\n]*\S[^\n]*/g, nameOf));
}

async function jscpdReport(folder: string, minTokens: number): Promise<z.infer<typeof Clones>> {
  const output = await Deno.makeTempDir();
  const size = ["--min-tokens", `${minTokens}`, "--min-lines", `${MIN_LINES}`, "--mode", "weak"];
  const bounds = ["--max-lines", "1000000", "--max-size", "5mb"];
  await run(jscpd, [...size, ...bounds, "--reporters", "json", "--output", output, folder]);
  const report = Clones.parse(JSON.parse(await Deno.readTextFile(`${output}/jscpd-report.json`)));
  await Deno.remove(output, { recursive: true });
  return report;
}

/** Lines in clones of 100 tokens as the language counts them, of which there are `tokens`. */
async function byJscpd(trees: readonly SourceTree[], tokens: number) {
  const folder = await Deno.makeTempDir();
  for (const [index, tree] of trees.entries()) {
    // jscpd compares only files with one ending.
    const ending = { python: "py", go: "go", rust: "rs" }[tree.grammar as string] ?? "ts";
    await Deno.writeTextFile(`${folder}/${index}.${ending}`, codeOnly(tree));
  }
  const { statistics: { total } } = await jscpdReport(folder, MIN_TOKENS);
  const minTokens = Math.round(MIN_TOKENS * Math.max(1, total.tokens) / Math.max(1, tokens));
  const report = await jscpdReport(folder, minTokens);
  await Deno.remove(folder, { recursive: true });
  const lines = new Set<string>();
  for (const { firstFile, secondFile } of report.duplicates) {
    for (const { name, start, end } of [firstFile, secondFile]) {
      for (let line = start; line <= end; line++) lines.add(`${name}:${line}`);
    }
  }
  return { lines: lines.size, own: total.percentage, minTokens };
}

const rows: Record<string, string | number>[] = [];
for (const { name } of [...Deno.readDirSync(root)].filter(({ isDirectory }) => isDirectory)) {
  const files = filesBelow(`${root}/${name}`);
  const share = Object.entries(LANGUAGES).map(([lang, ending]) => ({
    lang,
    count: [...files.keys()].filter((path) => ending.test(path)).length,
  }));
  const { lang } = share.toSorted((a, b) => b.count - a.count)[0]!;
  const trees = await treesOf(files, lang);
  const folder = await Deno.makeTempDir();
  const duplication = createDuplication();
  const ours = new Map<string, number>();
  let lines = 0;
  let tokens = 0;
  for (const tree of trees) {
    const code = codeTokens(tree);
    const measured = measure(tree, code);
    ours.set(tree.path, measured.ncloc);
    lines += measured.lines;
    duplication.add(tokensOf(tree, code));
    const inFile = code.starts.length;
    // jscpd does not count those of files that are shorter than a clone.
    if (inFile >= MIN_TOKENS && measured.lines >= MIN_LINES) tokens += inFile;
    await Deno.mkdir(`${folder}/${tree.path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeFile(`${folder}/${tree.path}`, files.get(tree.path)!);
    const plain = `${folder}-plain/${tree.path}`;
    await Deno.mkdir(plain.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(plain, plainLiterals(tree));
  }
  const theirs = await byCloc(folder);
  const plain = await byCloc(`${folder}-plain`);
  const clones = await byJscpd(trees, tokens);
  await Deno.remove(folder, { recursive: true });
  await Deno.remove(`${folder}-plain`, { recursive: true });
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  if (showFiles) {
    for (const [path, count] of ours) {
      const [raw, other] = [theirs.get(path) ?? 0, plain.get(path) ?? 0];
      if (other !== count) console.log(`${name}/${path}: ours ${count}, cloc ${other} (${raw})`);
    }
  }
  const percent = (part: number) => part / Math.max(1, lines) * 100;
  const [duplicated, cloned] = [percent(duplication.duplicatedLines()), percent(clones.lines)];
  rows.push({
    repository: name,
    lang,
    files: trees.length,
    ncloc: sum(ours),
    cloc: sum(plain),
    "differs %": ((sum(ours) / sum(plain) - 1) * 100).toFixed(2),
    "cloc's own": sum(theirs),
    "duplicated %": duplicated.toFixed(2),
    "jscpd's tokens": clones.minTokens,
    "jscpd %": cloned.toFixed(2),
    "differs points": (duplicated - cloned).toFixed(2),
    "jscpd's own %": clones.own.toFixed(2),
  });
}
console.table(rows);
