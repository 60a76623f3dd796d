import { assertEquals } from "@std/assert";
import { Interpreter } from "../../workers/python/pyodide.ts";
import {
  deliberateDifferences,
  type Difference,
  RECORDED_3,
  recordings,
  replay,
  type Tally,
} from "./replay.ts";
import { inProcess, inSessions, type Target } from "./targets.ts";

const deliberate = await deliberateDifferences();
const names = await recordings();
/** Cases that import packages, which only sessions have. */
const PACKAGED = /_(openapi|fastapi_app)_/;

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

Deno.test("the runtime answers as the SDKs on CPython, but for what is meant to differ", async () => {
  const target = inProcess(await Interpreter.boot());
  const alone = names.filter((name) => !PACKAGED.test(name));
  const tally = await run("Berth's own validation", target, alone);
  assertEquals(shown(tally.different), []);
  // Each rule has its use: one that matches nothing any more is to be taken out.
  const reasons = new Set(deliberate.map(({ reason }) => reason));
  assertEquals([...reasons].filter((reason) => !tally.deliberate.has(reason)), []);
});

Deno.test("a server that requires FastMCP 3 is answered as that does", async () => {
  const target = inProcess(await Interpreter.boot());
  const only3 = await deliberateDifferences("differences3.json");
  const tally = emptyTally();
  for (const name of await recordings(RECORDED_3)) {
    await replay(target, name, [...deliberate, ...only3], tally, RECORDED_3);
  }
  await target.close();
  report("FastMCP 3", tally);
  assertEquals(shown(tally.different), []);
  const unused = only3.filter(({ reason }) => !tally.deliberate.has(reason));
  assertEquals(unused, []);
});

Deno.test("the runtime answers as the SDKs when the server brings the real pydantic", async () => {
  // Importing it costs a second a session; tests/bench/differential.ts replays all.
  const importing = names.filter((name) =>
    /_(models_mcp|returns_fastmcp)\.json/.test(name) || PACKAGED.test(name)
  );
  const tally = await run("The real pydantic", await inSessions(), importing);
  assertEquals(shown(tally.different), []);
});
