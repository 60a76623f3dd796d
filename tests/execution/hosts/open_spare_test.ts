/**
 * Sessions that begin before their clients come, in real hosts.
 *
 * @module
 */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { callTool, openHosts, server, sessionInput, until } from "../../helpers/interpreter.ts";
import { inputOf, plainSession } from "../../helpers/plain_json.ts";

const COUNTING = server(`
import random
drawn = random.random()
calls = 0
@tool
def count() -> str:
    global calls
    calls += 1
    return str(calls)
@tool
def lot() -> str:
    return str(drawn)
`);

Deno.test("a spare session is nobody's until a client takes it, and then only that client's", async () => {
  await using hosts = await openHosts({ maxSessions: 4 });
  const input = inputOf(sessionInput(COUNTING, { client: "user ada" }));
  const [first, second] = [await hosts.openSpare(input), await hosts.openSpare(input)];
  assertEquals([hosts.stats().sessions, hosts.room()], [0, 2]);
  assertEquals(first.pid === second.pid, false);
  // The client of a spare session has none yet: no session joins its host.
  const other = await hosts.open(input);
  assertEquals([first.pid, second.pid].includes(other.pid), false);

  first.adopt("user ada");
  second.adopt("user bob");
  assertEquals([hosts.stats().sessions, hosts.room()], [3, 1]);
  const [ada, bob] = [plainSession(first), plainSession(second)];
  assertEquals([await callTool(ada, "count"), await callTool(ada, "count")], ["1", "2"]);
  assertEquals(await callTool(bob, "count"), "1");
  // What was drawn while it started is its own.
  assertEquals(await callTool(ada, "lot") === await callTool(bob, "lot"), false);

  // The next session of the client goes where one of its own is, never to the other's.
  const next = await hosts.open({ ...input, client: "user bob" });
  assertEquals(next.pid, second.pid);
  for (const session of [first, second, other, next]) await session.close();
  assertEquals([hosts.stats().sessions, hosts.room()], [0, 4]);
});

Deno.test("spare sessions take no place from sessions, and are refused when there is none for them", async () => {
  await using hosts = await openHosts({ maxSessions: 1 });
  const input = inputOf(sessionInput(COUNTING));
  const spare = await hosts.openSpare(input);
  assertEquals([hosts.room(), hosts.mayOpenSpare()], [0, false]);
  const session = await hosts.open(input);
  assertEquals([hosts.room(), hosts.mayOpenSpare()], [-1, false]);
  assertMatch(
    assertThrows(() => spare.adopt("user ada"), AppError).message,
    /\(MAX_SESSIONS\)/,
  );
  await session.close();
  spare.adopt("user ada");
  assertEquals(await callTool(plainSession(spare), "count"), "1");
  await spare.close();
  assertEquals(hosts.room(), 1);
});

Deno.test("a spare session whose process dies is told so, and is no room any more", async () => {
  await using hosts = await openHosts({ maxSessions: 1 });
  const reasons: string[] = [];
  const spare = await hosts.openSpare(
    inputOf(sessionInput(COUNTING, { onEnd: (reason) => reasons.push(reason) })),
  );
  Deno.kill(spare.pid, "SIGKILL");
  await until(() => reasons.length > 0);
  assertEquals([reasons, hosts.room()], [["crashed"], 1]);
});
