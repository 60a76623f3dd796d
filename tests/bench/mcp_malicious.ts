// deno-lint-ignore-file no-console -- A script whose output is its result.
/**
 * Stage 5 on malicious servers: `deno run -A tests/bench/mcp_malicious.ts FOLDER [--misses]`.
 *
 * Each Python file below FOLDER is one server. Its author marks the malicious places: with a comment
 * or a docstring that begins with words in capitals and a colon (`# HIDDEN: …`). A server counts when a
 * finding of medium or worse is in a function that is so marked, or in the statement behind such a
 * comment elsewhere, and is of no rule that speaks of mere carelessness.
 *
 * @module
 */
import { SEVERITIES } from "../../src/scan/schema.ts";
import type { RawFinding } from "../../workers/analysis/finding.ts";
import { filesBelow } from "./folders.ts";
import { auditServer } from "./servers.ts";

/** Addresses, temporary folders, time-outs, random numbers, digests: no malice. */
const CARELESS = /^(S104|S108|S113|S311|S324)$/;
const MARK = /^\s*(#|""")\s*[A-Z][A-Z -]{3,}:/;

const [folder] = Deno.args;
if (folder === undefined) throw new Error("Give a folder that holds malicious servers");

const indentOf = (line: string) => line.search(/\S/);

/** Lines (from 1) of the places that the author marks. */
function markedLines(source: string): Set<number> {
  const lines = source.split("\n");
  const marked = new Set<number>();
  function block(from: number, indent: number): void {
    for (let at = from; at < lines.length; at++) {
      const line = lines[at]!;
      if (line.trim() !== "" && indentOf(line) <= indent && !/^\s*[)\]}]/.test(line)) break;
      marked.add(at + 1);
    }
  }
  lines.forEach((line, at) => {
    if (!MARK.test(line)) return;
    const indent = indentOf(line);
    // The function around the mark: the nearest `def` above with a smaller indent.
    let head = at;
    while (
      head >= 0 && !(indentOf(lines[head]!) < indent && /^\s*(async )?def /.test(lines[head]!))
    ) {
      head--;
    }
    if (head < 0) block(at, indent - 1);
    else {
      marked.add(head + 1);
      block(head + 1, indentOf(lines[head]!));
      // Decorators hold what the model is told.
      for (let up = head; /^\s*@/.test(lines[up - 1] ?? ""); up--) marked.add(up);
    }
  });
  return marked;
}

const isGrave = ({ severity }: RawFinding) => SEVERITIES.indexOf(severity) <= 2;

function names(finding: RawFinding, marked: ReadonlySet<number>): boolean {
  for (let line = finding.line; line <= finding.end_line; line++) if (marked.has(line)) return true;
  return false;
}

const classes = new Map<string, { of: number; any: number; named: number; failed: number }>();
const sum = { of: 0, any: 0, named: 0, failed: 0 };
for (const [path, bytes] of filesBelow(folder)) {
  if (!path.endsWith(".py")) continue;
  const kind = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const { code, mcp } = await auditServer(new Map([["server.py", bytes]]), "server.py");
  const grave = [...code, ...mcp].filter(isGrave);
  const marked = markedLines(new TextDecoder().decode(bytes));
  const found = grave.some((each) => !CARELESS.test(each.rule) && names(each, marked));
  const entry = classes.get(kind) ?? { of: 0, any: 0, named: 0, failed: 0 };
  classes.set(kind, entry);
  for (const counts of [entry, sum]) {
    counts.of++;
    counts.any += Number(grave.length > 0);
    counts.named += Number(found);
    counts.failed += Number(grave.some(({ severity }) => severity !== "medium"));
  }
  if (!found && Deno.args.includes("--misses")) {
    console.log(path, grave.map(({ rule, line }) => `${rule}:${line}`).join(" "));
  }
}
console.table([...classes].map(([kind, counts]) => ({ kind, ...counts })));
const percent = (count: number) => `${count} (${(100 * count / sum.of).toFixed(1)} %)`;
console.log(
  `${sum.of} servers; a finding of medium or worse in ${percent(sum.any)}, ` +
    `one that names the malicious place in ${percent(sum.named)}; the scan fails ${
      percent(sum.failed)
    }`,
);
