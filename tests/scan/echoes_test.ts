import { assertEquals } from "@std/assert";
import { withoutEchoes } from "../../src/scan/echoes.ts";
import type { Sections } from "../../src/scan/verdict.ts";
import { sections } from "./sections.ts";

type Issue = { rule: string; severity: string; cwe: string | null; file: string; line: number };

function given(parts: { quality?: Issue[]; secrets?: Issue[]; audit?: Issue[] }): Sections {
  const base = sections();
  const { quality = [], secrets = [], audit = [] } = parts;
  const hotspots = quality.map((issue) => ({ ...issue, class: "security_hotspot" }));
  return {
    ...base,
    quality: {
      ...base.quality,
      issues: hotspots,
      total_issues: quality.length,
      security_hotspots: quality.length,
    },
    secrets: { ...base.secrets, secrets, total_secrets: secrets.length },
    audit: {
      ...base.audit,
      issues: audit,
      total_issues: audit.length,
      severity_counts: {
        high: audit.filter(({ severity }) => severity === "high").length,
        medium: audit.filter(({ severity }) => severity === "medium").length,
        low: audit.filter(({ severity }) => severity === "low").length,
      },
    },
  } as unknown as Sections;
}

const issue = (
  rule: string,
  severity: string,
  cwe: string | null,
  line = 3,
  file = "server.py",
) => ({
  rule,
  severity,
  cwe,
  file,
  line,
});

function rules({ quality, secrets, audit }: Pick<Sections, "quality" | "secrets" | "audit">) {
  return [quality.issues, secrets.secrets, audit.issues].map((all) => all.map(({ rule }) => rule));
}

Deno.test("of one weakness at one line a report has one finding, the most severe", () => {
  const s105 = issue("S105", "low", "CWE-259");
  const secret = issue("github", "critical", "CWE-798");
  const all = withoutEchoes(given({ quality: [s105], secrets: [secret], audit: [s105] }));
  assertEquals(rules(all), [[], ["github"], []]);
  assertEquals([all.quality.total_issues, all.quality.security_hotspots], [0, 0]);
  assertEquals([all.audit.total_issues, all.audit.severity_counts.low], [0, 0]);
  const without = withoutEchoes(given({ quality: [s105], audit: [s105] }));
  assertEquals(rules(without), [[], [], ["S105"]]);
  const graver = withoutEchoes(given({
    quality: [issue("S501", "high", "CWE-295")],
    audit: [issue("S113", "medium", "CWE-295")],
  }));
  assertEquals(rules(graver), [["S501"], [], ["S113"]]);
});

Deno.test("what is of another weakness, line or file, or has no weakness, is no echo", () => {
  const s105 = issue("S105", "low", "CWE-259");
  const apart = given({
    quality: [
      issue("S105", "low", "CWE-259", 4),
      issue("S105", "low", "CWE-259", 3, "other.py"),
      issue("S104", "low", "CWE-605"),
      issue("E1", "low", null),
    ],
    audit: [s105, issue("E1", "low", null)],
  });
  assertEquals(rules(withoutEchoes(apart)), rules(apart));
  const public_ = given({ secrets: [issue("certificate", "info", "CWE-798")], audit: [s105] });
  assertEquals(rules(withoutEchoes(public_)), [[], ["certificate"], ["S105"]]);
});

Deno.test("of one rule at one line the audit's finding counts, however severe", () => {
  const parts = given({
    quality: [issue("S501", "high", "CWE-295"), issue("S501", "high", "CWE-295", 9)],
    audit: [
      issue("S501", "medium", "CWE-295"),
      issue("py/request-unverified", "medium", "CWE-295", 9),
    ],
  });
  assertEquals(rules(withoutEchoes(parts)), [[], [], ["S501", "py/request-unverified"]]);
});
