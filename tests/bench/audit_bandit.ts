// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Stage 5 against bandit on real packages, each folder of `FOLDER` being one:
 * `deno run -A tests/bench/audit_bandit.ts FOLDER [bandit] [--misses] [--extras]`.
 *
 * A finding of bandit counts as found when one of ours is on its lines; `same weakness` counts those
 * with the same category. Ours of medium or worse are extra when bandit has none that severe there.
 * Findings of bandit are kept beside each package, so that a second run need not wait for them.
 *
 * @module
 */
import { z } from "zod";
import type { RawFinding } from "../../workers/analysis/finding.ts";
import { analyse } from "../../workers/analysis/audit/mod.ts";
import { filesBelow } from "./folders.ts";

const Found = z.object({
  results: z.array(z.object({
    filename: z.string(),
    test_id: z.string(),
    issue_severity: z.enum(["LOW", "MEDIUM", "HIGH", "UNDEFINED"]),
    issue_cwe: z.object({ id: z.number().optional() }),
    line_number: z.number(),
    line_range: z.array(z.number()),
    issue_text: z.string(),
  })),
});
type Theirs = z.infer<typeof Found>["results"][number];

const [root, bandit = "bandit"] = Deno.args.filter((each) => !each.startsWith("--"));
if (root === undefined) throw new Error("Give a folder that holds one folder for each package");
const show = { misses: Deno.args.includes("--misses"), extras: Deno.args.includes("--extras") };

async function theirs(folder: string): Promise<Theirs[]> {
  const kept = `${folder}.bandit.json`;
  try {
    return Found.parse(JSON.parse(await Deno.readTextFile(kept))).results;
  } catch {
    const args = ["-r", "-q", "-f", "json", "--ignore-nosec", "-o", kept, folder];
    await new Deno.Command(bandit, { args, stdout: "null", stderr: "null" }).output();
    return Found.parse(JSON.parse(await Deno.readTextFile(kept))).results;
  }
}

async function ours(folder: string): Promise<RawFinding[]> {
  const files = filesBelow(folder);
  const source = new Map([...files].filter(([path]) => path.endsWith(".py")));
  const { code } = await analyse({
    lang: "python",
    entrypoint: [...source.keys()][0] ?? "",
    files: source,
    options: {},
    threads: 1,
    begin: () => {},
    refuse: (file, reason) => console.log(`refused ${folder}/${file}: ${reason}`),
  }) as { code: RawFinding[] };
  return code;
}

const tests = new Map<string, { of: number; found: number; same: number }>();
const extras = new Map<string, number>();
let [total, found, same, extra, grave] = [0, 0, 0, 0, 0];
let [packages, bandits, berths] = [0, 0, 0];
for (const { name } of [...Deno.readDirSync(root)].filter(({ isDirectory }) => isDirectory)) {
  const folder = `${root}/${name}`;
  let started = performance.now();
  const all = await theirs(folder);
  bandits += performance.now() - started;
  started = performance.now();
  const mine = await ours(folder);
  berths += performance.now() - started;
  packages++;
  const byFile = Map.groupBy(mine, ({ file }) => file);
  const graveLines = new Set<string>();
  for (const each of all) {
    const path = each.filename.slice(folder.length + 1);
    if (!["HIGH", "MEDIUM"].includes(each.issue_severity)) continue;
    for (const line of [each.line_number, ...each.line_range]) graveLines.add(`${path}:${line}`);
    if (each.test_id === "B101") continue;
    const from = Math.min(each.line_number, ...each.line_range);
    const to = Math.max(each.line_number, ...each.line_range);
    const there = (byFile.get(path) ?? []).filter(({ line, end_line }) =>
      line <= to && end_line >= from
    );
    const key = `${each.test_id} ${each.issue_severity}`;
    const entry = tests.get(key) ?? { of: 0, found: 0, same: 0 };
    tests.set(key, entry);
    const isSame = there.some(({ cwe }) => cwe === `CWE-${each.issue_cwe.id}`);
    total++;
    entry.of++;
    if (there.length > 0) [found, entry.found] = [found + 1, entry.found + 1];
    if (isSame) [same, entry.same] = [same + 1, entry.same + 1];
    else if (show.misses) {
      const by = there.map(({ rule, cwe }) => `${rule}/${cwe}`).join(" ");
      console.log(`${key} ${folder}/${path}:${each.line_number} [${by}]`);
    }
  }
  for (const each of mine) {
    if (!["critical", "high", "medium"].includes(each.severity)) continue;
    grave++;
    let known = false;
    for (let line = each.line; line <= each.end_line; line++) {
      known ||= graveLines.has(`${each.file}:${line}`);
    }
    if (known) continue;
    extra++;
    extras.set(each.rule, (extras.get(each.rule) ?? 0) + 1);
    if (show.extras) console.log(`extra ${each.rule} ${folder}/${each.file}:${each.line}`);
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
console.table(
  [...tests].sort(([a], [b]) => a < b ? -1 : 1).map(([test, counts]) => ({ test, ...counts })),
);
console.table([...extras].sort((a, b) => b[1] - a[1]).map(([rule, count]) => ({ rule, count })));
console.log(`${packages} packages, ${total} findings of bandit with high or medium severity`);
console.log(
  `found on the same lines ${percent(found / total)}, same weakness ${percent(same / total)}`,
);
console.log(`extra ${extra} of ${grave} of ours (${percent(extra / grave)})`);
console.log(`bandit ${Math.round(bandits / 1000)} s, stage 5 ${Math.round(berths / 1000)} s`);
