import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import type { EgressOutcome } from "../../../src/egress/types.ts";
import type { EndReason } from "../../../src/execution/interpreters/types.ts";
import {
  callTool,
  openTestHosts,
  processorSeconds,
  sessionInput,
  until,
  watchEnd,
} from "../../helpers/interpreter.ts";

const LYING_HOST = new URL("../../fixtures/lying_host.ts", import.meta.url);

/** What a host sends that has been taken over; each is against the protocol. */
const LIES = [
  ...["unknown message", "no message", "more fields", "no session", "another session"],
  ...["session 0", "another session as text", "a fraction of a session"],
  ...["a session beyond all numbers", "a list for a head", "nothing for a head"],
  ...["null for a head", "a head nested deeply", "a head with a prototype"],
  ...["a head with its type twice", "a head that is no text", "a head that is not JSON"],
  ...["a huge head", "a huge body"],
  ...["a result nobody asked for", "opened twice", "booted again", "a snapshot"],
  ...["the outcome of call 0 as a result", "the outcome of a call that is not there yet"],
  ...["that it is parked", "that it stays", "that it woke"],
  ...["no outcome", "an outcome without a body", "an outcome that is not JSON"],
  ...["an outcome nested deeply", "an outcome over the limit", "capabilities that are none"],
  ...["more problems than there can be"],
  ...["an unknown event", "an event without a body", "a bad level", "a logger with a long name"],
  ...["a notification with a long name", "an event of a request that is an object"],
  ...["a flood of logs", "a flood of notifications", "a flood of stderr"],
  ...["an HTTP request without a number", "an HTTP request with a number that is open"],
  ...["too many requests at once", "a flood of requests", "requests, and reads no answer"],
  ...["too many questions at once", "a flood of questions", "a question that is not JSON"],
  ...["a question with a number that is open", "a call that waits and does not run"],
  ...["an end of a session that is not there", "an end for a reason of its own"],
  ...["an end with a book as its message"],
];

/** What is no lie, but ends the session all the same. */
const OTHERS: [does: string, reason: EndReason][] = [
  ["that it is closed", "crashed"],
  ["a fault", "crashed"],
  ["exit", "crashed"],
];

/** The largest answer, for the host that does not read; shared, so that it is held once. */
const LARGE: EgressOutcome = {
  kind: "response",
  status: 200,
  reason: "OK",
  headers: [],
  body: new Uint8Array(16 << 20),
};

Deno.test("hostile: a host that has been taken over is killed for what it sends", async (t) => {
  await using hosts = await openTestHosts({ hostModule: LYING_HOST });
  const kills: string[] = [];
  hosts.onKill(({ server, reason }) => kills.push(`${server}: ${reason}`));
  const bystander = await hosts.open(sessionInput("", { server: "other", entrypoint: "honest" }));
  const [bystanderPid] = hosts.stats().pids;

  for (const [lie, reason] of [...LIES.map((lie) => [lie, "protocol"] as const), ...OTHERS]) {
    await t.step(lie, async () => {
      const { ended, onEnd } = watchEnd();
      const opening = hosts.open(sessionInput("", {
        server: lie,
        entrypoint: lie,
        onEnd,
        http: () =>
          lie.includes("reads no answer") ? Promise.resolve(LARGE) : new Promise(() => {}),
        ask: () => new Promise(() => {}),
      }));
      const pid = hosts.stats().pids.find((candidate) => candidate !== bystanderPid)!;
      const session = await opening;
      assertEquals(await ended, reason);
      assertMatch(await callTool(session, "x"), new RegExp(`^\\[ended: ${reason}\\] .`));
      await until(() => hosts.stats().hosts === 1);
      assertEquals(await processorSeconds(pid), null);
      assertEquals(hosts.stats().pids, [bystanderPid]);
      // One that only says its session is over is not to blame, and ends as the last one leaves.
      const isEnd = lie === "that it is closed";
      assertEquals(kills.splice(0), isEnd ? [] : [`${lie}: ${reason}`]);
    });
  }
  assert(bystander.load.kind === "loaded");
  await bystander.close();
});

Deno.test("hostile: a host that speaks before it may never gets a session", async (t) => {
  const lies = ["an event", "an outcome", "an HTTP request", "a result", "a question"];
  for (const lie of [...lies, "a boot of another session"]) {
    await t.step(lie, async () => {
      const hostModule = new URL(LYING_HOST);
      hostModule.searchParams.set("boot", lie);
      await using hosts = await openTestHosts({ hostModule });
      const opening = hosts.open(sessionInput(""));
      const [pid] = hosts.stats().pids;
      await assertRejects(() => opening, AppError, "could not be started");
      assertEquals(hosts.stats().hosts, 0);
      assertEquals(await processorSeconds(pid!), null);
    });
  }
});

Deno.test("hostile: a host that says nothing is killed at the deadline", async () => {
  await using hosts = await openTestHosts({
    hostModule: LYING_HOST,
    loadDeadlineMs: 500,
    interruptGraceMs: 100,
  });
  const { ended, onEnd } = watchEnd();
  const session = await hosts.open(sessionInput("", { entrypoint: "silence", onEnd }));
  assertEquals(await ended, "timeout");
  assertMatch(await callTool(session, "x"), /^\[ended: timeout\] ./);
});

Deno.test("hostile: a lie costs the sessions of that host, and each is told why", async () => {
  await using hosts = await openTestHosts({ hostModule: LYING_HOST });
  const neighbour = watchEnd();
  const input = { server: "a", entrypoint: "honest", onEnd: neighbour.onEnd };
  const beside = await hosts.open(sessionInput("", input));
  const call = callTool(beside, "never answered");
  const lie = { server: "a", entrypoint: "a result nobody asked for" };
  await hosts.open(sessionInput("", lie));
  assertEquals(await neighbour.ended, "crashed");
  assertMatch(await call, /^\[ended: crashed\] .*another session of yours/);
});

Deno.test("hostile: a session that does not boot beside others begins in another host", async () => {
  await using hosts = await openTestHosts({ hostModule: LYING_HOST });
  const reasons: EndReason[] = [];
  const open = () =>
    hosts.open(sessionInput("", {
      entrypoint: "honest",
      onEnd: (reason) => reasons.push(reason),
    }));
  const sessions = [await open(), await open()];
  assertEquals(hosts.stats().hosts, 1);
  // The third of a lying host does not boot.
  sessions.push(await open());
  assertEquals([hosts.stats().sessions, hosts.stats().hosts, reasons.length], [3, 2, 0]);
  await Promise.all(sessions.map((session) => session.close()));
  await until(() => hosts.stats().hosts === 0);
});

Deno.test("hostile: a session that boots nowhere is 503", async () => {
  const hostModule = new URL(LYING_HOST);
  hostModule.searchParams.set("boot", "an end");
  await using hosts = await openTestHosts({ hostModule });
  const error = await assertRejects(
    () => hosts.open(sessionInput("")),
    AppError,
    "could not be started",
  );
  assertEquals([error.status, error.headers["Retry-After"]], [503, "5"]);
  assertEquals(hosts.stats().sessions, 0);
  await until(() => hosts.stats().hosts === 0);
});
