/**
 * Wiring of the audit log: reading, and refusals.
 *
 * @module
 */
import { now } from "../clock.ts";
import { listAudit, listServerAudit } from "../audit/list.ts";
import { Refusals } from "../audit/refusals.ts";
import type { Sql } from "../database/client.ts";
import type { AuditServices } from "../http/services.ts";
import type { Logger } from "../log.ts";
import { type AccessDeps, findChangeable } from "../registry/ownership/access.ts";

/** The audit log on this node. */
export interface AuditSide extends Pick<Refusals, "note"> {
  /** Reading, for the registry listener. */
  useCases(access: AccessDeps): AuditServices;
  close(): Promise<void>;
}

/** Begins to take notes of refusals. */
export function startAudit({ sql, log }: { sql: Sql; log: Logger }): AuditSide {
  const refusals = new Refusals({ sql, log, now });
  return {
    note: refusals.note,
    useCases: (access) => ({
      list: (query) => listAudit({ sql }, query),
      async listOfServer(caller, name, query) {
        const { created_at: createdAt } = await findChangeable(access, caller, name);
        return await listServerAudit({ sql }, { name, createdAt }, query);
      },
      refused: refusals.note,
    }),
    close: () => refusals.close(),
  };
}
