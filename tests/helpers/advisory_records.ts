/** Small advisories for tests. */
import { OsvRecord } from "../../workers/analysis/advisories/osv_schema.ts";

/** A record about one PyPI package, affected from the first version to before `fixed`. */
export function advisory(
  id: string,
  name: string,
  fixed: string | null,
  extra: Record<string, unknown> = {},
): OsvRecord {
  const events = [{ introduced: "0" }, ...(fixed === null ? [] : [{ fixed }])];
  return OsvRecord.parse({
    id,
    summary: `Flaw in ${name}`,
    modified: "2026-01-01T00:00:00Z",
    affected: [{ package: { ecosystem: "PyPI", name }, ranges: [{ type: "ECOSYSTEM", events }] }],
    ...extra,
  });
}

/** A GHSA record's own word on severity. */
export function rated(severity: string) {
  return { database_specific: { severity, cwe_ids: ["CWE-79"] } };
}
