import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { Cli } from "../../src/cli/cli.ts";
import { CliError } from "../../src/cli/failure.ts";
import { createStyle } from "../../src/cli/output/style.ts";
import { tellBuild } from "../../src/cli/reports/build.ts";
import { reportText } from "../../src/cli/reports/report_text.ts";
import type { Build } from "../../src/scan/build_schema.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";

const RUNS: Build = {
  runs: "yes",
  profile: "full",
  problem: null,
  reason: null,
  tools_listed: 3,
  duration_ms: 5,
};
const BROKEN: Build = {
  ...RUNS,
  runs: "no",
  problem: {
    kind: "syntax_error",
    subject: null,
    message: "SyntaxError: invalid syntax\u001b[31m",
    file: "server.py",
    line: 7,
    hint: "Correct the syntax",
    variables: [],
  },
  tools_listed: null,
};
const KEYED: Build = {
  ...BROKEN,
  runs: "needs_variables",
  problem: { ...BROKEN.problem!, kind: "missing_variable", variables: ["API_KEY"] },
};
const WAITING: Build = { ...RUNS, runs: "not_tried", reason: "A worker node tries it" };

const repository = await repositoryOf("https://github.com/acme/weather");

function reportWith(build: Build | undefined) {
  return {
    ...reportOn({ repository, serverName: "weather" }),
    compatibility: { restricted: true, refused: [], ...(build === undefined ? {} : { build }) },
  };
}

/** What {@link tellBuild} writes. */
function told(build: Build | undefined, mustRun?: boolean): string[] {
  const lines: string[] = [];
  const output = { note: (line: string) => void lines.push(line), errStyle: createStyle(false) };
  tellBuild({ output } as unknown as Cli, reportWith(build), mustRun);
  return lines;
}

Deno.test("tellBuild() says whether the server runs, and why not, where, and what to do", () => {
  assertEquals(told(RUNS), ["Runs here: 3 tools"]);
  const [first, message, fix] = told(BROKEN);
  assertEquals(first, "Does not run here: syntax error (server.py:7)");
  assertStringIncludes(message!, "SyntaxError: invalid syntax");
  assertEquals(message!.includes("\u001b"), false);
  assertEquals(fix, "  Fix: Correct the syntax");
  assertEquals(told(KEYED)[0], "Needs variables: needs API_KEY");
  assertEquals(told(WAITING), ["Not tried here: A worker node tries it"]);
  assertEquals(told(undefined), []);
});

Deno.test("tellBuild() fails with 6 for a server that must run and does not", () => {
  for (const build of [BROKEN, WAITING, undefined]) {
    const error = assertThrows(() => told(build, true), CliError);
    assertEquals((error as CliError).exit, 6);
  }
  assertEquals(told(KEYED, true)[0], "Needs variables: needs API_KEY");
  assertEquals(told(RUNS, true), ["Runs here: 3 tools"]);
});

Deno.test("reportText() shows the build in its summary and in a section of its own", () => {
  const text = reportText(reportWith(BROKEN), createStyle(false));
  assertStringIncludes(text, "Runs on the registry's nodes\n  Does not run here: syntax error");
  assertStringIncludes(text, "Fix: Correct the syntax\n");
  assertEquals(text.includes("\u001b"), false);
  assertEquals(
    /undefined|Runs on/.test(reportText(reportWith(undefined), createStyle(false))),
    false,
  );
});
