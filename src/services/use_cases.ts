/**
 * The registry's use cases, as its listener and its pages call them.
 *
 * @module
 */
import { bound } from "../bound.ts";
import type { RegistryServices } from "../http/services.ts";
import { createViewerReader } from "../access/public_view.ts";
import { answerCapabilities } from "../registry/capabilities/answer.ts";
import { countWaiting, listCapabilities } from "../registry/capabilities/list.ts";
import type { RegistryDeps } from "../registry/deps.ts";
import { authorizeChange, authorizeCreate } from "../registry/ownership/access.ts";
import { rescanServer } from "../registry/scanning/rescan.ts";
import { compareScan, getScanReport, listScans } from "../registry/scanning/scan_history.ts";
import { getScan, watchScan } from "../registry/scanning/scan_watch.ts";
import { changedSince } from "../registry/servers/catalogue.ts";
import { correctQuestion } from "../registry/servers/correct.ts";
import { createServer, startCreate } from "../registry/servers/create.ts";
import { getArchive, getServer, ownedServers } from "../registry/servers/get.ts";
import { listServers } from "../registry/servers/list.ts";
import { removeServer } from "../registry/servers/remove.ts";
import { startUpdate, updateServer } from "../registry/servers/update.ts";
import { getUsage } from "../registry/usage/history.ts";

/**
 * The use cases with their dependencies bound.
 *
 * @param endSessions Ends the sessions of a removed or refused server, on all nodes.
 */
export function useCasesOf(
  deps: RegistryDeps,
  endSessions: (name: string) => Promise<void>,
): RegistryServices {
  const useCases = bound(deps, {
    list: listServers,
    correct: correctQuestion,
    get: getServer,
    archive: getArchive,
    authorizeCreate,
    authorizeChange,
    create: createServer,
    startCreate,
    update: updateServer,
    startUpdate,
    remove: removeServer,
    rescan: rescanServer,
    scan: getScan,
    scans: listScans,
    scanReport: getScanReport,
    compareScan,
    watchScan,
    ownedServers,
    usage: getUsage,
    changedSince,
    capabilityCases: listCapabilities,
    countWaiting,
    answerCapabilities,
  });
  return {
    ...useCases,
    viewer: createViewerReader(deps.sql),
    async remove(caller, name, context) {
      await useCases.remove(caller, name, context);
      await endSessions(name);
    },
    async answerCapabilities(caller, name, input, context) {
      const decision = await useCases.answerCapabilities(caller, name, input, context);
      if (decision.state === "refused" && deps.policy.capabilities === "ask") {
        await endSessions(name);
      }
      return decision;
    },
  };
}
