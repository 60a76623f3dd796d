/**
 * Stage 1: issues, size, complexity, duplication and coverage of a repository's source.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { codeIssues } from "../code/mod.ts";
import { inReportOrder, type RawIssue } from "../finding.ts";
import { loadProject } from "../project.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import { coverageOf } from "./coverage.ts";
import { createDuplication } from "./duplication.ts";
import { type FunctionMeasure, measure } from "./metrics.ts";
import { pythonIssues } from "./python.ts";

const MAX_ISSUES = 20_000;
const HIGHEST_SHOWN = 10;

/** Complexity above which a function is hard to follow; ruff's C901 uses the same for Python. */
const COMPLEX = 15;

/** Issues in languages that have no linter here; security hotspots are for stage 5 to weigh. */
function otherIssues(tree: SourceTree, functions: readonly FunctionMeasure[]): RawIssue[] {
  const issues = codeIssues(tree).map((each): RawIssue =>
    each.class === "security_hotspot" ? { ...each, severity: "low" } : each
  );
  for (const { function: name, line, complexity } of functions) {
    if (complexity <= COMPLEX) continue;
    issues.push({
      rule: "complex-function",
      class: "code_smell",
      severity: "medium",
      cwe: null,
      title: `${name} is too complex (${complexity} > ${COMPLEX})`,
      detail: "Split the function into smaller ones",
      file: tree.path,
      line,
      end_line: line,
    });
  }
  return issues;
}

interface Placed extends FunctionMeasure {
  file: string;
}

function highest(functions: Placed[]): Placed[] {
  return functions
    .sort((a, b) => b.complexity - a.complexity || (a.file < b.file ? -1 : 1) || a.line - b.line)
    .slice(0, HIGHEST_SHOWN);
}

/** Analyses the source files of the server's language; vendored code is left to stage 3. */
export async function analyse(input: AnalyserInput): Promise<unknown> {
  const issues: RawIssue[] = [];
  const functions: Placed[] = [];
  const duplication = createDuplication();
  const total = { lines: 0, ncloc: 0, complexity: 0, files: 0 };
  const { trees } = await loadProject(input);
  for (const tree of trees) {
    input.begin(tree.path);
    const measures = measure(tree);
    if (tree.grammar === "python") issues.push(...pythonIssues(tree));
    else issues.push(...otherIssues(tree, measures.functions));
    functions.push(...measures.functions.map((each) => ({ ...each, file: tree.path })));
    duplication.add(tree);
    total.lines += measures.lines;
    total.ncloc += measures.ncloc;
    total.complexity += measures.complexity;
    total.files++;
  }
  return {
    files: total.files,
    lines: total.lines,
    lines_of_code: total.ncloc,
    duplicated_lines: duplication.duplicatedLines(),
    coverage: coverageOf(input.files),
    complexity: {
      total: total.complexity,
      functions: functions.length,
      highest: highest(functions),
    },
    issues: inReportOrder(issues, MAX_ISSUES),
    issues_found: issues.length,
  };
}
