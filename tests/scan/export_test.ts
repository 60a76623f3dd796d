import { assert, assertEquals } from "@std/assert";
import { cyclonedxOf } from "../../src/scan/export/cyclonedx.ts";
import { sarifOf } from "../../src/scan/export/sarif.ts";
import type { ResolvedPackage } from "../../src/scan/packages_schema.ts";
import type { DependencyIssue, SecurityReport } from "../../src/scan/schema.ts";
import { FINDING } from "./explained_finding.ts";
import { cyclonedxFaults, sarifFaults } from "./export_schemas.ts";
import { reportOn, repositoryOf } from "../helpers/registry.ts";

const ISSUE: DependencyIssue = {
  ...FINDING,
  stage: "dependency_audit",
  rule: "GHSA-1",
  file: "requirements.txt",
  package: "requests",
  ecosystem: "PyPI",
  requirement: "requests==2.31.0",
  possible: false,
  aliases: ["CVE-2026-1"],
  fixed_version: "2.32.0",
};

async function report(): Promise<SecurityReport> {
  const repository = await repositoryOf("https://github.com/acme/weather");
  const base = reportOn({ repository, serverName: "weather" });
  const packages = [
    { name: "requests", ecosystem: "PyPI", version: "2.31.0", requirement: "requests==2.31.0" },
    { name: "@a/b", ecosystem: "npm", version: "1.0.0", requirement: "@a/b 1.0.0" },
    { name: "flask", ecosystem: "PyPI", version: null, requirement: "flask>=1" },
    { name: "flask", ecosystem: "PyPI", version: null, requirement: "flask>=1" },
  ].map((each) => ({ ...each, file: "requirements.txt" }));
  return {
    ...base,
    python_audit: { ...base.python_audit!, issues: [FINDING, { ...FINDING, line: null }] },
    dependency_audit: {
      ...base.dependency_audit,
      issues: [ISSUE],
      packages,
      error: { code: "unavailable", message: "No advisories" },
    },
  };
}

Deno.test("sarifOf() makes one run with rules, places, fingerprints and failures", async () => {
  const { version, runs: [run] } = sarifOf(await report(), { server: "weather" });
  assertEquals(version, "2.1.0");
  assertEquals(run!.tool.driver.rules.map(({ id }) => id), [
    "dependency_audit/GHSA-1",
    "security_audit/S307",
  ]);
  const [, result, other] = run!.results;
  assertEquals([result!.ruleIndex, result!.level], [1, "error"]);
  assertEquals(result!.locations, [{
    physicalLocation: {
      artifactLocation: { uri: "src/a%20b.py", uriBaseId: "SRCROOT" },
      region: { startLine: 3, endLine: 4 },
    },
  }]);
  assertEquals(result!.partialFingerprints, { "berth/v1": "f".repeat(64) });
  assert(!("region" in other!.locations[0]!.physicalLocation));
  assertEquals(run!.invocations[0]!.executionSuccessful, false);
  assertEquals(run!.versionControlProvenance?.[0]?.revisionId, "a".repeat(40));
  for (const { ruleId, ruleIndex } of run!.results) {
    assertEquals(run!.tool.driver.rules[ruleIndex]!.id, ruleId);
  }
});

Deno.test("sarifOf() explains each rule and links it with its weakness", async () => {
  const { runs: [run] } = sarifOf(await report(), { server: "weather" });
  const [, rule] = run!.tool.driver.rules;
  assertEquals(rule!.helpUri, "https://cwe.mitre.org/data/definitions/78.html");
  assertEquals(rule!.fullDescription?.text, `${FINDING.explanation}.`);
  assert(rule!.help.text.includes("Parse the expected values."));
  const [taxonomy] = run!.taxonomies;
  const known = new Set(taxonomy!.taxa.map(({ id }) => id));
  for (const { relationships } of run!.tool.driver.rules) {
    assertEquals(relationships?.[0]?.target.toolComponent.name, taxonomy!.name);
    assert(known.has(relationships![0]!.target.id));
  }
});

