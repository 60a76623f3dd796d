/**
 * Resolving packages from an index on loopback, in real analysis processes or in the test's thread.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";
import type { Database } from "../../src/database/open.ts";
import { readInstallation } from "../../src/packages/installation.ts";
import { type PackagesDeps, resolvePackages } from "../../src/packages/resolve.ts";
import type { Analysis } from "../../src/scan/analysis/analysis.ts";
import type { Packages } from "../../src/scan/packages_schema.ts";
import type { ScanInput } from "../../src/scan/stage.ts";
import { analyse } from "../../workers/analysis/packages/mod.ts";
import { openTestDatabase, silentLog } from "../helpers/database.ts";
import {
  type Override,
  startIndex,
  type TestIndex,
  type TestPackage,
} from "../helpers/package_index.ts";
import { scanInput } from "../scan/input.ts";

/** The analyser in the test's own thread: what processes add is tested elsewhere. */
export const HERE: Pick<Analysis, "run"> = {
  async run({ lang, entrypoint, files, options = {} }, { signal }) {
    signal?.throwIfAborted();
    const refused: { file: string; reason: string }[] = [];
    const input = { lang, entrypoint, files, options, threads: 1 };
    const result = await analyse({
      ...input,
      begin: () => {},
      refuse: (file, reason) => void refused.push({ file, reason }),
    });
    return { kind: "done", result: JSON.parse(JSON.stringify(result)), notAnalysable: [] };
  },
};

/** What a test resolves with. */
export interface TestResolver {
  index: TestIndex;
  resolve(
    files: Record<string, string>,
    options?: { signal?: AbortSignal } & Partial<ScanInput>,
  ): Promise<Packages>;
  /** What a scan calls. */
  resolveInput(input: ScanInput, signal: AbortSignal): Promise<Packages | null>;
}

/** Runs `use` with an index of these packages. */
export async function withIndex(
  sql: Sql,
  packages: readonly TestPackage[],
  use: (resolver: TestResolver) => Promise<void>,
  options: { override?: Override; deps?: Partial<PackagesDeps>; analysis?: Pick<Analysis, "run"> } =
    {},
): Promise<void> {
  await using index = await startIndex(packages, options.override);
  const analysis = options.analysis ?? HERE;
  const deps: PackagesDeps = {
    sql,
    log: silentLog,
    now: () => new Date(),
    packing: analysis,
    fetch,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    installation: await readInstallation(),
    indexUrl: index.url,
    distributionUrl: null,
    own: { endpoints: [], interfaces: [], resolve: () => Promise.resolve([]) },
    ...options.deps,
  };
  await use({
    index,
    async resolve(files, { signal = new AbortController().signal, ...changes } = {}) {
      const input = await scanInput(files, changes);
      return (await resolvePackages(deps, analysis, input, signal))!;
    },
    resolveInput: (input, signal) => resolvePackages(deps, analysis, input, signal),
  });
}

/** "name version" of each package, in order. */
export function versionsOf({ resolved }: Packages): string[] {
  return resolved.map(({ name, version }) => `${name} ${version}`);
}

/** The packages that the server itself asks for. */
export function directOf({ resolved }: Packages): Packages["resolved"] {
  return resolved.filter(({ direct }) => direct);
}

/** "name: reason" of each package that is done without. */
export function reasonsOf({ missing }: Packages): string[] {
  return missing.map(({ name, reason }) => `${name}: ${reason}`);
}

/** Resolves against an index with these packages, on a database of its own. */
export async function withPackages(
  packages: readonly TestPackage[],
  use: (resolver: TestResolver, database: Database) => Promise<void>,
): Promise<void> {
  const database = await openTestDatabase();
  try {
    await withIndex(database.sql, packages, (resolver) => use(resolver, database));
  } finally {
    await database.close();
  }
}
