// A script for people prints what it measured.
// deno-lint-ignore-file no-console
/**
 * Stage 3 against OSV-Scanner's own end-to-end tests:
 * `deno run -A tests/bench/lockfile_advisories.ts FOLDER`, where `FOLDER` is `cmd/osv-scanner` of a
 * checkout of OSV-Scanner.
 *
 * Its tests replay what the OSV service answered for the packages of a lock file, advisories by
 * package and version, and its snapshots say which files a test read and which ids are aliases. The
 * same answers are served on loopback as records, and stage 3 reads the same files: packages,
 * versions and ids must be the same, and ids that are aliases be one finding. Tests that read other
 * kinds of files with packages of these ecosystems are left out. Every difference is printed.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { load as parseYaml } from "js-yaml";
import { z } from "zod";
import { createLogger } from "../../src/log.ts";
import { normalName } from "../../workers/analysis/advisories/ecosystem.ts";
import type { Ecosystem } from "../../workers/analysis/advisories/ecosystem.ts";
import type { OsvRecord } from "../../workers/analysis/advisories/osv_schema.ts";
import { OsvService } from "../../src/scan/advisories/osv_service.ts";
import { createAnalysis } from "../../src/scan/analysis/analysis.ts";
import { runDependencies } from "../../src/scan/stages/dependencies.ts";
import { startAdvisoryService } from "../helpers/advisory_service.ts";
import { scanInput } from "../scan/input.ts";
import { NO_WALLS } from "../../src/sandbox/walls.ts";

const [root] = Deno.args;
if (root === undefined) throw new Error("Give the folder cmd/osv-scanner");

const ECOSYSTEMS: readonly Ecosystem[] = ["PyPI", "npm", "Go", "crates.io"];

/** Kinds of files, by names that the tests give them, and the name under which they are read. */
const KINDS: [theirs: RegExp, ours: string][] = [
  [/package-lock\.json$/, "package-lock.json"],
  [/yarn\.lock$/, "yarn.lock"],
  [/\.mod$/, "go.mod"],
  [/Cargo\.lock$/, "Cargo.lock"],
  [/uv\.lock$/, "uv.lock"],
  [/poetry\.lock$/, "poetry.lock"],
  [/pdm\.lock$/, "pdm.lock"],
  [/Pipfile\.lock$/, "Pipfile.lock"],
  [/pnpm-lock\.yaml$/, "pnpm-lock.yaml"],
];
const REQUIREMENTS = /requirements.*\.txt$/;
/** Other files that hold packages of our ecosystems. */
const MIXED = /\.(cdx|spdx)\.|^osv-scanner.*\.json$|^bun\.lock$|\.jar$|^gems\.locked$/;

const Cassette = z.object({
  interactions: z.array(z.object({
    request: z.object({
      url: z.string(),
      body: z.string().default(""),
      headers: z.record(z.string(), z.array(z.string())),
    }),
    response: z.object({ body: z.string() }),
  })),
});
const Queries = z.object({
  queries: z.array(z.object({
    package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
    version: z.string().optional(),
  })),
});
const Answers = z.object({
  results: z.array(z.object({
    vulns: z.array(z.object({ id: z.string() })).optional(),
    next_page_token: z.string().optional(),
  })),
});

/** What a test of theirs asked, and which files it had read. */
interface Recorded {
  /** Ids by `ecosystem name version`. */
  asked: Map<string, Set<string>>;
  files: Set<string>;
}

function below(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? below(`${folder}/${name}`) : [`${folder}/${name}`]
  );
}

/** A package as both sides name it. PEP 440: 1.0 is 1.0.0. */
function packageKey(ecosystem: Ecosystem, name: string, version: string): string {
  const plain = ecosystem === "PyPI" ? version.replace(/(\.0)+$/, "") : version.replace(/^v/, "");
  return `${ecosystem} ${normalName(ecosystem, name)} ${plain}`;
}

const tests = new Map<string, Recorded>();
/** The affected versions of each id. */
const records = new Map<string, OsvRecord>();
const aliases = new Map<string, Set<string>>();

function note(id: string, ecosystem: string, name: string, version: string): void {
  const record = records.get(id) ?? { id, affected: [] };
  records.set(id, record);
  record.affected!.push({ package: { ecosystem, name }, versions: [version] });
}

function readCassette(path: string): void {
  const { interactions } = Cassette.parse(
    parseYaml(Deno.readTextFileSync(path)),
  );
  for (const { request, response } of interactions) {
    const test = request.headers["X-Test-Name"]?.[0];
    if (!request.url.endsWith("/v1/querybatch") || test === undefined) continue;
    const key = `${dirname(dirname(dirname(path)))}\0${test}`;
    const recorded = tests.get(key) ?? { asked: new Map(), files: new Set() };
    tests.set(key, recorded);
    const { results } = Answers.parse(JSON.parse(response.body));
    for (const [at, query] of Queries.parse(JSON.parse(request.body)).queries.entries()) {
      const { package: about, version = "" } = query;
      const ecosystem = ECOSYSTEMS.find((each) => each === about?.ecosystem);
      if (about === undefined || ecosystem === undefined) continue;
      const ids = (results[at]?.vulns ?? []).map(({ id }) => id);
      const key = packageKey(ecosystem, about.name, version);
      recorded.asked.set(key, new Set([...recorded.asked.get(key) ?? [], ...ids]));
      for (const id of ids) note(id, ecosystem, about.name, version);
    }
  }
}

