import { assert, assertEquals } from "@std/assert";
import { COMPILED, linkedPackage } from "../../helpers/compiled_package.ts";
import { callTool, openTestHosts, server, sessionInput } from "../../helpers/interpreter.ts";
import { givenPackages } from "../../packages/sessions.ts";

const ROOM = { soonMs: 1000, maxBytes: 64 * 1024 * 1024 };

Deno.test("a session that has loaded its own compiled packages is parked and goes on, again and again", async () => {
  const { given } = await givenPackages([COMPILED], "compiled\n");
  await using hosts = await openTestHosts();
  const input = sessionInput(
    server(`
from compiled import first, second
kept = first.refuse

@tool
def run() -> str:
    try:
        kept(None)
    except BlockingIOError as error:
        refused = str(error)
    same = first.place_of_lent(None) == second.place_of_lent(None)
    return f"{first.count(None)} {first.lines('a')} {refused} {same} {first.caught(None)}"
`),
    { packages: given },
  );
  const said = (count: number) => `${count} ['a'] refused by compiled code True 7`;
  let session = await hosts.open(input);
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  assertEquals(await callTool(session, "run"), said(1));
  for (const count of [2, 3]) {
    const outcome = await session.park(ROOM);
    assert(outcome.kind === "parked", JSON.stringify(outcome).slice(0, 300));
    session = await hosts.open({ ...input, parked: outcome.state });
    assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
    assertEquals(await callTool(session, "run"), said(count));
  }
});

Deno.test("a session whose compiled module needs a library stays where it is", async () => {
  const { given } = await givenPackages([linkedPackage()], "linked\n");
  await using hosts = await openTestHosts();
  const source = server(`
from linked import third

@tool
def run() -> str:
    return str(third.base(None))
`);
  const session = await hosts.open(sessionInput(source, { packages: given }));
  const outcome = await session.park(ROOM);
  assertEquals(outcome.kind === "stays" ? outcome.reason : outcome.kind, "library");
  assertEquals(await callTool(session, "run"), "41");
});
