/**
 * Advisories from files of the operator (`OSV_DATABASE`), with the answers that the service gives.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { type Advisories, AdvisoriesUnavailable, type Ecosystem } from "./advisories.ts";
import { affects, normalName } from "./affected.ts";
import { readOsvFiles } from "./osv_files.ts";
import { OsvRecord } from "./osv_schema.ts";

interface Index {
  byId: Map<string, OsvRecord>;
  byPackage: Map<string, Set<OsvRecord>>;
}

function keyOf(ecosystem: string, name: string): string {
  return `${ecosystem}\n${name}`;
}

async function load(path: string, log: Logger): Promise<Index> {
  const index: Index = { byId: new Map(), byPackage: new Map() };
  let unusable = 0;
  for await (const raw of readOsvFiles(path)) {
    const parsed = OsvRecord.safeParse(raw);
    if (!parsed.success) {
      unusable++;
      continue;
    }
    const record = parsed.data;
    index.byId.set(record.id, record);
    for (const { package: about } of record.affected ?? []) {
      const ecosystem = about?.ecosystem.split(":")[0];
      if (about === null || about === undefined || ecosystem === undefined) continue;
      const key = keyOf(ecosystem, normalName(ecosystem as Ecosystem, about.name));
      const records = index.byPackage.get(key) ?? new Set();
      index.byPackage.set(key, records.add(record));
    }
  }
  if (index.byId.size === 0) throw new Error("It has no OSV record");
  log.info("advisories loaded", { records: index.byId.size, unusable });
  return index;
}

/** Advisories at `path`, read at the first question and kept. */
export function createOsvDatabase(path: string, log: Logger): Advisories {
  let loading: Promise<Index> | null = null;
  async function open(): Promise<Index> {
    loading ??= load(path, log);
    try {
      return await loading;
    } catch (error) {
      loading = null;
      const problem = "The advisory database cannot be read";
      throw new AdvisoriesUnavailable(problem, { cause: error });
    }
  }
  return {
    engine: "osv-database",
    async query(packages, signal) {
      const { byPackage } = await open();
      signal.throwIfAborted();
      return packages.map(({ ecosystem, name, version }) =>
        [...byPackage.get(keyOf(ecosystem, name)) ?? []]
          .filter((record) => version === null || affects(record, ecosystem, name, version))
          .sort((a, b) => (a.id < b.id ? -1 : 1))
      );
    },
    async byIds(ids, signal) {
      const { byId } = await open();
      signal.throwIfAborted();
      const known = ids.flatMap((id) => byId.get(id) ?? []);
      return new Map(known.map((record) => [record.id, record]));
    },
  };
}
