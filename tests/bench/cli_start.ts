/**
 * How long `berth` takes to start, against an empty Deno program in the same run; the wish is
 * that `--version` takes at most 2.5 times as long. Runs alternate, so that a busy machine slows both.
 *
 *   deno run -A tests/bench/cli_start.ts [rounds]
 *
 * @module
 */
import { commandLine } from "../../src/cli/command_line.ts";

const ROUNDS = Number(Deno.args[0] ?? 20);
const folder = await Deno.makeTempDir({ prefix: "berth-bench-" });
await Deno.writeTextFile(`${folder}/empty.ts`, "");
const berth = commandLine();

const CASES: Record<string, string[]> = {
  "an empty program": ["run", "--quiet", "--no-prompt", `${folder}/empty.ts`],
  "berth --version": [...berth.args, "--version"],
  "berth --help": [...berth.args, "--help"],
  "berth config path": [...berth.args, "config", "path"],
};

async function timeOf(args: string[]): Promise<number> {
  const begun = performance.now();
  const { success } = await new Deno.Command(berth.program, {
    args,
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(args.join(" "));
  return performance.now() - begun;
}

const times: Record<string, number[]> = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(CASES)) (times[name] ??= []).push(await timeOf(args));
}
await Deno.remove(folder, { recursive: true });

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

const empty = median(times["an empty program"]!);
// deno-lint-ignore no-console
console.table(Object.fromEntries(
  Object.entries(times).map(([name, values]) => [name, {
    "median ms": Math.round(median(values)),
    "fastest ms": Math.round(Math.min(...values)),
    "of an empty program": (median(values) / empty).toFixed(2),
  }]),
));
