/**
 * Wiring of the registry side: code host, scan, use cases, and the scans that are tried again.
 *
 * @module
 */
import { resolve } from "node:path";
import { now } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/open.ts";
import type { OwnEndpoint } from "../egress/own.ts";
import type { RegistryServices } from "../http/services.ts";
import { factsOf } from "../documents/facts.ts";
import { type Cards, createCards } from "../documents/cards.ts";
import { type Health, wallsHealth } from "../figures/health.ts";
import { createIcons, type Icons } from "../documents/icons.ts";
import { createMissingIcons } from "../documents/missing_icons.ts";
import { createReadmes, type Readmes } from "../documents/readmes.ts";
import type { KeysDeps } from "../keys/deps.ts";
import type { Logger } from "../log.ts";
import { createHistogram, type Histogram, observe } from "../metrics.ts";
import type { AccessDeps } from "../registry/ownership/access.ts";
import { startBackgroundWork } from "../registry/background.ts";
import type { BuildServer, RegistryDeps } from "../registry/deps.ts";
import { BUILD_CHANNEL } from "../registry/scanning/builds.ts";
import { createJobs } from "../registry/scanning/jobs.ts";
import { fillLooks } from "../names/look_alikes.ts";
import { fillTopics } from "../registry/topics/fill.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import { fetchFiles, fetchRepository, type RepositoryDeps } from "../repository/fetch.ts";
import { patience } from "../sandbox/patience.ts";
import type { Advisories } from "../scan/advisories/advisories.ts";
import { createOsvDatabase } from "../scan/advisories/osv_database.ts";
import { OsvService } from "../scan/advisories/osv_service.ts";
import { type Analysis, type AnalysisOptions, createAnalysis } from "../scan/analysis/analysis.ts";
import { raiseAnalysisWalls } from "../scan/analysis/walls.ts";
import type { SonarSettings } from "../scan/sonar/client.ts";
import type { ResolvedPackage } from "../scan/packages_schema.ts";
import { runScan } from "../scan/pipeline.ts";
import { checkDependencies } from "../scan/stages/check_dependencies.ts";
import type { WebServices } from "../web/services.ts";
import { checkApps, repositoryDeps } from "./code_hosts.ts";
import { ENDED_CHANNEL } from "./session_events.ts";
import {
  type CompilePackages,
  packageResolver,
  type PackageScanDeps,
} from "./packages/packages.ts";
import { useCasesOf } from "./use_cases.ts";

export interface RegistryOptions {
  config: Config;
  database: Database;
  log: Logger;
  /** Public address of the registry listener. */
  publicUrl: string;
  /** How this node builds what it scans; null where builds are off. */
  build: BuildServer | null;
  /** Compiles packages for a build; null where nothing is built here. */
  compilePackages: CompilePackages | null;
  /** Where archives are that are not in the database. */
  objects: ArchiveObjects | null;
  /** Ends the sessions of a removed or refused server on this node. */
  endSessions: (name: string) => Promise<void>;
  /** Where Berth and its database listen. */
  endpoints: readonly OwnEndpoint[];
  /** Learns how the parts do that the registry depends on. */
  health: Health;
  /** Where users keep tokens for code hosts. */
  keys: KeysDeps;
}

/** Scans of this node since its start. */
export interface ScanMetrics {
  /** How many there were, by their outcome; `aborted` have none. */
  outcomes: Record<string, number>;
  /** How long they took. */
  seconds: Histogram;
}

/** The running registry side of this node. */
export interface RegistrySide {
  metrics: ScanMetrics;
  /** Scans that run, and that wait for a place. */
  load: RegistryDeps["jobs"]["load"];
  useCases: RegistryServices;
  /** What checks of who may change a record need. */
  access: AccessDeps;
  /** Ends the sessions of a server that was removed, on every node. */
  endSessions: (server: string) => Promise<void>;
  /** Fetches a repository to look at it, before anything is registered. */
  inspect: WebServices["inspect"];
  readmes: Readmes;
  cards: Cards;
  close(): Promise<void>;
}

function advisoriesOf({ config, log, health }: RegistryOptions): Advisories {
  if (config.OSV_DATABASE !== undefined) {
    health.note("advisories", { state: "off", detail: "Records on this machine are used" });
    return createOsvDatabase(config.OSV_DATABASE, log);
  }
  return new OsvService({ url: config.OSV_API_URL, fetch: health.watch("advisories", fetch) });
}

function sonarOf(config: Config, url: string, log: Logger): SonarSettings {
  return {
    url,
    token: config.SONAR_TOKEN ?? null,
    projectKey: config.SONAR_PROJECT_KEY,
    fetch,
    note: (reason) => log.warn("sonarqube.unavailable", { reason }),
  };
}

// A scan may take two minutes.
const SCAN_SECONDS = [0.5, 1, 2.5, 5, 10, 20, 40, 60, 90, 120];

/** `scan`, counted. */
function counted(scan: RegistryDeps["scan"], metrics: ScanMetrics): RegistryDeps["scan"] {
  return async (request, options) => {
    const start = performance.now();
    let outcome = "aborted";
    try {
      const report = await scan(request, options);
      outcome = report.status;
      return report;
    } finally {
      metrics.outcomes[outcome] = (metrics.outcomes[outcome] ?? 0) + 1;
      observe(metrics.seconds, (performance.now() - start) / 1000);
    }
  };
}

