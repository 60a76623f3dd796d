import { assert, assertEquals } from "@std/assert";
import { openTestHosts, sessionInput } from "../../helpers/interpreter.ts";

const FIXTURE = new URL("../../fixtures/pydantic/", import.meta.url);

async function fixture(name: string) {
  return JSON.parse(await Deno.readTextFile(new URL(name, FIXTURE)));
}

Deno.test("tools with pydantic's types answer as under the official SDK, text for text", async () => {
  const recorded = await fixture("recorded.json");
  await using hosts = await openTestHosts();
  const session = await hosts.open(
    sessionInput(await Deno.readTextFile(new URL("server.py", FIXTURE))),
  );
  assertEquals(session.load.kind, "loaded", JSON.stringify(session.load));
  async function ask(method: string, params: unknown) {
    const outcome = await session.request(method, params, { deadlineMs: 600_000, requestId: 1 });
    assert(outcome.kind === "result", JSON.stringify(outcome));
    // deno-lint-ignore no-explicit-any -- results have many shapes
    return outcome.result as any;
  }
  const faults: unknown[] = [];
  function compare(what: string, actual: unknown, expected: unknown) {
    try {
      assertEquals(actual, expected);
    } catch {
      faults.push([what, actual, expected]);
    }
  }
  const { tools } = await ask("tools/list", {});
  for (const [i, tool] of recorded.tools.entries()) compare(tool.name, tools[i], tool);
  const calls = await fixture("calls.json") as [string, unknown][];
  for (const [i, [name, args]] of calls.entries()) {
    const answer = await ask("tools/call", { name, arguments: args });
    compare(`${name}(${JSON.stringify(args)})`, answer, recorded.answers[i]);
  }
  compare("resource", await ask("resources/read", { uri: "people://Kim" }), recorded.resource);
  assertEquals(faults.map((fault) => JSON.stringify(fault, null, 1)), []);
});
