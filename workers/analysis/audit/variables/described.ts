/**
 * What a repository's own texts say of the environment variables that its code reads: example files,
 * tables of a README, the metadata of registries and of desktop bundles.
 *
 * @module
 */
import type { SourceFiles } from "../../analyser.ts";
import { judgeName } from "../../secrets/names.ts";
import { type DescribedVariable, describesVariables, DESCRIBING } from "./files.ts";
import { bundleVariables, registryVariables, smitheryVariables } from "./metadata.ts";

const FILE_MAX_BYTES = 256 * 1024;
const DESCRIPTION_MAX = 500;
const DEFAULT_MAX = 1000;
const VARIABLES_MAX = 200;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** Values that stand for one that is to be filled in. */
const TO_FILL = /^$|your|xxx|\.\.\.|change|replace|<.*>|example|todo|dummy|placeholder|^\*+$/i;

/** Code spans, whose text stands as it is, and what holds their place. */
const CODE = /(`+)(.+?)\1/g;
const CODE_PLACE = "\uE000";

/** Emphasis: an underscore inside a word is part of the word. */
const EMPHASIS =
  /(\*{1,3})(?=\S)(.+?)(?<=\S)\1|(?<![\w\\])(_{1,3})(?=\S)(.+?)(?<=[^\s\\])\3(?!\w)/g;

function withoutEmphasis(text: string): string {
  return text.replace(
    EMPHASIS,
    (_, _stars, starred: string | undefined, _lines, underlined: string | undefined) =>
      starred ?? underlined ?? "",
  ).replace(/\\([_*`|])/g, "$1");
}

/** One line of plain words, without the marks of Markdown. */
function plain(text: string): string {
  const codes: string[] = [];
  const marked = text.replaceAll(CODE_PLACE, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(CODE, (_, _fence, code: string) => {
      codes.push(code.trim());
      return CODE_PLACE;
    });
  return withoutEmphasis(marked).replaceAll(CODE_PLACE, () => codes.shift()!)
    .replace(/\s+/g, " ").trim().slice(0, DESCRIPTION_MAX);
}

/** Names of a `.env.example`, each with the comment above it or behind it. */
export function exampleVariables(text: string, file: string): DescribedVariable[] {
  const found: DescribedVariable[] = [];
  let comment: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const pair = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line);
    if (pair === null) {
      const said = /^\s*#+\s?(.*)$/.exec(line);
      comment = said === null ? [] : [...comment, said[1]!].slice(-5);
      continue;
    }
    const [, name, rest] = pair as unknown as [string, string, string];
    const [, value = "", behind = ""] =
      /^\s*("[^"]*"|'[^']*'|[^#]*?)\s*(?:#\s*(.*))?$/.exec(rest) ?? [];
    const unquoted = value.replace(/^(["'])(.*)\1$/, "$2");
    const description = plain(behind === "" ? comment.join(" ") : behind);
    const hasDefault = judgeName(name) === null && !TO_FILL.test(unquoted) &&
      unquoted.length <= DEFAULT_MAX;
    found.push({
      name,
      ...(description === "" ? {} : { description }),
      ...(hasDefault ? { default: unquoted } : {}),
      file,
      line: index + 1,
      declared: false,
    });
    comment = [];
  }
  return found;
}

function cellsOf(line: string): string[] {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
}

/** Rows of a README's tables whose first cell is a variable. */
export function readmeVariables(text: string, file: string): DescribedVariable[] {
  const found: DescribedVariable[] = [];
  let heads: string[] | null = null;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith("|")) {
      heads = null;
      continue;
    }
    const cells = cellsOf(line);
    if (/^\s*\|[\s:|-]+$/.test(lines[index + 1] ?? "") && heads === null) {
      heads = cells.map((cell) => cell.toLowerCase());
      continue;
    }
    const name = plain(cells[0] ?? "");
    if (heads === null || !/^[A-Z][A-Z0-9_]{2,127}$/.test(name)) continue;
    const cell = (pattern: RegExp) => {
      const at = heads!.findIndex((head) => pattern.test(head));
      return at < 1 ? "" : plain(cells[at] ?? "");
    };
    const [about, fallback, required] = [
      cell(/descri|purpose|meaning|what/),
      cell(/default/),
      cell(/require|mandatory/),
    ];
    const hasDefault = judgeName(name) === null && /^[^\s]{1,200}$/.test(fallback) &&
      !/^(-|–|—|none|n\/a|null|empty|unset)$/i.test(fallback);
    found.push({
      name,
      ...(about === "" ? {} : { description: about }),
      ...(hasDefault ? { default: fallback } : {}),
      ...(/^(yes|y|true|✅|✓|required)/i.test(required) ? { required: true } : {}),
      file,
      line: index + 1,
      declared: false,
    });
  }
  return found;
}

type Reader = (text: string, file: string) => DescribedVariable[];

const READERS: [pattern: RegExp, read: Reader][] = [
  [DESCRIBING.registry, registryVariables],
  [DESCRIBING.bundle, bundleVariables],
  [DESCRIBING.smithery, smitheryVariables],
  [DESCRIBING.example, exampleVariables],
  [DESCRIBING.readme, readmeVariables],
];

/** What all texts together say, by name: the formal ones first, and those nearest to the root. */
export function describedVariables(files: SourceFiles): Map<string, DescribedVariable> {
  const found = new Map<string, DescribedVariable>();
  const depth = (path: string) => path.split("/").length;
  const paths = [...files.keys()].filter(describesVariables)
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  for (const [pattern, read] of READERS) {
    for (const path of paths.filter((each) => pattern.test(each))) {
      const bytes = files.get(path)!;
      if (bytes.length > FILE_MAX_BYTES) continue;
      for (const each of read(new TextDecoder().decode(bytes), path)) {
        if (!NAME.test(each.name) || found.size >= VARIABLES_MAX) continue;
        found.set(each.name, { ...each, ...found.get(each.name) });
      }
    }
  }
  return found;
}
