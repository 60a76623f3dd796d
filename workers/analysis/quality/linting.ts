/**
 * The issues of a file of another language than Python by its linter and by our own rules.
 *
 * @module
 */
import { plural } from "../plural.ts";
import type { AnalyserInput } from "../analyser.ts";
import type { RawIssue } from "../finding.ts";
import { moduleOnDemand } from "../on_demand.ts";
import type { Project } from "../project.ts";
import type { SourceTree } from "../syntax/source_tree.ts";
import type { FunctionMeasure } from "./metrics.ts";

/** Complexity above which a function is hard to follow; ruff's C901 uses the same for Python. */
const COMPLEX = 15;

/**
 * Characters of tests and documentation that ESLint looks at in a repository: at about half a
 * megabyte a second they would take the time that what runs needs.
 */
const MAX_ASIDE = 1_000_000;

/** Security hotspots are for stage 5 to weigh. */
function asStageOne(issue: RawIssue): RawIssue {
  const weighed = issue.class === "security_hotspot" && issue.severity !== "info";
  return weighed ? { ...issue, severity: "low" } : issue;
}

function complexIssues(file: string, functions: readonly FunctionMeasure[]): RawIssue[] {
  return functions.filter(({ complexity }) => complexity > COMPLEX).map((each) => ({
    rule: "complex-function",
    class: "code_smell",
    severity: "medium",
    cwe: null,
    title: `${each.function} is too complex (${each.complexity} > ${COMPLEX})`,
    detail: "Split the function into smaller ones",
    file,
    line: each.line,
    end_line: each.line,
  }));
}

const loadEslint = moduleOnDemand<typeof import("./javascript.ts")>(
  import.meta.url,
  "./javascript.ts",
);
const loadCode = moduleOnDemand<typeof import("../code/mod.ts")>(
  import.meta.url,
  "../code/mod.ts",
);

/** Looks at one file after the other. */
export interface Linting {
  /** The issues of a file, whose functions have these measures. */
  issues(tree: SourceTree, functions: readonly FunctionMeasure[]): Promise<RawIssue[]>;
  /** What is to be said of the whole once all files are through. */
  remarks(): RawIssue[];
}

/** The linting of a project; files that cannot be looked at are refused when they may run. */
export function createLinting(project: Project, input: AnalyserInput): Linting {
  const left: string[] = [];
  let aside = 0;

  async function eslint(tree: SourceTree, own: readonly RawIssue[]): Promise<RawIssue[]> {
    const runs = project.mayRun(tree);
    if (!runs) aside += tree.text.length;
    if (!runs && aside > MAX_ASIDE) {
      left.push(tree.path);
      return [];
    }
    const { eslintIssues } = await loadEslint();
    const linted = await eslintIssues(tree, own);
    if (typeof linted !== "string") return linted;
    if (runs) input.refuse(tree.path, linted);
    else left.push(tree.path);
    return [];
  }

  return {
    async issues(tree, functions) {
      const { codeIssues } = await loadCode();
      const own = codeIssues(tree);
      const linted = tree.grammar === "go" || tree.grammar === "rust"
        ? []
        : await eslint(tree, own);
      return [...own.map(asStageOne), ...linted, ...complexIssues(tree.path, functions)];
    },
    remarks() {
      const [first] = left;
      if (first === undefined) return [];
      return [{
        rule: "not-linted",
        class: "code_smell",
        severity: "info",
        cwe: null,
        title: `ESLint skipped ${plural(left.length, "test or document", "tests and documents")}`,
        detail: `They do not run, and are too numerous or too deeply nested: ${
          left.slice(0, 20).join(", ").slice(0, 1000)
        }`,
        file: first,
        line: 1,
        end_line: 1,
      }];
    },
  };
}
