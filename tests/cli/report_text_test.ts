import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createStyle } from "../../src/cli/output/style.ts";
import { moment } from "../../src/cli/output/terminal_text.ts";
import { reportText } from "../../src/cli/reports/report_text.ts";
import { plural } from "../../src/text/plural.ts";
import type { Finding } from "../../src/scan/schema.ts";
import { FINDING as EXPLAINED } from "../scan/explained_finding.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";

const FINDING: Finding = {
  ...EXPLAINED,
  detail: "The argument comes from a tool",
  file: "server.py",
};

async function textWith(issues: Finding[]): Promise<string> {
  const repository = await repositoryOf("https://github.com/acme/weather");
  const base = reportOn({ repository, serverName: "weather" });
  const place = { file: "server.py", line: 7 };
  return reportText({
    ...base,
    python_audit: { ...base.python_audit!, issues },
    compatibility: {
      restricted: false,
      refused: [{ construct: "class statement", ...place, hint: "Use functions" }],
      full: false,
      missing: [{ construct: "subprocess", ...place, hint: "Ask a service over HTTP" }],
      environment: [
        { name: "API_KEY", required: true, ...place },
        { name: "REGION\u001b[31m", required: false, ...place },
      ],
    },
  }, createStyle(false));
}

Deno.test("reportText() says why a finding matters, what to do and where it is explained", async () => {
  const text = await textWith([FINDING]);
  assertStringIncludes(text, "server.py:3  Use of eval  S307, CWE-78\n");
  assertStringIncludes(text, "The argument comes from a tool\n");
  assertStringIncludes(text, `Why: ${FINDING.explanation}\n`);
  assertStringIncludes(text, "Fix: Parse the expected values\n");
  assertStringIncludes(text, `${FINDING.weakness_url}\n`);
});

Deno.test("reportText() shows findings of reports that have no explanations yet", async () => {
  const { weakness_url: _url, explanation: _why, fix: _fix, ...older } = FINDING;
  const text = await textWith([older]);
  assertStringIncludes(text, "The argument comes from a tool\n");
  assert(!/Why:|Fix:|undefined/.test(text));
});

Deno.test("reportText() shows what each interpreter profile will do, and the variables", async () => {
  const text = await textWith([]);
  assertStringIncludes(text, "class statement: Use functions");
  assertStringIncludes(text, "subprocess: Ask a service over HTTP");
  assertStringIncludes(text, "API_KEY  required, server.py:7");
  assert(/REGION.*optional, server.py:7/.test(text));
  assert(!text.includes("\u001b"));
});

Deno.test("times are shown to the minute, and invalid ones unchanged", () => {
  for (const text of ["2026-11-28T21:12:11.245Z", "2026-11-28T21:12:59Z", "2026-11-28T21:12Z"]) {
    assertEquals(moment(text), "2026-11-28 21:12 UTC");
  }
  for (const text of ["", "soon", "2026-11-28", "2026-11-28T21:12:11+02:00"]) {
    assertEquals(moment(text), text);
  }
});

Deno.test("one finding is a finding, any other number are findings", () => {
  assertEquals([0, 1, 1200].map((n) => plural(n, "finding")), [
    "0 findings",
    "1 finding",
    "1,200 findings",
  ]);
});

Deno.test("reportText() lists the packages of sessions, what is missing, and what is not declared", async () => {
  const repository = await repositoryOf("https://github.com/acme/weather");
  const text = reportText({
    ...reportOn({ repository, serverName: "weather" }),
    packages: {
      resolved: [{
        ...{ name: "humanize", version: "4.12.3", source: "index", sha256: "a".repeat(64) },
        ...{ requires: [], direct: true, instead: "humanize==4.1", python_part: false },
        ...{ yanked: false, modules: ["humanize"] },
      }],
      missing: [{
        name: "torch",
        requirement: "torch>=2",
        by: "model",
        reason: "there is no wheel\u001b[31m",
      }],
      undeclared: ["tabulate"],
      files: ["requirements.txt"],
      problem: null,
      duration_ms: 1,
    },
  }, createStyle(false));
  assertStringIncludes(text, "humanize 4.12.3 (index), instead of humanize==4.1\n");
  assertStringIncludes(text, "torch>=2 (required by model): there is no wheel");
  assert(/not declared in requirements.txt or pyproject.toml\n {2}tabulate\n/.test(text));
  assert(!text.includes("\u001b"));
});
