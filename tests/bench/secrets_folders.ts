// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Speed and finds of stage 4 on real packages: each folder of `FOLDER` is one. Whether a find is
 * true is for people to say, so all are printed:
 * `deno run -A tests/bench/secrets_folders.ts FOLDER`.
 *
 * @module
 */
import process from "node:process";
import { analyse } from "../../workers/analysis/secrets/mod.ts";
import { filesBelow } from "./folders.ts";

const [root] = Deno.args;
if (root === undefined) throw new Error("Give a folder that holds one folder for each package");
let bytes = 0;
let seconds = 0;
let packages = 0;
let withFinds = 0;
for (const entry of [...Deno.readDirSync(root)].filter(({ isDirectory }) => isDirectory)) {
  const files = filesBelow(`${root}/${entry.name}`);
  for (const content of files.values()) bytes += content.length;
  const before = process.cpuUsage();
  const { secrets } = await analyse({
    lang: "python",
    entrypoint: "",
    files,
    options: {},
    threads: 1,
    begin: () => {},
    refuse: () => {},
  });
  const { user, system } = process.cpuUsage(before);
  seconds += (user + system) / 1e6;
  packages++;
  const real = secrets.filter(({ severity }) => severity !== "info");
  if (real.length > 0) withFinds++;
  for (const { kind, file, line, masked } of real) {
    console.log(`${entry.name}: ${kind} ${file}:${line} ${masked}`);
  }
}
const rate = bytes / 1e6 / seconds;
console.log(`${packages} packages, ${withFinds} with finds`);
console.log(`${(bytes / 1e6).toFixed(1)} MB, ${rate.toFixed(1)} MB for each processor second`);
