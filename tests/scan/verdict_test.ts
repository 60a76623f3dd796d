import { assertEquals } from "@std/assert";
import { INCOMPLETE } from "../../src/scan/incomplete.ts";
import type { Finding, StageError } from "../../src/scan/schema.ts";
import { type Sections, statusOf, withPassed } from "../../src/scan/verdict.ts";
import { finding, sections } from "./sections.ts";

const OUTSIDE: StageError = { code: "unavailable", message: "Not there" };

function with_(change: (sections: Sections) => void): Sections {
  const changed = sections();
  change(changed);
  return changed;
}

Deno.test("statusOf() fails on what the rules name, and on nothing else", () => {
  const dependency = (severity: Finding["severity"], possible: boolean) => ({
    ...finding(severity),
    package: "p",
    ecosystem: "PyPI",
    requirement: "p",
    possible,
    aliases: [],
    fixed_version: null,
  });
  const secret = (severity: Finding["severity"]) => ({
    ...finding(severity),
    kind: "github-token",
    masked: "ghp_…",
  });
  const cases: [string, Sections, string][] = [
    ["nothing", sections(), "passed"],
    [
      "high vulnerability",
      with_(({ quality }) => quality.issues.push({ ...finding("high"), class: "vulnerability" })),
      "failed",
    ],
    [
      "medium vulnerability",
      with_(({ quality }) => quality.issues.push({ ...finding("medium"), class: "vulnerability" })),
      "passed",
    ],
    [
      "critical bug",
      with_(({ quality }) => quality.issues.push({ ...finding("critical"), class: "bug" })),
      "passed",
    ],
    [
      "critical smell",
      with_(({ quality }) => quality.issues.push({ ...finding("critical"), class: "code_smell" })),
      "passed",
    ],
    [
      "hotspot",
      with_(({ quality }) =>
        quality.issues.push({ ...finding("critical"), class: "security_hotspot" })
      ),
      "passed",
    ],
    ["missing tool", with_(({ discovery }) => discovery.missing.push("x")), "failed"],
    ["undeclared tool", with_(({ discovery }) => discovery.undeclared.push("x")), "passed"],
    ["unverified tool", with_(({ discovery }) => discovery.unverified.push("x")), "passed"],
    [
      "high advisory",
      with_(({ dependencies }) => dependencies.issues.push(dependency("high", false))),
      "failed",
    ],
    [
      "medium advisory",
      with_(({ dependencies }) => dependencies.issues.push(dependency("medium", false))),
      "passed",
    ],
    [
      "possible advisory",
      with_(({ dependencies }) => dependencies.issues.push(dependency("low", true))),
      "passed",
    ],
    ["secret", with_(({ secrets }) => secrets.secrets.push(secret("medium"))), "failed"],
    ["certificate", with_(({ secrets }) => secrets.secrets.push(secret("info"))), "passed"],
    ["high in stage 5", with_(({ audit }) => audit.issues.push(finding("high"))), "failed"],
    ["medium in stage 5", with_(({ audit }) => audit.issues.push(finding("medium"))), "passed"],
    ["critical in mcp", with_(({ mcp }) => mcp.issues.push(finding("critical"))), "failed"],
  ];
  for (const [name, made, expected] of cases) assertEquals(statusOf(made), expected, name);
});

Deno.test("statusOf() is error only for services outside, and never hides a failure", () => {
  const unavailable = with_((s) => s.dependencies.error = OUTSIDE);
  assertEquals(statusOf(unavailable), "error");
  const alsoBad = with_((s) => {
    s.dependencies.error = OUTSIDE;
    s.audit.issues.push(finding("high"));
  });
  assertEquals(statusOf(alsoBad), "failed");
  for (const code of ["timeout", "crashed", "not_analysable", "limit"] as const) {
    assertEquals(statusOf(with_((s) => s.audit.error = { code, message: "x" })), "failed", code);
    const both = with_((s) => {
      s.dependencies.error = OUTSIDE;
      s.quality.error = { code, message: "x" };
    });
    assertEquals(statusOf(both), "failed", code);
  }
});

Deno.test("withPassed() holds a section to its content and its error", () => {
  const { audit } = sections();
  assertEquals(withPassed("audit", { ...audit, scan_passed: false }).scan_passed, true);
  assertEquals(withPassed("audit", { ...audit, error: OUTSIDE }).scan_passed, false);
  const bad = { ...audit, issues: [finding("high")] };
  assertEquals(withPassed("audit", bad).scan_passed, false);
  assertEquals(INCOMPLETE.secrets(OUTSIDE).scan_passed, false);
});
