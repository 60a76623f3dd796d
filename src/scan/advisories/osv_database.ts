/**
 * Advisories from files of the operator (`OSV_DATABASE`), with the answers that the service gives.
 *
 * @module
 */
import type { Logger } from "../../log.ts";
import { type Ecosystem, normalName } from "../../../workers/analysis/advisories/ecosystem.ts";
import { OsvRecord } from "../../../workers/analysis/advisories/osv_schema.ts";
import { type Advisories, AdvisoriesUnavailable } from "./advisories.ts";
import { readOsvFiles } from "./osv_files.ts";

interface Index {
  byId: Map<string, OsvRecord>;
  /** By ecosystem and name, in the order of their ids. */
  byPackage: Map<string, OsvRecord[]>;
}

function keyOf(ecosystem: string, name: string): string {
  return `${ecosystem}\n${name}`;
}

async function load(path: string, log: Logger): Promise<Index> {
  const byId = new Map<string, OsvRecord>();
  const byPackage = new Map<string, Set<OsvRecord>>();
  let unusable = 0;
  for await (const raw of readOsvFiles(path)) {
    const parsed = OsvRecord.safeParse(raw);
    if (!parsed.success) {
      unusable++;
      continue;
    }
    const record = parsed.data;
    byId.set(record.id, record);
    for (const { package: about } of record.affected ?? []) {
      const ecosystem = about?.ecosystem.split(":")[0];
      if (about === null || about === undefined || ecosystem === undefined) continue;
      const key = keyOf(ecosystem, normalName(ecosystem as Ecosystem, about.name));
      const records = byPackage.get(key) ?? new Set();
      byPackage.set(key, records.add(record));
    }
  }
  if (byId.size === 0) throw new Error("It contains no OSV records");
  log.info("advisories loaded", { records: byId.size, unusable });
  const sorted = [...byPackage].map(([key, records]) =>
    [key, [...records].sort((a, b) => (a.id < b.id ? -1 : 1))] as const
  );
  return { byId, byPackage: new Map(sorted) };
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
      const problem = "The advisory database could not be read";
      throw new AdvisoriesUnavailable(problem, { cause: error });
    }
  }
  return {
    engine: "osv-database",
    everyVersion: true,
    async query(packages, signal) {
      const { byPackage } = await open();
      signal.throwIfAborted();
      return packages.map(({ ecosystem, name }) => byPackage.get(keyOf(ecosystem, name)) ?? []);
    },
    async byIds(ids, signal) {
      const { byId } = await open();
      signal.throwIfAborted();
      const known = ids.flatMap((id) => byId.get(id) ?? []);
      return new Map(known.map((record) => [record.id, record]));
    },
  };
}