Deno.test("exports follow the published schemas of SARIF 2.1.0 and CycloneDX 1.6", async () => {
  const scanId = "b3de4f0b-9a61-4f3a-91f5-f2a76f1c2a90";
  const full = await report();
  const base = reportOn({
    repository: await repositoryOf("https://github.com/acme/weather"),
    serverName: "weather",
  });
  // A folder that was scanned on somebody's own machine has neither address nor commit.
  const local = { ...full, metadata: { ...full.metadata, repo_url: "", repository: "local/x" } };
  for (const each of [base, full, local]) {
    assertEquals(await sarifFaults(sarifOf(each, { server: "weather" })), []);
    const bom = cyclonedxOf(each, { server: "weather", version: "1.0.0", scanId });
    assertEquals(await cyclonedxFaults(bom), []);
  }
  assert((await sarifFaults({ version: "2.1.0" })).length > 0);
  assert((await cyclonedxFaults({ bomFormat: "SPDX" })).length > 0);
});

Deno.test("cyclonedxOf() lists packages once, with the vulnerabilities that affect them", async () => {
  const scanId = "b3de4f0b-9a61-4f3a-91f5-f2a76f1c2a90";
  const bom = cyclonedxOf(await report(), { server: "weather", version: "1.0.0", scanId });
  assertEquals([bom.bomFormat, bom.specVersion], ["CycloneDX", "1.6"]);
  assertEquals(bom.serialNumber, `urn:uuid:${scanId}`);
  assertEquals(bom.components.map(({ purl }) => purl), [
    "pkg:pypi/requests@2.31.0",
    "pkg:npm/%40a/b@1.0.0",
    "pkg:pypi/flask",
  ]);
  const references = new Set(bom.components.map((each) => each["bom-ref"]));
  assertEquals(references.size, bom.components.length);
  const [vulnerability] = bom.vulnerabilities;
  assertEquals(vulnerability!.affects, [{ ref: "pkg:pypi/requests@2.31.0" }]);
  assertEquals([vulnerability!.id, vulnerability!.cwes], ["GHSA-1", [78]]);
  for (const { ref } of vulnerability!.affects) assert(references.has(ref));
  for (const { dependsOn } of bom.dependencies) {
    for (const ref of dependsOn) assert(references.has(ref));
  }
});

Deno.test("cyclonedxOf() takes no finding about a package itself for a vulnerability", async () => {
  const made = await report();
  made.dependency_audit.issues.push({ ...ISSUE, rule: "pkg/yanked" });
  const bom = cyclonedxOf(made, { server: "weather", version: "1.0.0", scanId: "x" });
  assertEquals(bom.vulnerabilities.some(({ id }) => id === "pkg/yanked"), false);
});

/** A report on a server with a package of each source. */
async function ofSources(): Promise<SecurityReport> {
  const base = await report();
  const package_ = (
    name: string,
    source: ResolvedPackage["source"],
    facts: Partial<ResolvedPackage> = {},
  ): ResolvedPackage => ({
    ...{ name, source, version: "1.0", requires: [], direct: true, instead: null, modules: [] },
    ...{ sha256: null, python_part: false, yanked: false, ...facts },
  });
  const resolved = [
    package_("asked", "index", { sha256: "a".repeat(64), requires: ["built", "shared"] }),
    package_("built", "distribution", { sha256: "b".repeat(64), direct: false }),
    package_("fastmcp", "runtime", { requires: ["mcp"] }),
    package_("mcp", "runtime", { direct: false, requires: ["shared"] }),
    package_("shared", "installation", {
      direct: false,
      wheels: ["c".repeat(64), "d".repeat(64)],
    }),
  ];
  const packages = resolved.map(({ name, sha256 }) => ({
    ...{ name, ecosystem: "PyPI", version: "1.0", requirement: name, file: "requirements.txt" },
    ...(sha256 === null ? {} : { sha256 }),
  }));
  // Sessions have nothing of it, so nobody resolved what it requires.
  const other = { ...packages[0]!, name: "asked", ecosystem: "npm", sha256: undefined };
  return {
    ...base,
    packages: {
      ...{ resolved, missing: [], undeclared: [], files: ["requirements.txt"], problem: null },
      duration_ms: 1,
    },
    dependency_audit: { ...base.dependency_audit, issues: [], packages: [...packages, other] },
  };
}

