/** The verdict in a sentence. */
import { assertEquals } from "@std/assert";
import type { Finding } from "../../../../src/scan/schema.ts";
import { verdictSentence } from "../../../../src/web/server/security/verdict_sentence.ts";
import { reportOf } from "../reports.ts";

const FINDING: Finding = {
  id: "0123456789ab",
  stage: "security_audit",
  rule: "py/tool-to-shell",
  severity: "high",
  cwe: null,
  title: "A caller's text reaches `subprocess.run`",
  detail: "",
  file: "server.py",
  line: 3,
  end_line: null,
  fingerprint: "f",
  url: null,
};

Deno.test("verdictSentence() gives the verdict with its reason", () => {
  assertEquals(verdictSentence(reportOf([])), "It passed its scan: nothing was found");
  assertEquals(
    verdictSentence(reportOf([{ ...FINDING, severity: "low" }])),
    "It passed its scan: its one finding is not blocking",
  );
  assertEquals(
    verdictSentence(reportOf([FINDING], "failed")),
    "It failed its scan: A caller's text reaches subprocess.run in server.py:3",
  );
  const more = [FINDING, { ...FINDING, fingerprint: "g", severity: "critical" as const, line: 9 }];
  assertEquals(
    verdictSentence(reportOf(more, "failed")),
    "It failed its scan: A caller's text reaches subprocess.run in server.py:9, " +
      "and 1 more blocking finding",
  );
  const unfinished = reportOf([], "error");
  unfinished.dependency_audit.error = { code: "unavailable", message: "gone" };
  assertEquals(
    verdictSentence(unfinished),
    'Its scan is not finished: a service of the stage "Dependencies" did not answer. ' +
      "It is repeated automatically",
  );
});
