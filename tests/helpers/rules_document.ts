/**
 * `docs/rules.md`, made from the rules of the code: `deno run -A tests/helpers/rules_document.ts`
 * writes it, a test compares it.
 *
 * @module
 */
import { REGISTRY_RULES } from "../../src/scan/registry_checks.ts";
import { PACKAGE_RULES } from "../../src/scan/stages/package_notes.ts";
import { SEVERITIES } from "../../src/scan/schema.ts";
import { AUDIT_RULES } from "../../workers/analysis/audit/rules.ts";
import { RULES as RUFF_RULES } from "../../workers/analysis/audit/python/ruff_table.ts";
import { GO_RULES } from "../../workers/analysis/code/go.ts";
import { JAVASCRIPT_RULES } from "../../workers/analysis/code/javascript.ts";
import { RUST_RULES } from "../../workers/analysis/code/rust.ts";
import { WEAKNESSES } from "../../workers/analysis/weaknesses.ts";

/** A row of the document. */
export interface RuleRow {
  id: string;
  severity: string;
  cwe: keyof typeof WEAKNESSES | null;
  fix: string;
}

/** Every rule of stage 5, of packages, and of the code rules of stage 1, sorted by name. */
export function ruleRows(): RuleRow[] {
  const own = [
    ...AUDIT_RULES,
    ...REGISTRY_RULES,
    ...PACKAGE_RULES,
    ...GO_RULES,
    ...JAVASCRIPT_RULES,
    ...RUST_RULES,
  ]
    .map(({ id, severity, cwe, advice }): RuleRow => ({ id, severity, cwe, fix: advice }));
  const ruff = Object.entries(RUFF_RULES).map(([id, { severity, cwe, fix }]): RuleRow => ({
    id,
    severity: typeof severity === "string" ? severity : "depends on the finding",
    cwe,
    fix,
  }));
  const byId = Map.groupBy([...own, ...ruff], ({ id }) => id);
  return [...byId.keys()].sort().map((id) => {
    const rows = byId.get(id)!;
    const severities = [...new Set(rows.map(({ severity }) => severity))]
      .sort((a, b) =>
        SEVERITIES.findIndex((each) => each === a) - SEVERITIES.findIndex((each) => each === b)
      );
    return { ...rows[0]!, severity: severities.join(" or ") };
  });
}

/** The document. */
export function rulesDocument(): string {
  const rows = ruleRows();
  const weaknesses = new Set(rows.map(({ cwe }) => cwe).filter((cwe) => cwe !== null));
  const link = (cwe: number) => `[${cwe}](https://cwe.mitre.org/data/definitions/${cwe}.html)`;
  const named = (id: string) =>
    /^(S|PLE)\d/.test(id) ? `[${id}](https://docs.astral.sh/ruff/rules/${id}/)` : `\`${id}\``;
  return [
    "<!-- deno-fmt-ignore-file -->",
    "",
    "# Rules",
    "",
    "Every rule of the audit and about packages, with its usual severity ([analysers.md](analysers.md)",
    "and [scan.md](scan.md) list exceptions),",
    "its weakness category, and what to do. `S…` and `PLE…` are ruff's.",
    "",
    "| rule | severity | CWE | what to do |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ id, severity, cwe, fix }) =>
      `| ${named(id)} | ${severity} | ${cwe === null ? "" : link(cwe)} | ${
        fix.replaceAll("|", "\\|")
      } |`
    ),
    "",
    "## Why it matters",
    "",
    "| CWE | consequence |",
    "| --- | --- |",
    ...[...weaknesses].sort((a, b) => a - b).map((cwe) => `| ${link(cwe)} | ${WEAKNESSES[cwe]} |`),
    "",
  ].join("\n");
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../../docs/rules.md", import.meta.url), rulesDocument());
}
