/**
 * Where a server with capabilities stands, as statements read it beside its record.
 *
 * @module
 */
import type { Queryable } from "../../database/client.ts";
import type { CapabilityDecision } from "../../scan/capabilities_schema.ts";

/** What {@link decisionColumns} selects. */
export interface DecisionRow {
  decision_state: CapabilityDecision["state"] | null;
  decision_reason: string | null;
  decision_at: Date | null;
}

/** The columns of a decision, where {@link withAnswers} is joined. */
export function decisionColumns(sql: Queryable) {
  return sql`
    capability_state(capabilities, owner, capability_answers) as decision_state,
    capability_answers.reason as decision_reason, answered_at as decision_at`;
}

/** Joins a server's last answer to its record. */
export function withAnswers(sql: Queryable) {
  return sql`left join capability_answers using (name)`;
}

/** The decision in a row; null for servers without capabilities. */
export function decisionOf(row: DecisionRow): CapabilityDecision | null {
  const { decision_state: state, decision_reason: reason, decision_at: at } = row;
  if (state === null) return null;
  if (state === "waiting") return { state, reason: null, decided_at: null };
  return { state, reason, decided_at: at?.toISOString() ?? null };
}
