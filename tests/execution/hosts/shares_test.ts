/**
 * Which share of the processors real hosts get, where the kernel groups processes by session, and
 * that they run all the same where it does not.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { openHosts, server, sessionInput, testWalls, until } from "../../helpers/interpreter.ts";
import { inputOf } from "../../helpers/plain_json.ts";
import { groupNiceness, groupsSessions } from "../../helpers/processes.ts";

const WAITING = 10;
const SERVER = server(`
@tool
def nothing() -> None:
    return None
`);

Deno.test({
  name:
    "hosts have a small share until a client waits for them, where the kernel shares by session",
  async fn() {
    const grouped = await groupsSessions();
    const waiting = grouped ? WAITING : null;
    await using hosts = await openHosts({ maxSessions: 4, warmSessions: 2 });
    const whole = grouped ? (await testWalls()).niceness : null;
    await until(() => hosts.stats().warm === 2);
    const shares = await Promise.all(hosts.stats().pids.map(groupNiceness));
    assertEquals(shares, [waiting, waiting]);

    const spare = await hosts.openSpare(inputOf(sessionInput(SERVER, { client: "user ada" })));
    assertEquals(await groupNiceness(spare.pid), waiting);
    spare.adopt("user ada");
    await until(async () => await groupNiceness(spare.pid) === whole);

    await until(() => hosts.stats().warm >= 1);
    const session = await hosts.open(inputOf(sessionInput(SERVER, { client: "user bob" })));
    await until(async () => await groupNiceness(session.pid) === whole);
    for (const one of [spare, session]) await one.close();

    // No host waits in this pool, so that a spare session starts its own.
    await using bare = await openHosts({ maxSessions: 2, warmSessions: 0 });
    const own = await bare.openSpare(inputOf(sessionInput(SERVER, { client: "user ada" })));
    assertEquals(await groupNiceness(own.pid), waiting);
    own.adopt("user ada");
    await until(async () => await groupNiceness(own.pid) === whole);
    await own.close();
  },
});
