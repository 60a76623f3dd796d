/**
 * `tools/call` on an empty tool, Berth beside the official Python SDK: `tests/bench/speed/calls.ts`
 * with the numbers of connections in `BENCH_CONNECTIONS`. It prints its own table.
 *
 * @module
 */
import { measureCalls, withBoth } from "./speed/calls.ts";
import { PYTHON } from "./speed/sdk.ts";

const CONNECTIONS = (Deno.env.get("BENCH_CONNECTIONS") ?? "1,32").split(",").map(Number);

function print(line: string): void {
  // deno-lint-ignore no-console -- the table is what this file is for.
  console.log(line);
}

if (PYTHON === undefined) print("empty_tool_bench: TEST_MCP_PYTHON is not set");
else {
  await withBoth(async (sides) => {
    for (const count of CONNECTIONS) {
      const figures = await measureCalls(count, sides, { rounds: 5, roundMs: 2000 });
      for (const [index, { median, p99, perSecond, processor }] of figures.entries()) {
        print(
          `${String(count).padStart(3)} connections  ${["Berth", "SDK"][index]!.padEnd(6)}` +
            `${median.toFixed(2).padStart(8)} ms median ${p99.toFixed(2).padStart(8)} ms p99 ` +
            `${perSecond.toFixed(0)} /s  ${processor.toFixed(2)} ms of processor time each`,
        );
      }
    }
  });
}
