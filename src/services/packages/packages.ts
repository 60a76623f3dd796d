/**
 * Wiring of servers' own packages: from where they are resolved, and how sessions get them.
 *
 * @module
 */
import { resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { eachAtOnce } from "../../at_once.ts";
import { now } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Sql } from "../../database/client.ts";
import { ownAddresses, resolveName } from "../../egress/machine.ts";
import type { OwnEndpoint } from "../../egress/own.ts";
import type { Health } from "../../figures/health.ts";
import type { Logger } from "../../log.ts";
import { type Bytecode, whenCompiled } from "../../packages/bytecode.ts";
import type { PackageFiles } from "../../packages/files.ts";
import { readInstallation } from "../../packages/installation.ts";
import { withReadings } from "../../packages/readings.ts";
import { resolveOnce } from "../../packages/remembered.ts";
import type { PackagesDeps } from "../../packages/resolve.ts";
import {
  AT_ONCE,
  type GivenPackages,
  packageFile,
  sessionPackages,
} from "../../packages/session_packages.ts";
import { patience } from "../../sandbox/patience.ts";
import type { Analysis } from "../../scan/analysis/analysis.ts";
import type { ResolvedPackage } from "../../scan/packages_schema.ts";
import type { ScanDeps } from "../../scan/pipeline.ts";

/** Where Pyodide's distribution is, with a slash at its end; null: nowhere. */
async function distributionUrl(address: string): Promise<string | null> {
  if (address === "none") return null;
  if (!/^https?:\/\//.test(address)) return pathToFileURL(`${resolvePath(address)}/`).href;
  const file = import.meta.resolve("pyodide/package.json");
  const { version } = z.object({ version: z.string() }).parse(
    (await import(file, { with: { type: "json" } })).default,
  );
  return `${address.replaceAll("{version}", version).replace(/\/+$/, "")}/`;
}

/** What scans need for the packages of servers. */
export type PackageScanDeps = Pick<ScanDeps, "resolvePackages" | "readPackages" | "installed">;

/** How this node resolves packages; nothing where sessions have none. */
export async function packageResolver(
  { config, sql, log, packing, compile, endpoints, health }: {
    config: Config;
    sql: Sql;
    log: Logger;
    /** Berth's own, where no package is. */
    endpoints: readonly OwnEndpoint[];
    packing: Pick<Analysis, "run">;
    /** Compiles what is packed; null where no build follows. */
    compile: CompilePackages | null;
    health: Health;
  },
): Promise<PackageScanDeps> {
  if (config.INTERPRETER_PROFILE !== "full") {
    health.note("package_index", { state: "off", detail: "Servers have no packages of their own" });
    return {};
  }
  const deps: PackagesDeps = {
    sql,
    log,
    now,
    packing,
    onStored: (sha256) => void compile?.([sha256]).catch(() => {}),
    patience,
    fetch: health.watch("package_index", fetch),
    resolve: resolveName,
    own: ownAddresses(endpoints),
    installation: await readInstallation(),
    indexUrl: config.PACKAGE_INDEX_URL === "none" ? null : config.PACKAGE_INDEX_URL,
    distributionUrl: await distributionUrl(config.PYODIDE_PACKAGES_URL),
  };
  return {
    installed: new Set(Object.keys(deps.installation.fixed)),
    resolvePackages: (analysis, input, signal) => resolveOnce(deps, analysis, input, signal),
    readPackages: (packages, signal) =>
      withReadings({ sql, log, now, reading: packing, patience }, packages, signal),
  };
}

/** Puts resolved packages where the sessions of this node get them. */
export type GivePackages = (
  resolved: ResolvedPackage[] | null,
) => Promise<GivenPackages | undefined>;

export interface PackageGiverDeps {
  sql: Sql;
  log: Logger;
  hosts: { packageFiles: PackageFiles; bytecode: Bytecode };
}

/** How sessions of a node get what was resolved; what they get is compiled for later ones. */
export function packageGiver(
  config: Config,
  { sql, log, hosts: { packageFiles, bytecode } }: PackageGiverDeps,
): GivePackages {
  return async (resolved) => {
    if (resolved === null || config.INTERPRETER_PROFILE !== "full") return undefined;
    const given = await sessionPackages({ sql, packageFiles, log }, resolved);
    bytecode.want(Object.values(given.files));
    return given;
  };
}

/** Has packages compiled at once, by the digests of their files: a build is about to import them. */
export type CompilePackages = (digests: readonly string[]) => Promise<void>;

/** How packages of a server that is published are compiled while others are packed and all are read. */
export function packageCompiler(
  { sql, hosts: { packageFiles, bytecode } }: Pick<PackageGiverDeps, "sql" | "hosts">,
): CompilePackages {
  return async (digests) => {
    const files: string[] = [];
    // Each is unpacked in memory where it is not there yet.
    await eachAtOnce(digests, AT_ONCE, async (sha256) => {
      const file = await packageFile({ sql, packageFiles }, sha256);
      if (file !== null) files.push(file);
    });
    await bytecode.make(files);
  };
}

/** Milliseconds that a build waits for bytecode where a processor has time for it. */
const BYTECODE_MS = 5000;

/**
 * How a build gets packages: compiled, unless that takes too long. Both compile as fast, so a build
 * that did not wait would do it a second time.
 */
export function packagesForBuild(config: Config, deps: PackageGiverDeps): GivePackages {
  const give = packageGiver(config, deps);
  const { bytecode } = deps.hosts;
  return async (resolved) =>
    await whenCompiled(() => give(resolved), bytecode, BYTECODE_MS * patience());
}
