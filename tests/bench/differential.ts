// deno-lint-ignore-file no-console -- it prints what it measures
/**
 * Replays every recording of the differential suite in real sessions of the full profile, where
 * servers that import pydantic get the real one:
 * `deno run -A tests/bench/differential.ts [pattern] [folder]`. The folder holds recordings of other
 * versions of the SDKs; of those an answer that differs is counted, not explained.
 *
 * @module
 */
import {
  deliberateDifferences,
  recordings,
  replay,
  type Tally,
} from "../execution/differential/replay.ts";
import { inSessions } from "../execution/differential/targets.ts";

const wanted = new RegExp(Deno.args[0] ?? "");
const folder = Deno.args[1] === undefined
  ? undefined
  : new URL(`${Deno.args[1]}/`, `file://${Deno.cwd()}/`);
const deliberate = await deliberateDifferences();
const target = await inSessions();
const tally: Tally = { equal: 0, deliberate: new Map(), different: [] };
for (const name of (await recordings(folder)).filter((name) => wanted.test(name))) {
  const before = { equal: tally.equal, different: tally.different.length };
  const started = performance.now();
  await replay(target, name, deliberate, tally, folder);
  const equal = tally.equal - before.equal;
  const different = tally.different.length - before.different;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${equal} equal, ${different} different, ${seconds} s`);
}
await target.close();
console.log(`${tally.equal} equal, ${tally.different.length} different; meant to differ:`);
for (const [reason, count] of tally.deliberate) console.log(`  ${count} ${reason}`);
for (const { case: name, request, sdk, berth } of tally.different.slice(0, 20)) {
  console.log(`${name} ${request}\n  sdk   ${sdk}\n  berth ${berth}`);
}
