/**
 * Stage 1: issues, size, complexity, duplication and coverage of a repository's source.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { inReportOrder, type RawIssue } from "../finding.ts";
import { loadProject } from "../project.ts";
import { coverageOf } from "./coverage.ts";
import { createLinting } from "./linting.ts";
import { createDuplication } from "./duplication.ts";
import { type FunctionMeasure, measure } from "./metrics.ts";

const MAX_ISSUES = 20_000;
const HIGHEST_SHOWN = 10;

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
  const project = await loadProject(input);
  const linting = createLinting(project, input);
  for (const tree of project.trees) {
    input.begin(tree.path);
    const measures = measure(tree);
    issues.push(...await linting.issues(tree, measures.functions));
    functions.push(...measures.functions.map((each) => ({ ...each, file: tree.path })));
    duplication.add(tree);
    total.lines += measures.lines;
    total.ncloc += measures.ncloc;
    total.complexity += measures.complexity;
    total.files++;
  }
  issues.push(...linting.remarks());
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
