import { assertEquals } from "@std/assert";
import { createLogger } from "../../../src/log.ts";
import { OsvService } from "../../../src/scan/advisories/osv_service.ts";
import { checkDependencies } from "../../../src/scan/stages/check_dependencies.ts";
import { runScan } from "../../../src/scan/pipeline.ts";
import { advisory, rated } from "../../helpers/advisory_records.ts";
import { startAdvisoryService } from "../../helpers/advisory_service.ts";
import { patientAnalysis } from "../../helpers/analysis.ts";
import { scanInput } from "../input.ts";

const SERVER = `from mcp.server.fastmcp import FastMCP
from lib import helper
mcp = FastMCP("x")
@mcp.tool()
def run() -> str:
    """Runs."""
    return helper.text()
`;

Deno.test("checkDependencies() says of each project what a whole scan says of it", async () => {
  const service = startAdvisoryService([
    advisory("GHSA-a", "aside", null, rated("HIGH")),
    advisory("GHSA-b", "reached", null, rated("HIGH")),
  ]);
  const analysis = patientAnalysis();
  const { signal } = new AbortController();
  const deps = {
    analysis,
    advisories: new OsvService({ url: service.url, fetch }),
    qualityUrl: () => "https://berth.test/x",
    now: () => new Date("2026-11-01T00:00:00Z"),
    log: createLogger({ level: "error", format: "json", now: () => new Date(0), write: () => {} }),
  };
  try {
    for (
      const [start, severities] of [
        ["", ["GHSA-a medium", "GHSA-b high"]],
        ["import subprocess\n", ["GHSA-a high", "GHSA-b high"]],
      ] as const
    ) {
      const input = await scanInput({
        "server.py": SERVER,
        "lib/__init__.py": "",
        "lib/helper.py": `${start}def text(): return "x"\n`,
        "lib/requirements.txt": "reached==1\n",
        "site/requirements.txt": "aside==1\n",
      });
      const { dependency_audit: scanned } = await runScan(deps, input);
      const checked = await checkDependencies(deps, input, signal);
      const shown = (section: typeof scanned) =>
        section.issues.map(({ rule, severity }) => `${rule} ${severity}`).sort();
      assertEquals(shown(scanned), [...severities]);
      assertEquals(shown(checked), [...severities]);
      assertEquals(
        checked.issues.map(({ fingerprint }) => fingerprint),
        scanned.issues.map(({ fingerprint }) => fingerprint),
      );
    }
  } finally {
    await analysis.close();
    await service.close();
  }
});
