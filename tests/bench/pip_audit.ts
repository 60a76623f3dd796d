// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Stage 3 against pip-audit on pinned requirements, with the same advisories:
 * `deno run -A tests/bench/pip_audit.ts PIP_AUDIT RECORDS [PACKAGES]`, where `RECORDS` are advisories
 * of PyPI in OSV format (`.jsonl.gz`, zip or folder).
 *
 * Of each of a number of packages a version that an advisory lists and one that it calls fixed are
 * required. pip-audit asks a service on loopback, which goes by the versions that the records list;
 * ours reads the records and goes by their ranges. An advisory is the same when an id or an alias is.
 *
 * @module
 */
import { valid } from "@renovatebot/pep440";
import { z } from "zod";
import { createLogger } from "../../src/log.ts";
import { normalName } from "../../workers/analysis/advisories/ecosystem.ts";
import { createOsvDatabase } from "../../src/scan/advisories/osv_database.ts";
import type { OsvRecord } from "../../workers/analysis/advisories/osv_schema.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { runDependencies } from "../../src/scan/stages/dependencies.ts";
import { readAdvisories } from "../helpers/advisory_service.ts";
import { scanInput } from "../scan/input.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

const [program, path, count = "400"] = Deno.args;
if (program === undefined || path === undefined) throw new Error("Give pip-audit and the records");

const records = await readAdvisories(path);
const byPackage = new Map<string, OsvRecord[]>();
for (const record of records) {
  for (const { package: about } of record.affected ?? []) {
    if (about?.ecosystem !== "PyPI") continue;
    const name = normalName("PyPI", about.name);
    byPackage.set(name, [...byPackage.get(name) ?? [], record]);
  }
}

function affectedOf(record: OsvRecord, name: string) {
  return (record.affected ?? []).filter(({ package: about }) =>
    about?.ecosystem === "PyPI" && normalName("PyPI", about.name) === name
  );
}

/** One version of the package that an advisory lists, and one that it calls fixed. */
function versionsOf(name: string, at: number): string[] {
  const parts = byPackage.get(name)!.flatMap((record) => affectedOf(record, name));
  const listed = parts.flatMap(({ versions }) => versions ?? []);
  const fixed = parts.flatMap(({ ranges }) =>
    (ranges ?? []).filter(({ type }) => type === "ECOSYSTEM")
      .flatMap(({ events }) => events.flatMap((event) => event.fixed ?? []))
  );
  const one = listed[(at * 7919) % Math.max(1, listed.length)];
  return [one, fixed.at(-1)].filter((version) => version !== undefined).filter((version) =>
    valid(version) !== null
  );
}

const names = [...byPackage.keys()].sort();
const step = Math.max(1, Math.floor(names.length / Number(count)));
const wanted = names.filter((_, index) => index % step === 0).slice(0, Number(count))
  .map((name, at) => ({ name, versions: versionsOf(name, at) }));

const service = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
  const { package: { name }, version } = await request.json() as {
    package: { name: string };
    version: string;
  };
  const normal = normalName("PyPI", name);
  const vulns = (byPackage.get(normal) ?? []).filter((record) =>
    affectedOf(record, normal).some(({ versions }) => versions?.includes(version))
  );
  return Response.json(vulns.length === 0 ? {} : { vulns });
});

const Answer = z.object({
  dependencies: z.array(z.object({
    name: z.string(),
    version: z.string().optional(),
    vulns: z.array(z.object({
      id: z.string(),
      aliases: z.array(z.string()),
      fix_versions: z.array(z.string()),
    })).optional(),
  })),
});

interface Told {
  ids: string[];
  fixed: string | null;
  fixes: string[];
}

/** pip-audit's advisories by `name version`. */
async function theirs(file: string): Promise<Map<string, Told[]>> {
  const { stdout, stderr } = await new Deno.Command(program!, {
    args: [
      ...["-s", "osv", "--osv-url", `http://127.0.0.1:${service.addr.port}/v1/query`],
      ...["--no-deps", "--disable-pip", "--progress-spinner", "off", "-f", "json", "-r", file],
    ],
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text === "") throw new Error(new TextDecoder().decode(stderr));
  return new Map(
    Answer.parse(JSON.parse(text)).dependencies.map(({ name, version, vulns = [] }) => [
      `${normalName("PyPI", name)} ${version}`,
      vulns.map(({ id, aliases, fix_versions }) => ({
        ids: [id, ...aliases],
        fixed: null,
        fixes: fix_versions,
      })),
    ]),
  );
}

const log = createLogger({ level: "error", format: "text", write: (line) => console.error(line) });
const advisories = createOsvDatabase(path, log);
const analysis = createAnalysis({ walls: NO_WALLS, log, processes: 1 });

/** Ours by `name version`. */
async function ours(requirements: string): Promise<Map<string, Told[]>> {
  const input = await scanInput({ "server.py": "", "requirements.txt": requirements });
  const deps = { advisories, analysis, now: () => new Date() };
  const { issues, error } = await runDependencies(deps, input, new AbortController().signal);
  if (error !== null) throw new Error(error.message);
  const found = new Map<string, Told[]>();
  for (const { package: name, requirement, rule, aliases, fixed_version } of issues) {
    const key = `${name} ${requirement.split("==")[1]}`;
    const told = { ids: [rule, ...aliases], fixed: fixed_version, fixes: [] };
    found.set(key, [...found.get(key) ?? [], told]);
  }
  return found;
}

const total = { packages: 0, theirs: 0, ours: 0, same: 0, missing: 0, extra: 0, fix: 0 };
// A requirements file has one version of a package.
for (const at of [0, 1]) {
  const pins = wanted.flatMap(({ name, versions }) =>
    versions[at] === undefined ? [] : [`${name}==${versions[at]}`]
  );
  const file = await Deno.makeTempFile({ suffix: ".txt" });
  await Deno.writeTextFile(file, `${pins.join("\n")}\n`);
  const [a, b] = [await theirs(file), await ours(pins.join("\n"))];
  total.packages += pins.length;
  for (const pin of pins) {
    const key = pin.replace("==", " ");
    const [left, right] = [a.get(key) ?? [], b.get(key) ?? []];
    const matches = (one: Told, all: Told[]) =>
      all.find(({ ids }) => ids.some((id) => one.ids.includes(id)));
    total.theirs += left.length;
    total.ours += right.length;
    for (const one of left) {
      const same = matches(one, right);
      if (same === undefined) {
        total.missing++;
        console.log(`missing ${key}: ${one.ids.join(", ")}`);
        continue;
      }
      total.same++;
      if (same.fixed === null ? one.fixes.length > 0 : !one.fixes.includes(same.fixed)) {
        total.fix++;
        console.log(`fix of ${key} ${one.ids[0]}: ${one.fixes.join(", ")}; ours ${same.fixed}`);
      }
    }
    for (const one of right) {
      if (matches(one, left) !== undefined) continue;
      total.extra++;
      console.log(`extra ${key}: ${one.ids.join(", ")}`);
    }
  }
}
await analysis.close();
await service.shutdown();
console.table([total]);
