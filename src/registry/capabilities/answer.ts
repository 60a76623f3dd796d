/**
 * An administrator's answer to what a server runs of its callers.
 *
 * @module
 */
import { recordChange } from "../../audit/audit.ts";
import type { Caller } from "../../identity/caller.ts";
import type { RequestContext } from "../../request.ts";
import { type CapabilityDecision, Runs } from "../../scan/capabilities_schema.ts";
import type { RegistryDeps } from "../deps.ts";
import { capabilitiesChanged, serverNotFound } from "../failures.ts";
import { findRow } from "../servers/store.ts";
import type { AnswerCapabilities } from "./schema.ts";

/**
 * Stores the answer in place of the one before. It holds for the server's owner, and for every
 * version that has no other capabilities than these (allowed) or at least these (refused).
 *
 * @throws {AppError} `not_found`, `conflict` when the server has other capabilities by now.
 */
export async function answerCapabilities(
  { sql, now }: Pick<RegistryDeps, "sql" | "now">,
  caller: Pick<Caller, "userId">,
  name: string,
  { answer, capabilities, reason }: AnswerCapabilities,
  { requestId }: RequestContext,
): Promise<CapabilityDecision> {
  const at = now();
  const asked = Runs.options.filter((kind) => capabilities.includes(kind));
  await sql.begin(async (tx) => {
    const row = await findRow(tx, name, { lock: true });
    if (row === null) throw serverNotFound(name);
    if (row.capabilities.join() !== asked.join()) throw capabilitiesChanged(name, row.capabilities);
    const columns = {
      answer,
      covers: asked,
      reason,
      answered_for: row.owner,
      answered_by: caller.userId,
      answered_at: at,
    };
    await tx`
      insert into capability_answers ${tx({ name, ...columns })}
      on conflict (name) do update set ${tx(columns)}`;
    await recordChange(tx, {
      actor: caller.userId,
      action: `capability.${answer}`,
      subject: name,
      requestId,
      at,
      details: { capabilities: asked, reason },
    });
  });
  const state = answer === "allow" ? "allowed" : "refused";
  return { state, reason, decided_at: at.toISOString() };
}
