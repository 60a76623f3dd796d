import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import type { EndReason } from "../../../src/execution/hosts/types.ts";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  sessionInput,
  watchEnd,
} from "../../helpers/interpreter.ts";

const LYING_HOST = new URL("../../fixtures/lying_host.ts", import.meta.url);

/** What each lie ends with; most are against the protocol. */
const LIES: Record<string, EndReason> = {
  "unknown message": "protocol",
  "no message": "protocol",
  "more fields": "protocol",
  "another session": "protocol",
  "session 0": "protocol",
  "a result nobody asked for": "protocol",
  "opened twice": "protocol",
  "booted again": "protocol",
  "a snapshot": "protocol",
  "no outcome": "protocol",
  "an outcome that is not JSON": "protocol",
  "a head that is not JSON": "protocol",
  "a huge head": "protocol",
  "a huge body": "protocol",
  "an outcome over the limit": "protocol",
  "a bad level": "protocol",
  "a flood of logs": "protocol",
  "a flood of notifications": "protocol",
  "too many requests at once": "protocol",
  "a flood of requests": "protocol",
  "too many questions at once": "protocol",
  "a flood of questions": "protocol",
  "a question that is not JSON": "protocol",
  "exit": "crashed",
  "silence": "timeout",
};

for (const [lie, reason] of Object.entries(LIES)) {
  Deno.test(`a host that has been taken over and sends ${lie} is killed`, async () => {
    await using hosts = await openTestHosts({ hostModule: LYING_HOST, loadDeadlineMs: 1000 });
    const other = await hosts.open(sessionInput("", { server: "other", entrypoint: "honest" }));
    const [otherPid] = hosts.stats().pids;
    const { ended, onEnd } = watchEnd();
    const opening = hosts.open(sessionInput("", {
      entrypoint: lie,
      onEnd,
      http: () => new Promise(() => {}),
      ask: () => new Promise(() => {}),
    }));
    const pid = hosts.stats().pids.find((candidate) => candidate !== otherPid)!;
    const session = await opening;
    assertEquals(await ended, reason);
    assertMatch(await callTool(session, "x"), new RegExp(`^\\[ended: ${reason}\\] .`));
    assertEquals(await processorSeconds(pid), null);
    assert(other.load.kind === "loaded");
    assertEquals(hosts.stats().pids, [otherPid]);
    await other.close();
  });
}

Deno.test("a session that does not boot is 503, and takes no other session with it", async () => {
  await using hosts = await openTestHosts({ hostModule: LYING_HOST });
  const reasons: EndReason[] = [];
  const first = await hosts.open(sessionInput("", {
    entrypoint: "honest",
    onEnd: (reason) => reasons.push(reason),
  }));
  const error = await assertRejects(
    () => hosts.open(sessionInput("", { entrypoint: "honest" })),
    AppError,
    "could not be started",
  );
  assertEquals(error.status, 503);
  assertEquals([hosts.stats().sessions, hosts.stats().hosts, reasons.length], [1, 1, 0]);
  await first.close();
  assertEquals(hosts.stats().hosts, 0);
});
