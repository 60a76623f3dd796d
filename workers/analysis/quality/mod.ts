/**
 * Stage 1: issues, size, complexity, duplication and coverage of a repository's source.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { eachFile } from "../files/each_file.ts";
import { visiting } from "../files/visiting.ts";
import { inReportOrder, type RawIssue } from "../finding.ts";
import { embeddedDepth } from "../python/reach/embedded.ts";
import { loadProject, type Project } from "../project.ts";
import { coverageOf } from "./coverage.ts";
import { createDuplication } from "./duplication.ts";
import { createLinting, type Linting } from "./linting.ts";
import { type MeasuredFile, measureFile } from "./measured_file.ts";
import type { FunctionMeasure } from "./metrics.ts";

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

interface Looked extends MeasuredFile {
  file: string;
  issues: RawIssue[];
}

async function* pythonFiles(project: Project, input: AnalyserInput): AsyncGenerator<Looked> {
  // Other people's code, and text in strings, count for security only.
  const own = project.trees.filter(({ path, role }) =>
    role !== "vendored" && embeddedDepth(path) === 0
  );
  const files = own.map(({ path, parsed }) => ({
    path,
    size: parsed.text.length,
    given: parsed,
  }));
  for await (const { file, result } of eachFile("lint", files, input)) {
    const { security, ...linted } = result;
    project.security.set(file.path, security);
    yield { file: file.path, ...linted };
  }
}

async function* otherFiles(
  project: Project,
  input: AnalyserInput,
  linting: Linting,
): AsyncGenerator<Looked> {
  for await (const tree of visiting(project.trees, input)) {
    const measured = measureFile(tree);
    const issues = await linting.issues(tree, measured.measures.functions);
    yield { file: tree.path, ...measured, issues };
  }
}

/** Analyses the source files of the server's language; vendored code is left to stage 3. */
export async function analyse(input: AnalyserInput): Promise<unknown> {
  const issues: RawIssue[] = [];
  const functions: Placed[] = [];
  const duplication = createDuplication();
  const total = { lines: 0, ncloc: 0, complexity: 0, files: 0 };
  const project = await loadProject(input);
  const linting = createLinting(project, input);
  const looked = input.lang === "python"
    ? pythonFiles(project, input)
    : otherFiles(project, input, linting);
  for await (const { file, measures, tokens, issues: found } of looked) {
    issues.push(...found);
    functions.push(...measures.functions.map((each) => ({ ...each, file })));
    duplication.add(tokens);
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
