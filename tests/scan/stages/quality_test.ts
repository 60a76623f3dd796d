import { assert, assertEquals } from "@std/assert";
import { QualityAnalysis } from "../../../src/scan/schema.ts";
import { debtRating, worstRating } from "../../../src/scan/stages/ratings.ts";
import { runQuality } from "../../../src/scan/stages/quality.ts";
import { withStage } from "../../helpers/analysis.ts";

Deno.test("worstRating() and debtRating() follow the published grids", () => {
  assertEquals(worstRating([]), "A");
  assertEquals(worstRating(["info"]), "A");
  assertEquals(worstRating(["low", "medium"]), "C");
  assertEquals(worstRating(["critical", "low"]), "E");
  assertEquals(debtRating(0, 0), "A");
  assertEquals(debtRating(150, 100), "A");
  assertEquals(debtRating(151, 100), "B");
  assertEquals(debtRating(600, 100), "C");
  assertEquals(debtRating(1500, 100), "D");
  assertEquals(debtRating(1501, 100), "E");
});

Deno.test("runQuality() builds the section and gives the same one twice", async () => {
  await withStage(async ({ deps, input }) => {
    const files = {
      "server.py": `import ssl, requests
def tool(a):
    requests.get(a, verify=False, timeout=1)
    return nowhere
`,
      "coverage.xml": `<coverage line-rate="0.5">`,
    };
    const first = await runQuality(deps, input(files));
    const second = await runQuality(deps, input(files));
    assertEquals({ ...second, duration_ms: 0 }, { ...first, duration_ms: 0 });
    QualityAnalysis.parse(first);
    assertEquals(first.scan_passed, false);
    assertEquals(first.quality_gate, "ERROR");
    assertEquals([first.reliability_rating, first.security_rating], ["D", "D"]);
    assertEquals([first.coverage, first.coverage_measured], [50, true]);
    assertEquals(
      first.total_issues,
      first.bugs + first.vulnerabilities + first.code_smells + first.security_hotspots,
    );
    assertEquals(new Set(first.issues.map(({ id }) => id)).size, first.issues.length);
  });
});

Deno.test("runQuality() passes clean code and fails what it cannot analyse", async () => {
  await withStage(async ({ deps, input }) => {
    const clean = await runQuality(deps, input({ "server.py": "print(1)\n" }));
    assertEquals([clean.scan_passed, clean.quality_gate, clean.error], [true, "OK", null]);
    const deep = await runQuality(
      deps,
      input({ "server.py": "x = " + "(".repeat(3000) + ")".repeat(3000) }),
    );
    assertEquals(deep.scan_passed, false);
    assertEquals(deep.error?.code, "not_analysable");
    assert(deep.error?.message.includes("server.py"));
  });
});

Deno.test("runQuality() takes a failed or senseless analysis for a failure", async () => {
  const base = { now: () => new Date(0) };
  const input = { repository: { files: new Map() }, lang: "python", entrypoint: "a.py" } as const;
  const timeout = await runQuality({
    ...base,
    analysis: { run: () => Promise.resolve({ kind: "failed", code: "timeout", message: "Slow" }) },
  }, input);
  assertEquals(timeout.error, { code: "timeout", message: "Slow" });
  assertEquals([timeout.scan_passed, timeout.quality_gate], [false, "ERROR"]);
  const forged = await runQuality({
    ...base,
    analysis: {
      run: () => Promise.resolve({ kind: "done", result: { lines: "many" }, notAnalysable: [] }),
    },
  }, input);
  assertEquals(forged.error?.code, "crashed");
});
