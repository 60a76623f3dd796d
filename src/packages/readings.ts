/**
 * The Python files of a server's packages, read for malice: those of packages that are not well
 * known, and of versions that are so new that nobody may have looked yet. Each wheel is read once for
 * all servers, as long as the rules stay what they are.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { eachAtOnce } from "../at_once.ts";
import { concat } from "../bytes.ts";
import type { Queryable, Sql } from "../database/client.ts";
import type { Logger } from "../log.ts";
import type { Analysis } from "../scan/analysis/analysis.ts";
import { PackageReading, type Packages, type ResolvedPackage } from "../scan/packages_schema.ts";
import { analysed } from "../scan/stages/analysed.ts";
import { isWellKnown } from "../scan/stages/look_alikes.ts";
import { isYoung } from "../scan/stages/package_notes.ts";
import { FORMAT, loadPackage } from "./store.ts";

/** What reading packages takes. */
export interface ReadingDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  /** Processes in which packages are read, each group in a fresh one. */
  reading: Pick<Analysis, "run">;
  /** Milliseconds for all packages of a server, for tests. */
  deadlineMs?: number;
  /** By what they are multiplied, as the deadlines of scans are. */
  patience?: () => number;
}

const DEADLINE_MS = 60_000;
const GROUP_MS = 40_000;
/** Packed bytes that one process reads; starting one takes as long as reading some. */
const GROUP_BYTES = 1.5 * 2 ** 20;
const GROUPS_AT_ONCE = 2;

const ANALYSIS = new URL("../../workers/analysis/", import.meta.url);

async function sourcesIn(folder: URL): Promise<URL[]> {
  const found: URL[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) found.push(...await sourcesIn(new URL(`${name}/`, folder)));
    else if (name.endsWith(".ts")) found.push(new URL(name, folder));
  }
  return found;
}

let digest: Promise<string> | undefined;

/** Names the rules by which packages are read: any change of the analysers is one. */
export function rulesDigest(): Promise<string> {
  return digest ??= (async () => {
    const files = (await sourcesIn(ANALYSIS)).sort((a, b) => a.href < b.href ? -1 : 1);
    const hash = createHash("sha256").update(`format ${FORMAT}`);
    for (const file of files) hash.update(await Deno.readFile(file));
    return hash.digest("hex");
  })();
}

const Read = z.object({
  packages: z.array(PackageReading.omit({ problem: true }).extend({ name: z.string() })).max(500),
});

function wants({ sha256, source, name, ...facts }: ResolvedPackage, now: Date): boolean {
  return sha256 !== null && source === "index" &&
    (!isWellKnown(name) || isYoung({ sha256, source, name, ...facts }, now));
}

/** What is known of wheels, by digest. */
async function knownReadings(
  sql: Queryable,
  digests: readonly string[],
  rules: string,
): Promise<Map<string, PackageReading>> {
  if (digests.length === 0) return new Map();
  const rows = await sql<{ sha256: string; reading: unknown }[]>`
    select sha256, reading from package_readings
    where sha256 in ${sql([...digests])} and rules = ${rules}`;
  return new Map(rows.flatMap(({ sha256, reading }) => {
    const parsed = PackageReading.safeParse(reading);
    return parsed.success ? [[sha256, parsed.data]] : [];
  }));
}

interface Loaded {
  name: string;
  sha256: string;
  content: Uint8Array;
}

/** Groups of packages for a process each. */
function grouped(packages: readonly Loaded[]): Loaded[][] {
  const groups: Loaded[][] = [];
  let bytes = Infinity;
  for (const one of packages) {
    if (bytes + one.content.length > GROUP_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(one);
    bytes += one.content.length;
  }
  return groups;
}

class Reader {
  readonly readings = new Map<string, PackageReading>();
  readonly #deps: ReadingDeps;
  readonly #rules: string;
  readonly #signal: AbortSignal;

  constructor(deps: ReadingDeps, rules: string, signal: AbortSignal) {
    this.#deps = deps;
    this.#rules = rules;
    this.#signal = signal;
  }

  async load(packages: readonly ResolvedPackage[]): Promise<Loaded[]> {
    const loaded: Loaded[] = [];
    for (const { name, sha256 } of packages) {
      const stored = await loadPackage(this.#deps.sql, sha256!);
      if (stored === null) continue;
      loaded.push({ name, sha256: sha256!, content: concat(stored.content) });
    }
    return loaded;
  }

  async #store(sha256: string, reading: PackageReading): Promise<void> {
    this.readings.set(sha256, reading);
    const { sql, now } = this.#deps;
    const row = { rules: this.#rules, reading: sql.json(reading), read_at: now() };
    await sql`
      insert into package_readings ${sql({ sha256, ...row })}
      on conflict (sha256) do update set ${sql(row)}`;
  }

  /** Reads packages in one process; each by itself where that fails, so that one fails alone. */
  async read(group: readonly Loaded[]): Promise<void> {
    const { reading: analysis, now, log } = this.#deps;
    const files = new Map(group.map(({ content }, at) => [`${at}`, content]));
    const packages = group.map(({ name }, at) => ({ name, file: `${at}` }));
    const { result, error } = await analysed(
      { analysis, now },
      { repository: { files }, lang: "python", entrypoint: "" },
      {
        analyser: "packages",
        schema: Read,
        deadlineMs: GROUP_MS,
        needs: () => true,
        signal: this.#signal,
        options: { task: "read", packages },
      },
    );
    if (result !== null && result.packages.length === group.length) {
      for (const [at, { findings, unread }] of result.packages.entries()) {
        await this.#store(group[at]!.sha256, { findings, unread, problem: null });
      }
      return;
    }
    if (group.length > 1) {
      for (const one of group) await this.read([one]);
      return;
    }
    const [{ name, sha256 }] = group as [Loaded];
    log.warn("packages.not_read", { package: name, error });
    const problem = error?.message ?? "The analysis returned no valid result";
    this.readings.set(sha256, { findings: [], unread: [], problem });
  }
}

/**
 * `packages` with what the files of those that are to be read show. What cannot be read in time says
 * so, and is tried again by the next scan.
 *
 * @throws The signal's reason when that aborts.
 */
export async function withReadings(
  deps: ReadingDeps,
  packages: Packages,
  signal: AbortSignal,
): Promise<Packages> {
  const wanted = packages.resolved.filter((each) => wants(each, deps.now()));
  if (wanted.length === 0) return packages;
  const rules = await rulesDigest();
  const known = await knownReadings(deps.sql, wanted.map(({ sha256 }) => sha256!), rules);
  const times = deps.patience?.() ?? 1;
  const deadline = AbortSignal.timeout((deps.deadlineMs ?? DEADLINE_MS) * times);
  const reader = new Reader(deps, rules, AbortSignal.any([signal, deadline]));
  try {
    const loaded = await reader.load(wanted.filter(({ sha256 }) => !known.has(sha256!)));
    await eachAtOnce(grouped(loaded), GROUPS_AT_ONCE, (group) => reader.read(group));
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
  }
  const late = { findings: [], unread: [], problem: "its files could not be read in time" };
  const isWanted = new Set(wanted.map(({ name }) => name));
  const resolved = packages.resolved.map(({ reading: _, ...each }) => {
    if (!isWanted.has(each.name)) return each;
    const sha256 = each.sha256!;
    return { ...each, reading: known.get(sha256) ?? reader.readings.get(sha256) ?? late };
  });
  return { ...packages, resolved };
}
