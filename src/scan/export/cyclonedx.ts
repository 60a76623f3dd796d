/**
 * The dependencies of a report as a CycloneDX 1.6 bill of materials with vulnerabilities (ECMA-424).
 *
 * @module
 */
import type { DependencyIssue, SecurityReport, Severity } from "../schema.ts";
import { isPackageNote } from "../stages/package_notes.ts";

/** Media type of CycloneDX in JSON (registered with IANA). */
export const CYCLONEDX_TYPE = "application/vnd.cyclonedx+json";

type Package = NonNullable<SecurityReport["dependency_audit"]["packages"]>[number];

/** Package types of package URLs by OSV's names of ecosystems. */
const PURL_TYPES: Record<string, string> = {
  PyPI: "pypi",
  npm: "npm",
  Go: "golang",
  "crates.io": "cargo",
};
const SEVERITY: Record<Severity, string> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  info: "info",
};

/** A package URL (ECMA-427): `pkg:npm/%40scope/name@1.0.0`. */
function purlOf({ ecosystem, name, version }: Pick<Package, "ecosystem" | "name" | "version">) {
  const type = PURL_TYPES[ecosystem];
  if (type === undefined) return null;
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `pkg:${type}/${path}${version === null ? "" : `@${encodeURIComponent(version)}`}`;
}

function refOf(item: Pick<Package, "ecosystem" | "name" | "version">): string {
  return purlOf(item) ?? `${item.ecosystem}:${item.name}@${item.version ?? ""}`;
}

function componentOf(item: Package) {
  const purl = purlOf(item);
  return {
    type: "library" as const,
    "bom-ref": refOf(item),
    name: item.name,
    ...(item.version === null ? {} : { version: item.version }),
    ...(item.sha256 === undefined
      ? {}
      : { hashes: [{ alg: "SHA-256" as const, content: item.sha256 }] }),
    ...(purl === null ? {} : { purl }),
    properties: [
      { name: "berth:file", value: item.file },
      { name: "berth:requirement", value: item.requirement },
    ],
  };
}

function vulnerabilityOf(issue: DependencyIssue, affected: Package[]) {
  const cwe = /^CWE-(\d+)$/.exec(issue.cwe ?? "")?.[1];
  return {
    id: issue.rule,
    source: { name: "OSV", ...(issue.url === null ? {} : { url: issue.url }) },
    references: issue.aliases.map((id) => ({ id, source: { name: "OSV" } })),
    ratings: [{ severity: SEVERITY[issue.severity] }],
    ...(cwe === undefined ? {} : { cwes: [Number(cwe)] }),
    description: issue.detail,
    ...(issue.fixed_version === null
      ? {}
      : { recommendation: `Upgrade ${issue.package} to ${issue.fixed_version} or later` }),
    affects: affected.map((item) => ({ ref: refOf(item) })),
    // Only some of the allowed versions have it.
    analysis: { state: issue.possible ? "in_triage" as const : "exploitable" as const },
  };
}

/** Packages that one vulnerability is said to affect: many versions of one name can be listed. */
const AFFECTED_MAX = 20;

/** Finds the packages that an issue is about: of its requirement in its file, else of its name. */
function affectedBy(packages: readonly Package[]): (issue: DependencyIssue) => Package[] {
  const group = (key: (item: Package) => string) =>
    new Map(
      Map.groupBy(packages, key).entries().map(([at, items]) => {
        const unique = new Map(items.map((item) => [refOf(item), item]));
        return [at, [...unique.values().take(AFFECTED_MAX)]];
      }),
    );
  const nameOf = (ecosystem: string, name: string) => `${ecosystem}\0${name}`;
  const placeOf = (file: string | null, requirement: string) => `${file}\0${requirement}`;
  const byPlace = group(({ ecosystem, name, file, requirement }) =>
    `${nameOf(ecosystem, name)}\0${placeOf(file, requirement)}`
  );
  const byName = group(({ ecosystem, name }) => nameOf(ecosystem, name));
  return ({ ecosystem, package: name, file, requirement }) => {
    const key = nameOf(ecosystem, name);
    return byPlace.get(`${key}\0${placeOf(file, requirement)}`) ?? byName.get(key) ?? [];
  };
}

/** What a bill of materials says beside the report. */
export interface BomContext {
  /** Name and version of the record. */
  server: string;
  version: string;
  /** Id of the scan, a UUID. */
  scanId: string;
}

/** The report's dependencies as a bill of materials. */
export function cyclonedxOf(report: SecurityReport, { server, version, scanId }: BomContext) {
  const packages = report.dependency_audit.packages ?? [];
  const unique = new Map(packages.map((item) => [refOf(item), item]));
  const affected = affectedBy(packages);
  const root = `berth:${server}@${version}`;
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(scanId);
  const issues = report.dependency_audit.issues.filter((issue) =>
    issue.package !== "" && issue.severity !== "info" && !isPackageNote(issue)
  );
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX" as const,
    specVersion: "1.6" as const,
    ...(isUuid ? { serialNumber: `urn:uuid:${scanId}` } : {}),
    version: 1,
    metadata: {
      timestamp: report.metadata.scan_date,
      tools: { components: [{ type: "application" as const, name: "Berth" }] },
      component: {
        type: "application" as const,
        "bom-ref": root,
        name: server,
        version,
        ...(URL.canParse(report.metadata.repo_url)
          ? { externalReferences: [{ type: "vcs" as const, url: report.metadata.repo_url }] }
          : {}),
      },
    },
    components: [...unique.values()].map(componentOf),
    dependencies: [{ ref: root, dependsOn: [...unique.keys()] }],
    vulnerabilities: issues.map((issue) => vulnerabilityOf(issue, affected(issue))),
  };
}
