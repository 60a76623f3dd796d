/**
 * Which share of the processors real hosts get; only where the kernel groups processes by session.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { openHosts, server, sessionInput, testWalls, until } from "../../helpers/interpreter.ts";
import { inputOf } from "../../helpers/plain_json.ts";
import { textOf } from "../../helpers/processes.ts";

const WAITING = 10;
const SERVER = server(`
@tool
def nothing() -> None:
    return None
`);

async function shareOf(pid: number): Promise<number | null> {
  const found = /nice (-?\d+)/.exec(await textOf(`/proc/${pid}/autogroup`))?.[1];
  return found === undefined ? null : Number(found);
}

Deno.test({
  name: "hosts have a small share until a client waits for them",
  ignore: await shareOf(Deno.pid) === null,
  async fn() {
    await using hosts = await openHosts({ maxSessions: 4, warmSessions: 2 });
    const { niceness } = await testWalls();
    await until(() => hosts.stats().warm === 2);
    const shares = await Promise.all(hosts.stats().pids.map(shareOf));
    assertEquals(shares, [WAITING, WAITING]);

    const spare = await hosts.openSpare(inputOf(sessionInput(SERVER, { client: "user ada" })));
    assertEquals(await shareOf(spare.pid), WAITING);
    spare.adopt("user ada");
    await until(async () => await shareOf(spare.pid) === niceness);

    await until(() => hosts.stats().warm >= 1);
    const session = await hosts.open(inputOf(sessionInput(SERVER, { client: "user bob" })));
    await until(async () => await shareOf(session.pid) === niceness);
    for (const one of [spare, session]) await one.close();
  },
});
