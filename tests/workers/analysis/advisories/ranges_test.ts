import { assertEquals } from "@std/assert";
import {
  affects,
  fixedVersion,
  overlapWith,
} from "../../../../workers/analysis/advisories/affected.ts";
import type { Ecosystem } from "../../../../workers/analysis/advisories/ecosystem.ts";
import { allowedIntervals } from "../../../../workers/analysis/advisories/judge.ts";
import { OsvRecord } from "../../../../workers/analysis/advisories/osv_schema.ts";

function record(
  ecosystem: Ecosystem,
  events: Record<string, string>[],
  versions: string[] = [],
): OsvRecord {
  const type = ecosystem === "PyPI" ? "ECOSYSTEM" : "SEMVER";
  const ranges = events.length === 0 ? [] : [{ type, events }];
  return OsvRecord.parse({
    id: "T-1",
    affected: [{ package: { ecosystem, name: "p" }, ranges, versions }],
  });
}

function overlap(about: OsvRecord, ecosystem: Ecosystem, ...ranges: string[]) {
  return overlapWith(about, ecosystem, "p", allowedIntervals(ecosystem, { kind: "range", ranges }));
}

Deno.test("overlapWith() says how much of a Python requirement is affected", () => {
  const before232 = record("PyPI", [{ introduced: "0" }, { fixed: "2.32.0" }]);
  for (
    const [specifier, expected] of [
      ["", "some"],
      [">=2.0", "some"],
      [">=2.32.0", "none"],
      [">2.32", "none"],
      ["~=2.32", "none"],
      ["==2.32.*", "none"],
      ["<2.32", "all"],
      ["<=2.32", "some"],
      ["~=2.31.0", "all"],
      ["==2.31.*", "all"],
      [">=2.0,<3", "some"],
      [">=2.0,<2.10,!=2.5", "all"],
      ["<2.40,!=2.32.*,<2.33", "all"],
      ["!=2.31.0", "some"],
      [">=1!0.1", "none"],
      ["<1!0", "some"],
    ] as const
  ) assertEquals(overlap(before232, "PyPI", specifier), expected, specifier);
});

Deno.test("overlapWith() knows advisories with gaps, without a fix, and with last_affected", () => {
  const gaps = record("PyPI", [
    { introduced: "1.0" },
    { fixed: "1.5" },
    { introduced: "2.0" },
    { last_affected: "2.3" },
  ]);
  assertEquals(overlap(gaps, "PyPI", ">=1.5,<2.0"), "none");
  assertEquals(overlap(gaps, "PyPI", ">=1.0,<1.5"), "all");
  assertEquals(overlap(gaps, "PyPI", ">=1.0,<=2.3"), "some");
  assertEquals(overlap(gaps, "PyPI", ">=2.0,<=2.3"), "all");
  assertEquals(overlap(gaps, "PyPI", ">2.3"), "none");
  const unfixed = record("PyPI", [{ introduced: "0" }]);
  assertEquals(overlap(unfixed, "PyPI", ""), "all");
  assertEquals(overlap(unfixed, "PyPI", ">=5"), "all");
  const adjoining = record("PyPI", [{ introduced: "0" }, { fixed: "2" }, { introduced: "2" }]);
  assertEquals(overlap(adjoining, "PyPI", ">=1"), "all");
});

Deno.test("overlapWith() reads enumerated versions, and leaves broken ones out", () => {
  const listed = record("PyPI", [], ["1.0", "not a version", "1.1"]);
  assertEquals(overlap(listed, "PyPI", ">=1.0,<1.2"), "some");
  assertEquals(overlap(listed, "PyPI", ">=1.2"), "none");
  const broken = record("PyPI", [{ introduced: "zzz" }, { fixed: "?" }], ["1.0"]);
  assertEquals(overlap(broken, "PyPI", "<=1.0"), "some");
});

Deno.test("overlapWith() reads npm ranges", () => {
  const about = record("npm", [{ introduced: "4.0.0" }, { fixed: "4.17.21" }]);
  for (
    const [range, expected] of [
      ["^4.17.21", "none"],
      ["^4.0.0", "some"],
      ["~4.16.0", "all"],
      ["*", "some"],
      ["3.x || 4.1.x", "some"],
      ["4.1.x || 4.2.x", "all"],
      ["<4.0.0", "none"],
    ] as const
  ) assertEquals(overlap(about, "npm", range), expected, range);
});

Deno.test("affects() compares by the rules of the ecosystem", () => {
  const python = record("PyPI", [{ introduced: "0" }, { fixed: "2.10" }], ["weird-1"]);
  for (const version of ["2.9", "2.10rc1", "2.9.post1", "2.9.0+local", "weird-1"]) {
    assertEquals(affects(python, "PyPI", "p", version), true, version);
  }
  for (const version of ["2.10", "2.10.0", "1!1.0", "other-1"]) {
    assertEquals(affects(python, "PyPI", "p", version), false, version);
  }
  const go = record("Go", [{ introduced: "0" }, { fixed: "0.10.0" }]);
  assertEquals(affects(go, "Go", "p", "0.9.0"), true);
  assertEquals(affects(go, "Go", "p", "0.10.0"), false);
  assertEquals(affects(go, "PyPI", "p", "0.9.0"), false);
});

Deno.test("fixedVersion() names the next fix above the version in use", () => {
  const about = record("PyPI", [
    { introduced: "0" },
    { fixed: "1.5" },
    { introduced: "2.0" },
    { fixed: "2.3" },
  ]);
  assertEquals(fixedVersion(about, "PyPI", "p", "2.1"), "2.3");
  assertEquals(fixedVersion(about, "PyPI", "p", "1.0"), "1.5");
  assertEquals(fixedVersion(about, "PyPI", "p", "2.3"), null);
  assertEquals(fixedVersion(about, "PyPI", "p", null), "2.3");
});
