/**
 * Every bar of Berth's speed in one run, the peer beside it: `deno task bench speed [--only NAME]…
 * [--quick]`. Peers are the official Python SDK in CPython (`TEST_MCP_PYTHON`), a bare Hono handler,
 * and the programs of the scan's stages (`BENCH_STAGE_TOOLS`); without one its column says so.
 * Linux only. docs/performance.md has the latest figures.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { callsBar } from "./speed/calls.ts";
import { listsBar } from "./speed/lists.ts";
import { manyBar } from "./speed/many.ts";
import { idleBar, memoryBar } from "./speed/memory.ts";
import { packagesBar } from "./speed/packages.ts";
import { registrationBar } from "./speed/registration.ts";
import { coldBar, initializeBar, togetherBar } from "./speed/starts.ts";
import { type Bar, type Row, type Scale, tableOf } from "./speed/table.ts";

const BARS: readonly Bar[] = [
  initializeBar,
  togetherBar,
  coldBar,
  memoryBar,
  idleBar,
  callsBar,
  manyBar,
  listsBar,
  registrationBar,
  packagesBar,
];

const ROUNDS = 9;
const QUICK_ROUNDS = 3;

function print(text: string, stream: typeof Deno.stdout | typeof Deno.stderr): void {
  stream.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** A measurement that fails takes none of the others with it. */
async function rowsOf(bar: Bar, scale: Scale): Promise<Row[]> {
  print(`measuring ${bar.name}`, Deno.stderr);
  try {
    return await bar.measure(scale);
  } catch (error) {
    print(String(error instanceof Error ? error.stack : error), Deno.stderr);
    return [{ what: bar.name, berth: "failed", peer: "", ratio: "", bar: "", isReached: false }];
  }
}

const { values: { only = [], quick = false } } = parseArgs({
  options: { only: { type: "string", multiple: true }, quick: { type: "boolean" } },
});
const unknown = only.filter((name) => !BARS.some((bar) => bar.name === name));
if (unknown.length > 0) {
  print(
    `No such bar: ${unknown.join(", ")}. ${BARS.map(({ name }) => name).join(", ")}`,
    Deno.stderr,
  );
  Deno.exit(2);
}
const rows: Row[] = [];
for (const bar of BARS.filter(({ name }) => only.length === 0 || only.includes(name))) {
  const measured = await rowsOf(bar, { quick, rounds: quick ? QUICK_ROUNDS : ROUNDS });
  print(tableOf(measured), Deno.stderr);
  rows.push(...measured);
}
print(tableOf(rows), Deno.stdout);
Deno.exit(rows.some(({ berth }) => berth === "failed") ? 1 : 0);