function readSnapshot(path: string): void {
  const folder = dirname(dirname(path));
  let recorded: Recorded | undefined;
  let row: string[] = [];
  for (const line of Deno.readTextFileSync(path).split("\n")) {
    const [, test] = /^\[(.*) - \d+\]$/.exec(line) ?? [];
    if (test !== undefined) recorded = tests.get(`${folder}\0${test}`);
    const [, file] = /^Scanned <rootdir>\/(testdata\/\S+) file and found/.exec(line) ?? [];
    if (file !== undefined) recorded?.files.add(`${folder}/${file}`);
    const [, id, rest = ""] = /^\| https:\/\/osv\.dev\/(\S+)(.*)$/.exec(line) ?? [];
    // Rows of one flaw: only the first says more than the id.
    if (id === undefined) continue;
    row = /[^\s|]/.test(rest) ? [id] : [...row, id];
    for (const each of row) aliases.set(each, new Set([...aliases.get(each) ?? [], ...row]));
  }
}

const paths = below(root).sort();
for (const path of paths) if (/\/cassettes\/[^/]+\.yaml$/.test(path)) readCassette(path);
for (const path of paths) if (path.endsWith(".snap")) readSnapshot(path);
for (const record of records.values()) {
  record.aliases = [...aliases.get(record.id) ?? []].filter((id) => id !== record.id);
}

/** The files as a repository that stage 3 recognises; null when one is of another kind. */
function repositoryOf(files: ReadonlySet<string>): Record<string, Uint8Array> | null {
  const repository: Record<string, Uint8Array> = {};
  for (const [at, path] of [...files].entries()) {
    const name = basename(path);
    if (MIXED.test(name)) return null;
    const [, kind] = KINDS.find(([theirs]) => theirs.test(name)) ?? [];
    if (kind !== undefined) {
      repository[`${at}/${kind}`] = Deno.readFileSync(path);
    } else if (REQUIREMENTS.test(name)) {
      // They may include each other.
      repository[`requirements/${name}`] = Deno.readFileSync(path);
    }
  }
  return Object.keys(repository).length === 0 ? null : repository;
}

const advisoryServer = startAdvisoryService([...records.values()]);
const log = createLogger({ level: "error", format: "text", write: (line) => console.error(line) });
const analysis = createAnalysis({ walls: NO_WALLS, log, processes: 1 });
const advisories = new OsvService({ url: advisoryServer.url, fetch });

/** Groups of ids by package and version, as stage 3 finds them. */
async function ours(repository: Record<string, Uint8Array>): Promise<Map<string, string[][]>> {
  const input = await scanInput({ ...repository, "server.py": "" });
  const deps = { advisories, analysis, now: () => new Date() };
  const { issues, packages = [], error } = await runDependencies(
    deps,
    input,
    new AbortController().signal,
  );
  if (error !== null) throw new Error(error.message);
  const found = new Map<string, string[][]>();
  for (const { ecosystem, name, version, file, requirement } of packages) {
    const key = packageKey(ecosystem as Ecosystem, name, version ?? requirement);
    const groups = issues.filter((issue) =>
      issue.package === name && issue.file === file && issue.requirement === requirement &&
      records.has(issue.rule)
    ).map(({ rule, aliases }) => [...new Set([rule, ...aliases])].sort());
    found.set(key, groups);
  }
  return found;
}

/** Their ids, those that are aliases together. */
function grouped(ids: ReadonlySet<string>): string[][] {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const group = [...new Set([id, ...aliases.get(id) ?? []])].sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}

const total = { tests: 0, same: 0, files: 0, packages: 0, advisories: 0 };
const seen = new Set<string>();
for (const [name, { asked, files }] of tests) {
  const repository = repositoryOf(files);
  const identity = JSON.stringify([[...files], [...asked].map(([key, ids]) => [key, [...ids]])]);
  if (repository === null || seen.has(identity)) continue;
  seen.add(identity);
  const found = await ours(repository);
  const lines: string[] = [];
  const [theirs, own] = [asked, found].map((each) => new Set(each.keys())) as [
    Set<string>,
    Set<string>,
  ];
  for (const key of theirs.difference(own)) lines.push(`  not found: ${key}`);
  for (const key of own.difference(theirs)) lines.push(`  found besides: ${key}`);
  for (const key of own.intersection(theirs)) {
    const [a, b] = [grouped(asked.get(key)!), found.get(key)!].map((groups) =>
      groups.map((group) => group.join(" = ")).sort()
    );
    total.packages++;
    total.advisories += a!.length;
    if (a!.join() !== b!.join()) lines.push(`  ${key}: ${a} in place of ${b}`);
  }
  total.tests++;
  total.files += Object.keys(repository).length;
  if (lines.length === 0) total.same++;
  else console.log([name.replace(`${root}/`, "").replace("\0", ": "), ...lines].join("\n"));
}
await analysis.close();
await advisoryServer.close();
console.table([total]);
