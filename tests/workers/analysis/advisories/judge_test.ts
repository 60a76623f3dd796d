import { assertEquals } from "@std/assert";
import { aliasesToAsk } from "../../../../workers/analysis/advisories/alias_groups.ts";
import { judge } from "../../../../workers/analysis/advisories/judge.ts";
import { severityOf, severityOfVector } from "../../../../workers/analysis/advisories/severity.ts";
import { type Allowed, requirement } from "../../../../workers/analysis/manifests/requirement.ts";
import { advisory, rated } from "../../../helpers/advisory_records.ts";

function wanted(allowed: Allowed) {
  return requirement({ ecosystem: "PyPI", name: "Pack_Age", allowed, file: "r.txt", line: 1 });
}

const PINNED = wanted({ kind: "exact", version: "1.0" });
const RANGE = wanted({ kind: "range", ranges: [">=1.0"] });

Deno.test("judge() gives a pinned version the advisory's severity, a range at most low", () => {
  const high = advisory("GHSA-1", "pack.age", "1.5", rated("HIGH"));
  const [pinned] = judge(PINNED, [high], new Map());
  assertEquals([pinned?.severity, pinned?.possible, pinned?.fixed], ["high", false, "1.5"]);
  const [range] = judge(RANGE, [high], new Map());
  assertEquals([range?.severity, range?.possible], ["low", true]);
  const unfixed = advisory("GHSA-2", "pack-age", null, rated("CRITICAL"));
  const [always] = judge(RANGE, [unfixed], new Map());
  assertEquals([always?.severity, always?.possible, always?.fixed], ["critical", false, null]);
  const safe = wanted({ kind: "exact", version: "1.5" });
  assertEquals(judge(safe, [high], new Map()), []);
});

Deno.test("judge() counts one flaw of several databases once", () => {
  const records = [
    advisory("PYSEC-1", "pack-age", "1.5", { aliases: ["CVE-1", "GHSA-1"] }),
    advisory("GHSA-1", "pack-age", "1.6", { aliases: ["CVE-1"], ...rated("MODERATE") }),
    advisory("OTHER-1", "pack-age", "1.5", { aliases: ["CVE-1"] }),
    advisory("PYSEC-2", "pack-age", "1.5", { aliases: ["CVE-2"] }),
  ];
  const hits = judge(PINNED, records, new Map());
  assertEquals(hits.map(({ id }) => id), ["GHSA-1", "PYSEC-2"]);
  assertEquals(hits[0]?.aliases, ["CVE-1", "OTHER-1", "PYSEC-1"]);
  assertEquals(hits[0]?.severity, "medium");
});

Deno.test("judge() leaves withdrawn advisories out", () => {
  const withdrawn = { withdrawn: "2026-01-02T00:00:00Z", ...rated("HIGH") };
  assertEquals(judge(PINNED, [advisory("GHSA-1", "pack-age", "2", withdrawn)], new Map()), []);
});

Deno.test("judge() takes a severity from an alias, and medium without one", () => {
  const record = advisory("PYSEC-1", "pack-age", "2", { aliases: ["GHSA-9", "CVE-9"] });
  assertEquals(aliasesToAsk([record]), ["GHSA-9", "CVE-9"]);
  assertEquals(judge(PINNED, [record], new Map())[0]?.severity, "medium");
  const alias = advisory("GHSA-9", "other", "2", rated("CRITICAL"));
  assertEquals(judge(PINNED, [record], new Map([["GHSA-9", alias]]))[0]?.severity, "critical");
  assertEquals(aliasesToAsk([advisory("GHSA-1", "pack-age", "2", rated("LOW"))]), []);
});

Deno.test("severityOf() reads vectors of every CVSS version", () => {
  const v31 = "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N";
  const v4 = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N";
  assertEquals(severityOfVector("AV:N/AC:L/Au:N/C:P/I:P/A:P"), "high");
  assertEquals(severityOfVector(v31), "medium");
  assertEquals(severityOfVector(v4), "critical");
  assertEquals(severityOfVector("9.8"), null);
  const both = [{ type: "CVSS_V3", score: v31 }, { type: "CVSS_V4", score: v4 }];
  assertEquals(severityOf(advisory("X-1", "p", null, { severity: both })), "critical");
  assertEquals(severityOf(advisory("MAL-2026-1", "p", null)), "critical");
  assertEquals(severityOf(advisory("X-1", "p", null, rated("whatever"))), null);
});
