import { assertEquals } from "@std/assert";
import { Interpreter } from "../../workers/python/pyodide.ts";
import {
  deliberateDifferences,
  type Difference,
  recordings,
  replay,
  type Tally,
} from "./replay.ts";
import { inProcess, inSessions, type Target } from "./targets.ts";

const deliberate = await deliberateDifferences();
const names = await recordings();
/** Cases that import packages, which only sessions have. */
const PACKAGED = /_(openapi|fastapi_app)$/;

function emptyTally(): Tally {
  return { equal: 0, deliberate: new Map(), different: [] };
}

function report(what: string, tally: Tally): void {
  const apart = [...tally.deliberate.values()].reduce((sum, count) => sum + count, 0);
  const total = tally.equal + apart + tally.different.length;
  const share = (100 * tally.equal / total).toFixed(2);
  const told = `${tally.equal} of ${total} answers equal (${share} %), ${apart} meant to differ`;
  // deno-lint-ignore no-console -- the share is what this suite is for
  console.log(`${what}: ${told}, ${tally.different.length} not`);
}

function shown(differences: Difference[]): string[] {
  return differences.slice(0, 20).map(({ case: name, request, sdk, berth }) =>
    `${name} ${request}\n  sdk   ${sdk}\n  berth ${berth}`
  );
}

async function run(what: string, target: Target, chosen: string[]): Promise<Tally> {
  const tally = emptyTally();
  try {
    for (const name of chosen) await replay(target, name, deliberate, tally);
  } finally {
    await target.close();
  }
  report(what, tally);
  return tally;
}

const used = new Set<string>();

for (const version of new Set(names.map((name) => name.split("/")[0]!))) {
  Deno.test(`the runtime answers as ${version} on CPython, but for what is meant to differ`, async () => {
    const target = inProcess(await Interpreter.boot());
    const alone = names.filter((name) => name.startsWith(`${version}/`) && !PACKAGED.test(name));
    const tally = await run(`${version}, Berth's own validation`, target, alone);
    assertEquals(shown(tally.different), []);
    for (const reason of tally.deliberate.keys()) used.add(reason);
  });
}

Deno.test("each kind of answer that is meant to differ does", () => {
  // One that matches nothing any more is to be taken out.
  assertEquals(deliberate.map(({ reason }) => reason).filter((reason) => !used.has(reason)), []);
});

Deno.test("the runtime answers as the SDKs when the server brings the real pydantic", async () => {
  // Importing it costs a second a session; tests/bench/differential.ts replays all.
  const importing = names.filter((name) =>
    /^(mcp_1\/both_models|fastmcp_2\/both_returns)$/.test(name) || PACKAGED.test(name)
  );
  const tally = await run("The real pydantic", await inSessions(), importing);
  assertEquals(shown(tally.different), []);
});
