// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Stage 3's readers of lock files against the fixtures of OSV-Scanner's library:
 * `deno run -A tests/bench/lockfile_fixtures.ts FOLDER [RECORDS]`, where `FOLDER` is
 * `extractor/filesystem/language` of a checkout of osv-scalibr and `RECORDS` are advisories in OSV
 * format (`.jsonl.gz`, zip or folder). What each fixture holds is read from the tables of its tests;
 * packages and versions must be the same, and the advisories those that list a version of the table.
 * Every difference is printed.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { normalName } from "../../workers/analysis/advisories/ecosystem.ts";
import type { Ecosystem } from "../../workers/analysis/advisories/ecosystem.ts";
import { judge } from "../../workers/analysis/advisories/judge.ts";
import type { OsvRecord } from "../../workers/analysis/advisories/osv_schema.ts";
import { readManifests } from "../../workers/analysis/manifests/manifests.ts";
import type { Requirement } from "../../workers/analysis/manifests/requirement.ts";
import { readAdvisories } from "../helpers/advisory_service.ts";

const [root, path] = Deno.args;
if (root === undefined) throw new Error("Give the folder extractor/filesystem/language");

/** Folders of fixtures, and the name under which a file of that kind is read. */
const KINDS: [folder: string, name: string, ecosystem: Ecosystem][] = [
  ["python/poetrylock", "poetry.lock", "PyPI"],
  ["python/pdmlock", "pdm.lock", "PyPI"],
  ["python/pipfilelock", "Pipfile.lock", "PyPI"],
  ["python/uvlock", "uv.lock", "PyPI"],
  ["python/pylock", "pylock.toml", "PyPI"],
  ["python/requirements", "requirements.txt", "PyPI"],
  ["javascript/packagelockjson", "package-lock.json", "npm"],
  ["javascript/pnpmlock", "pnpm-lock.yaml", "npm"],
  ["javascript/yarnlock", "yarn.lock", "npm"],
  ["javascript/bunlock", "bun.lock", "npm"],
  ["golang/gomod", "go.mod", "Go"],
  ["rust/cargolock", "Cargo.lock", "crates.io"],
];

interface Fixture {
  path: string;
  /** `name version` of each package; null where the reader is to refuse the file. */
  packages: string[] | null;
}

/** The fixtures that the table of a Go test names, with what it wants of them. */
function fixturesIn(test: string): Fixture[] {
  const found: Fixture[] = [];
  const parts = test.split(/^\t{3,4}[Pp]ath:\s+"(testdata\/[^"]+)"/m).slice(1);
  for (let i = 0; i < parts.length; i += 2) {
    const [path, body] = [parts[i]!, parts[i + 1]!];
    const wanted = /[Ww]antPackages:\s+(nil|\[\]\*extractor\.Package\{([\s\S]*?)\n\t{3}\}|\[\])/
      .exec(body);
    if (wanted === null) continue;
    const refused = wanted[1] === "nil" && /WantErr:\s+extracttest/.test(body);
    const packages = [...(wanted[2] ?? "").matchAll(
      /^\t{5}Name:\s+"([^"]*)",(?:\s+Version:\s+"([^"]*)",)?|\bpkg\(t, "([^"]*)", "([^"]*)"/gm,
    )].map(([, name, version = "", short, shortVersion]) =>
      name === undefined ? `${short} ${shortVersion}` : `${name} ${version}`.trim()
    );
    found.push({ path, packages: refused ? null : packages });
  }
  return found;
}

/** `name version`, as far as the file says a version; of Go's standard library the least one. */
function shown({ name, allowed }: Requirement): string {
  if (allowed.kind === "exact") return `${name} ${allowed.version}`;
  const least = allowed.kind === "range"
    ? /^>=([\d.]+?)(?:\.0)?$/.exec(allowed.ranges[0] ?? "")
    : null;
  return name === "stdlib" && least !== null ? `${name} ${least[1]}` : name;
}

/** The files beside a fixture at `path` that its kind of file goes with. */
function siblingsOf(path: string, content: Uint8Array): [string, Uint8Array][] {
  const folder = dirname(path);
  const names: [there: string, here: string][] = [
    [basename(path).replace(/\.mod$/, ".sum"), "go.sum"],
    ["npm-shrinkwrap.json", "npm-shrinkwrap.json"],
    ...[...new TextDecoder().decode(content).matchAll(/^-[rc] (\S+\.txt)$/gm)]
      .map(([, included]): [string, string] => [included!, included!]),
  ];
  return names.filter(([there]) => there !== basename(path)).flatMap(([there, here]) => {
    try {
      return [[here, Deno.readFileSync(`${folder}/${there}`)]];
    } catch {
      return [];
    }
  });
}

