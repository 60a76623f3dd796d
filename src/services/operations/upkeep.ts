/**
 * Wiring of what is removed after its time, by one node for all.
 *
 * @module
 */
import { removeOldCalls } from "../../audit/calls/export.ts";
import { removeOldEntries } from "../../audit/retention.ts";
import { now } from "../../clock.ts";
import type { Config } from "../../config.ts";
import { type Job, startJobs } from "../../database/jobs.ts";
import { removeExpired } from "../../names/reserved.ts";
import { forgetResolutions } from "../../packages/remembered.ts";
import { removeUnusedPackages } from "../../packages/store.ts";
import { removeExpiredInvitations } from "../../registry/ownership/invitations.ts";
import { removeOldReports, removeOldScans } from "../../registry/scanning/scans.ts";
import { removeUnusedArchives } from "../../repository/archives.ts";
import { moveArchives, removeUnusedObjects } from "../../repository/moves.ts";
import type { ArchiveObjects } from "../../repository/objects.ts";
import type { Logger } from "../../log.ts";
import { nodeName } from "./node.ts";
import type { Parts } from "../parts.ts";

const HOUR_SECONDS = 3600;
const MOVE_SECONDS = 60;
const DAY_MS = 86_400_000;

/** The jobs, in the order in which they are looked at. */
export function upkeepJobs(
  config: Config,
  { sql }: Parts["database"],
  objects: ArchiveObjects | null,
): Job[] {
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS);
  const hourly = (name: string, work: () => Promise<number>) => ({
    name,
    everySeconds: HOUR_SECONDS,
    work,
  });
  const { SCAN_DAYS: scans, AUDIT_DAYS: audit, CALL_RECORD_DAYS: calls } = config;
  return [
    hourly(
      "names",
      async () => await removeExpired(sql, now()) + await removeExpiredInvitations(sql, now()),
    ),
    hourly("scans", async () =>
      await removeOldScans(sql, now()) +
      (scans === 0 ? 0 : await removeOldReports(sql, before(scans)))),
    objects === null ? hourly("archives", () => removeUnusedArchives(sql)) : {
      name: "archives",
      everySeconds: MOVE_SECONDS,
      async work() {
        const removed = await removeUnusedArchives(sql);
        await moveArchives(sql, objects);
        return removed + await removeUnusedObjects(sql, objects);
      },
    },
    hourly(
      "packages",
      async () => await removeUnusedPackages(sql, now()) + await forgetResolutions(sql, now()),
    ),
    hourly("audit", () => removeOldEntries(sql, now(), audit)),
    hourly("calls", () => removeOldCalls(sql, before(calls))),
  ];
}

/** Starts to look for jobs that are due. @returns What ends that. */
export function startUpkeep(
  config: Config,
  { database, objects }: Pick<Parts, "database" | "objects">,
  log: Logger,
): () => Promise<void> {
  const { sql } = database;
  return startJobs({ sql, log, node: nodeName(config) }, upkeepJobs(config, database, objects));
}
