// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * What reading packages for malice says of wheels, and how much of a processor it takes:
 * `deno run -A tests/bench/package_malice.ts FOLDER`, with wheels as `pip download` leaves them.
 * Honest packages must have no findings.
 *
 * @module
 */
import { cpuUsage } from "node:process";
import { packWheel } from "../../workers/analysis/packages/pack.ts";
import { readPackage } from "../../workers/analysis/packages/reading.ts";
import { normalName } from "../../workers/analysis/advisories/ecosystem.ts";

const [folder] = Deno.args;
if (folder === undefined) throw new Error("Give a folder of wheels");

const wheels = [...Deno.readDirSync(folder)].map(({ name }) => name)
  .filter((name) => name.endsWith(".whl")).sort();
const took: { name: string; ms: number }[] = [];
let refused = 0;
let malicious = 0;
let partly = 0;
for (const file of wheels) {
  const [distribution, version] = file.split("-") as [string, string];
  const name = normalName("PyPI", distribution);
  const bytes = Deno.readFileSync(`${folder}/${file}`);
  const packed = packWheel(bytes, { name, version, symbols: "" });
  if (packed.kind === "refused") {
    refused++;
    console.log(`${file}: not packed, ${packed.reason}`);
    continue;
  }
  const before = cpuUsage();
  const { findings, unread } = await readPackage(Uint8Array.fromBase64(packed.content), name);
  const { user, system } = cpuUsage(before);
  took.push({ name, ms: (user + system) / 1000 });
  if (Deno.args.includes("--each")) console.log(`${file}: ${took.at(-1)!.ms.toFixed(0)} ms`);
  if (findings.length > 0) malicious++;
  if (unread.length > 0) partly++;
  for (const { rule, severity, title, file: path, line } of findings) {
    console.log(`${file}: ${severity} ${rule} ${path}:${line} ${title}`);
  }
  for (const path of unread.slice(0, 3)) console.log(`${file}: not read: ${path}`);
}
took.sort((a, b) => b.ms - a.ms);
const total = took.reduce((sum, { ms }) => sum + ms, 0);
console.log(
  `${took.length} packages read, ${malicious} with findings, ${partly} not completely, ` +
    `${refused} not packed; ${(total / 1000).toFixed(1)} s, slowest ` +
    took.slice(0, 8).map(({ name, ms }) => `${name} ${(ms / 1000).toFixed(1)} s`).join(", "),
);