/** Records by `ecosystem name`. */
const records = new Map<string, OsvRecord[]>();
for (const record of path === undefined ? [] : await readAdvisories(path)) {
  for (const { package: about } of record.affected ?? []) {
    const key = about &&
      `${about.ecosystem} ${normalName(about.ecosystem as Ecosystem, about.name)}`;
    if (key) records.set(key, [...records.get(key) ?? [], record]);
  }
}

/** Ids of the records that list this version of the table. */
function listed(ecosystem: Ecosystem, text: string): string[] {
  const [name = "", version = ""] = text.split(" ");
  return (records.get(`${ecosystem} ${name}`) ?? []).filter(({ affected, withdrawn }) =>
    !withdrawn &&
    affected?.some(({ package: about, versions }) =>
      about && normalName(ecosystem, about.name) === name && versions?.includes(version)
    )
  ).map(({ id }) => id);
}

/** Ids of stage 3 by package and version, with their aliases. */
function judged(requirements: readonly Requirement[]): Map<string, Set<string>> {
  const exact = requirements.filter(({ allowed }) => allowed.kind === "exact");
  return new Map(exact.map((each) => {
    const about = records.get(`${each.ecosystem} ${each.name}`) ?? [];
    const hits = judge(each, about, new Map());
    return [shown(each), new Set(hits.flatMap(({ id, aliases }) => [id, ...aliases]))];
  }));
}

const rows: Record<string, string | number>[] = [];
for (const [folder, name, ecosystem] of KINDS) {
  const fixtures: Fixture[] = [];
  for (const { name: file } of Deno.readDirSync(`${root}/${folder}`)) {
    if (!file.endsWith("_test.go")) continue;
    fixtures.push(...fixturesIn(Deno.readTextFileSync(`${root}/${folder}/${file}`)));
  }
  const row = {
    kind: name,
    fixtures: 0,
    same: 0,
    packages: 0,
    missing: 0,
    extra: 0,
    advisories: 0,
    found: 0,
  };
  for (const { path, packages } of fixtures) {
    let content: Uint8Array;
    try {
      content = Deno.readFileSync(`${root}/${folder}/${path}`);
    } catch {
      continue;
    }
    const files = new Map([[name, content], ...siblingsOf(`${root}/${folder}/${path}`, content)]);
    const read = readManifests(files, "x", { begin() {}, refuse() {} });
    const { unreadable } = read;
    const requirements = read.requirements.filter(({ file }) => file !== "npm-shrinkwrap.json");
    const normal = (text: string) => {
      const [first = "", ...rest] = text.split(" ");
      return [normalName(ecosystem, first), ...rest].join(" ");
    };
    // A version of an address is none that a registry, or an advisory, knows.
    const away = new Set(
      requirements.filter(({ allowed }) => allowed.kind === "elsewhere").map(({ name }) => name),
    );
    const theirs = new Set(
      (packages ?? []).map(normal).map((each) => {
        const [first = ""] = each.split(" ");
        return away.has(first) ? first : each;
      }),
    );
    const ours = new Set(requirements.map(shown));
    const missing = [...theirs].filter((each) => !ours.has(each));
    const extra = [...ours].filter((each) => !theirs.has(each));
    const same = missing.length + extra.length === 0 &&
      (packages === null) === (unreadable.length > 0);
    row.fixtures++;
    row.packages += theirs.size;
    row.missing += missing.length;
    row.extra += extra.length;
    const found = judged(requirements);
    for (const key of theirs) {
      const ids = listed(ecosystem, key);
      row.advisories += ids.length;
      row.found += ids.filter((id) => found.get(key)?.has(id)).length;
      found.get(key)?.forEach((id) => {
        if (id.startsWith("PYSEC") && !ids.includes(id)) console.log(`  ${key}: besides ${id}`);
      });
    }
    if (same) row.same++;
    else {
      const problem = unreadable[0]?.problem ?? "";
      console.log(`${folder}/${path}: refused ${packages === null}/${problem !== ""} ${problem}`);
      if (missing.length > 0) console.log(`  missing: ${missing.slice(0, 12).join(", ")}`);
      if (extra.length > 0) console.log(`  extra: ${extra.slice(0, 12).join(", ")}`);
    }
  }
  rows.push(row);
}
console.table(rows);
