import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  EXECUTION_POLICIES,
  INTERPRETER_PROFILES,
  whyNotCapable,
  whyNotRun,
} from "../../../src/execution/admission/runnable.ts";
import type { Build } from "../../../src/scan/build_schema.ts";

Deno.test("whyNotRun() says what keeps a server from running: its scan, language or profile", () => {
  const statuses = ["passed", "failed", "error"] as const;
  const runs: string[] = [];
  for (const policy of EXECUTION_POLICIES) {
    for (const status of statuses) {
      const refusal = whyNotRun({ lang: "python", report: { status } }, {
        policy,
        profile: "restricted",
      });
      if (refusal === null) runs.push(`${policy}:${status}`);
      else assertEquals(refusal.kind, "scan");
    }
  }
  assertEquals(runs, [
    "unless-failed:passed",
    "unless-failed:error",
    "passed:passed",
    "any:passed",
    "any:failed",
    "any:error",
  ]);
  for (const profile of INTERPRETER_PROFILES) {
    const rules = { policy: "unless-failed" as const, profile };
    const report = { status: "passed" as const };
    assertEquals(whyNotRun({ lang: "go", report }, rules)?.kind, "language");
    const unfit = { ...report, compatibility: { restricted: false } };
    const fit = { ...report, compatibility: { restricted: true } };
    assertEquals(whyNotRun({ lang: "python", report: fit }, rules), null);
    const refused = whyNotRun({ lang: "python", report: unfit }, rules);
    assertEquals(refused?.kind ?? null, profile === "full" ? null : "profile");
    if (refused !== null) assertStringIncludes(refused.message, "INTERPRETER_PROFILE=full");
  }
  const refusal = whyNotRun({ lang: "python", report: { status: "failed" } }, {
    policy: "passed",
    profile: "full",
  });
  assertStringIncludes(refusal!.message, "security scan failed");
});

Deno.test("whyNotRun() asks for the full profile only where that helps", () => {
  const rules = { policy: "unless-failed", profile: "restricted" } as const;
  type Fit = {
    refused: string[];
    full: boolean;
    missing?: { construct: string }[];
    build?: Pick<Build, "profile" | "runs">;
    other_build?: Pick<Build, "profile" | "runs">;
  };
  const why = (compatibility: Fit) =>
    whyNotRun({
      lang: "python",
      report: { status: "passed", compatibility: { restricted: false, ...compatibility } },
    }, rules)?.kind ?? null;
  assertEquals(why({ refused: ["class"], full: false }), "profile");
  assertEquals(why({ refused: [], full: true }), "profile");
  assertEquals(why({ refused: [], full: false }), null);
  // What tools need in vain keeps no server from starting.
  const missing = [{ construct: "socket (redis.Redis)" }, { construct: "process (os.system)" }];
  assertEquals(why({ refused: [], full: false, missing }), "profile");
  const more = [...missing, { construct: "missing package (torch)" }];
  assertEquals(why({ refused: [], full: false, missing: more }), null);
  for (const runs of ["yes", "needs_variables", "no"] as const) {
    const expected = runs === "no" ? null : "profile";
    const build = { profile: "restricted", runs: "no" } as const;
    const other_build = { profile: "full", runs } as const;
    assertEquals(why({ refused: [], full: false, missing, build, other_build }), expected);
    assertEquals(why({ refused: [], full: false, missing, build: other_build }), expected);
  }
});

Deno.test("whyNotCapable() keeps servers from running what callers write only where that is refused", () => {
  const server = { runs: ["sql", "commands"] as const };
  assertEquals(whyNotCapable(server, "show"), null);
  assertEquals(whyNotCapable({ runs: [] }, "refuse"), null);
  const refusal = whyNotCapable(server, "refuse");
  assertEquals(refusal?.kind, "capability");
  assertMatch(refusal!.message, /runs SQL .* and runs commands .*CAPABILITY_POLICY/);
});

Deno.test("whyNotCapable() keeps what waits or was refused from running where an administrator is asked", () => {
  const server = { runs: ["sql"] as const };
  const waiting = whyNotCapable(server, "ask");
  assertEquals([waiting?.kind, waiting?.by], ["capability", "waiting"]);
  assertMatch(waiting!.message, /cannot run yet: it runs SQL .* waits for an administrator/);
  const decision = (state: "allowed" | "refused", reason: string) => ({ state, reason });
  assertEquals(
    whyNotCapable({ ...server, decision: decision("allowed", "Fine") }, "ask"),
    null,
  );
  const refused = whyNotCapable(
    { ...server, decision: decision("refused", " Reads\n billing data. ") },
    "ask",
  );
  assertEquals(refused?.by, "refused");
  assertMatch(refused!.message, /an administrator refused that: Reads billing data$/);
  assertEquals(whyNotCapable({ runs: [], decision: null }, "ask"), null);
  const allowed = { ...server, decision: decision("allowed", "Fine") };
  assertEquals(whyNotCapable(allowed, "refuse")?.by, "policy");
});

Deno.test("whyNotRun() says what the report's capabilities keep from running", () => {
  const runs = [{ kind: "code" as const, tools: ["execute"], file: "server.py", line: 3 }];
  const report = { status: "passed" as const, capabilities: { runs } };
  const rules = { policy: "unless-failed" as const, profile: "full" as const };
  assertEquals(whyNotRun({ lang: "python", report }, rules), null);
  const refused = whyNotRun({ lang: "python", report }, { ...rules, capabilities: "refuse" });
  assertEquals(refused?.kind, "capability");
});