Deno.test("cyclonedxOf() says of each package where sessions have it from, with its digests", async () => {
  const context = { server: "weather", version: "1.0.0", scanId: "x" };
  const bom = cyclonedxOf(await ofSources(), context);
  assertEquals(await cyclonedxFaults(bom), []);
  assertEquals(
    bom.components.map(({ purl, hashes = [], properties }) => [
      purl,
      properties.find(({ name }) => name === "berth:source")?.value,
      ...hashes.map(({ alg, content }) => `${alg} ${content[0]}`),
    ]),
    [
      ["pkg:pypi/asked@1.0", "index", "SHA-256 a"],
      ["pkg:pypi/built@1.0", "distribution", "SHA-256 b"],
      ["pkg:generic/berth/fastmcp@1.0", "runtime"],
      ["pkg:generic/berth/mcp@1.0", "runtime"],
      ["pkg:pypi/shared@1.0", "installation", "SHA-256 c", "SHA-256 d"],
      ["pkg:npm/asked@1.0", undefined],
    ],
  );
  const compatible = bom.components.flatMap(({ properties }) =>
    properties.filter(({ name }) => name === "berth:compatible-with").map(({ value }) => value)
  );
  assertEquals(compatible, ["fastmcp 1.0", "mcp 1.0"]);
});

Deno.test("cyclonedxOf() says what requires what", async () => {
  const context = { server: "weather", version: "1.0.0", scanId: "x" };
  const { dependencies } = cyclonedxOf(await ofSources(), context);
  assertEquals(
    dependencies.map(({ ref, dependsOn }) =>
      [ref, ...dependsOn].map((each) => each.split("/").at(-1))
    ),
    [
      ["berth:weather@1.0.0", "asked@1.0", "fastmcp@1.0", "asked@1.0"],
      ["asked@1.0", "built@1.0", "shared@1.0"],
      ["built@1.0"],
      ["fastmcp@1.0", "mcp@1.0"],
      ["mcp@1.0", "shared@1.0"],
      ["shared@1.0"],
    ],
  );
});

/** A report on thousands of versions of one package, each with several vulnerabilities. */
async function wide(second: (version: string) => string): Promise<SecurityReport> {
  const base = await report();
  const versions = Array.from({ length: 5000 }, (_, i) => `1.0.${i}`);
  const packages = versions.map((version) => ({
    name: "django",
    ecosystem: "PyPI",
    version,
    requirement: `django==${version}`,
    file: "requirements.txt",
  }));
  const issues = versions.flatMap((version, i) =>
    Array.from({ length: 4 }, (_, n): DependencyIssue => ({
      ...ISSUE,
      rule: `GHSA-${i}-${n}`,
      package: "django",
      requirement: second(version),
    }))
  );
  return { ...base, dependency_audit: { ...base.dependency_audit, packages, issues } };
}

Deno.test("exports of thousands of versions of one package stay as long as what they are made from", async () => {
  const context = { server: "weather", version: "1.0.0", scanId: "x" };
  const exact = cyclonedxOf(await wide((version) => `django==${version}`), context);
  assertEquals(exact.vulnerabilities.every(({ affects }) => affects.length === 1), true);
  assertEquals(exact.vulnerabilities.at(-1)!.affects, [{ ref: "pkg:pypi/django@1.0.4999" }]);
  // Written in another way in a file whose packages are not listed.
  const other = cyclonedxOf(await wide((version) => `Django == ${version}`), context);
  assertEquals(other.vulnerabilities.length, 20_000);
  assertEquals(other.vulnerabilities.every(({ affects }) => affects.length === 20), true);
  const { runs: [run] } = sarifOf(await wide((version) => version), { server: "weather" });
  const { results, tool: { driver: { rules } } } = run!;
  assertEquals(results.every(({ ruleId, ruleIndex }) => rules[ruleIndex]!.id === ruleId), true);
});