function registryDeps(
  options: RegistryOptions,
  analysis: Analysis,
  metrics: ScanMetrics,
  { repository, readmes, icons, packages }: {
    repository: RepositoryDeps;
    readmes: Readmes;
    icons: Icons;
    packages: PackageScanDeps;
  },
): RegistryDeps {
  const { config, log } = options;
  const scan = {
    analysis,
    advisories: advisoriesOf(options),
    ...(config.SONAR_URL === undefined ? {} : { sonar: sonarOf(config, config.SONAR_URL, log) }),
    qualityUrl: (name: string) => `${options.publicUrl}/servers/${name}/security`,
    now,
    log,
    patience,
    ...packages,
    // The build asks for them again, and says what is wrong.
    onResolved: ({ resolved }: { resolved: ResolvedPackage[] }) =>
      void options.compilePackages?.(resolved.flatMap(({ sha256 }) => sha256 ?? []))
        .catch(() => {}),
  };
  return {
    sql: options.database.sql,
    log,
    now,
    newId: () => crypto.randomUUID(),
    jobs: createJobs(),
    drawMissingIcons: createMissingIcons({ sql: options.database.sql, log, icons }),
    fetchRepository(input) {
      // A scan follows.
      analysis.start();
      return fetchRepository(repository, input);
    },
    async checkDependencies(request, signal) {
      const begun = analysis.begin();
      try {
        return await checkDependencies({ ...scan, analysis: begun }, request, signal);
      } finally {
        await begun.close();
      }
    },
    scan: counted((request, scanOptions) => runScan(scan, request, scanOptions), metrics),
    build: options.build ?? undefined,
    objects: options.objects,
    onStored({ sha256, folder, files }) {
      const source = { archive_sha256: sha256, folder };
      void readmes.prepare(source, files);
      void icons.prepare(source, files);
      // Nodes look by themselves too: a call that is not heard only costs time.
      if (config.ROLE === "registry" && options.build !== null) {
        options.database.sql.notify(BUILD_CHANNEL, "").catch(() => {});
      }
    },
    policy: {
      authorPolicy: config.AUTHOR_POLICY,
      scanPolicy: config.SCAN_POLICY,
      codeHosts: repository.codeHosts.map(({ host, kind }) => ({ host, kind })),
      scansPerHour: config.SCANS_PER_HOUR,
      payments: config.PAYMENTS_WEBHOOK_SECRET !== undefined,
      capabilities: config.CAPABILITY_POLICY,
      runsFailed: config.EXECUTION_POLICY === "any",
    },
  };
}

/** Until a process is prepared for the first scan: the start itself needs the processor. */
const WARM_AFTER_MS = 5_000;
/** A prepared process takes about 110 MB. */
const KEEP_MS = 120_000;

/** Processes in which documents are rendered: one after the other, each document in a fresh one. */
const DOCUMENT_PROCESSES = {
  processes: 1,
  threads: 1,
  maxBroken: 0,
  fileMs: 5_000,
  memoryBytes: 768 * 2 ** 20,
} as const;

/** Processes in which wheels are packed: each wheel in a fresh one. */
const PACKING_PROCESSES = { processes: 2, threads: 1, maxBroken: 0, fileMs: 30_000 } as const;

/** What analysis processes are started with: the walls of this system, and caches of their own. */
async function analysisSettings(
  { config, log, health }: RegistryOptions,
): Promise<AnalysisOptions> {
  const denoDir = resolve(config.DATA_DIR, "analysis");
  await Deno.mkdir(denoDir, { recursive: true });
  const walls = await raiseAnalysisWalls({ denoDir });
  for (const { wall, why } of walls.missing) {
    log.warn("sandbox.wall_missing", { of: "analysis", wall, why });
  }
  health.note("analysis_walls", wallsHealth(walls.missing));
  return { log, denoDir, walls };
}

/** Starts the registry side, with the scans that are tried again in the background. */
export async function startRegistry(options: RegistryOptions): Promise<RegistrySide> {
  const settings = await analysisSettings(options);
  const analysis = createAnalysis({
    ...settings,
    patience,
    warmAfterMs: WARM_AFTER_MS,
    keepMs: KEEP_MS,
  });
  const metrics: ScanMetrics = { outcomes: {}, seconds: createHistogram(SCAN_SECONDS) };
  const { log, database: { sql } } = options;
  const documents = createAnalysis({ ...settings, ...DOCUMENT_PROCESSES });
  const readmes = createReadmes({ sql, log, analysis: documents });
  const packing = createAnalysis({ ...settings, patience, ...PACKING_PROCESSES });
  const { config, endpoints, health } = options;
  const packages = await packageResolver({
    ...{ config, sql, log, packing, endpoints, health },
    compile: options.compilePackages,
  });
  const icons = createIcons({ sql, log, analysis: documents });
  const repository = repositoryDeps(options);
  const parts = { repository, readmes, icons, packages };
  const deps = registryDeps(options, analysis, metrics, parts);
  // Here before the answer; on other nodes as soon as they hear of it.
  const endSessions = (name: string) =>
    options.endSessions(name).then(async () => void await deps.sql.notify(ENDED_CHANNEL, name));
  const end = async () => {
    await Promise.all([analysis.close(), documents.close(), packing.close()]);
    await Promise.all([readmes.close(), icons.close()]);
  };
  try {
    await fillLooks(options.database.sql);
    await fillTopics(options.database.sql);
    const alone = options.database.kind === "embedded";
    const background = await startBackgroundWork(deps, { alone });
    const apps = checkApps(repository, log);
    return {
      metrics,
      load: deps.jobs.load,
      useCases: useCasesOf(deps, endSessions),
      access: deps,
      endSessions,
      readmes,
      cards: createCards({ log, analysis: documents }),
      async inspect(request) {
        const fetched = await fetchFiles(repository, request);
        const facts = await factsOf(documents, fetched.files, fetched.name);
        return { repository: fetched, facts };
      },
      async close() {
        background.stop();
        apps.stop();
        await deps.jobs.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
