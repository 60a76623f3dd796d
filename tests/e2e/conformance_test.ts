/**
 * MCP's own conformance suites, against the server `everything` as Berth runs it.
 *
 * They run when `TEST_MCP_TOOLS` names a folder with the suites and a Node that is new enough for
 * them, as `.ci/run` prepares it.
 */
import { assert, assertEquals } from "@std/assert";
import { startEverything } from "../helpers/everything.ts";
import { type McpTools, mcpTools } from "../helpers/mcp_tools.ts";

const TOOLS = mcpTools();
// Sessions start slowly on a machine that is busy with other tests.
const PATIENCE_MS = "300000";

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  errorMessage?: string;
}

/** Every check that a suite left in `folder`. */
async function checksOf(folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) checks.push(...await checksOf(path));
    else if (name === "checks.json") checks.push(...JSON.parse(await Deno.readTextFile(path)));
  }
  return checks;
}

/** Runs a suite; gives its checks. */
async function run(suite: keyof McpTools["conformance"], url: string, args: string[]) {
  const folder = await Deno.makeTempDir({ prefix: "berth-conformance-" });
  try {
    const { node, conformance } = TOOLS!;
    const { stdout, stderr } = await new Deno.Command(node, {
      args: [conformance[suite], "server", "--url", url, "-o", folder, ...args],
    }).output();
    const decoder = new TextDecoder();
    const said = decoder.decode(stdout).slice(-6000) + decoder.decode(stderr).slice(-2000);
    return { checks: await checksOf(folder), said };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function badOf(checks: Check[]): Check[] {
  return checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
}

function successes(checks: Check[]): number {
  return checks.filter(({ status }) => status === "SUCCESS").length;
}

/** The check that gives a new session five seconds, whatever patience the suite is told to have. */
const HURRIED = "server-session-id-visible-ascii";

/** Repeats the hurried check where it was too early, until it is in time. */
async function withoutHurry(url: string, bad: Check[]): Promise<Check[]> {
  let left = bad;
  for (let attempt = 0; attempt < 20; attempt++) {
    const isLate = left.length > 0 &&
      left.every(({ id, errorMessage = "" }) => id === HURRIED && errorMessage.includes("timeout"));
    if (!isLate) break;
    const args = ["--scenario", "server-initialize", "--spec-version", "2025-11-25"];
    const { checks, said } = await run("next", url, args);
    assert(successes(checks) > 0, said);
    left = badOf(checks);
  }
  return left;
}

Deno.test({
  name: "MCP's conformance suites find no failure and no warning",
  ignore: TOOLS === undefined,
  async fn() {
    await using everything = await startEverything();
    const url = everything.mcpOf("everything");

    async function released(): Promise<void> {
      const active = ["--suite", "active", "--spec-version", "2025-11-25"];
      const { checks, said } = await run("stable", url, active);
      assertEquals(badOf(checks), [], said);
      assert(successes(checks) >= 39, said);
      const polling = await run("stable", url, ["--scenario", "server-sse-polling"]);
      assertEquals(badOf(polling.checks), [], polling.said);
      assertEquals(successes(polling.checks), 3, polling.said);
    }

    async function toCome(): Promise<void> {
      const args = ["--requirements", "2025-11-25", "--timeout", PATIENCE_MS];
      const { checks, said } = await run("next", url, args);
      assertEquals(await withoutHurry(url, badOf(checks)), [], said);
      assert(successes(checks) >= 60, said);
    }

    const outcomes = await Promise.allSettled([released(), toCome()]);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  },
});
