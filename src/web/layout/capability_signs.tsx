/**
 * What a server runs of its callers, because it is for it: signs beside the verdict.
 *
 * @module
 */
import type { CapabilityDecision, Runs } from "../../scan/capabilities_schema.ts";
import { BadgeSign } from "./badge_sign.tsx";

const SIGNS: Record<Runs, { label: string; sign: string; hint: string }> = {
  sql: {
    label: "Runs SQL",
    sign: "M3 4.5c0-2.5 10-2.5 10 0s-10 2.5-10 0v7c0 2.5 10 2.5 10 0v-7",
    hint: "Its tools run SQL that their caller writes",
  },
  commands: {
    label: "Runs commands",
    sign: "M3 4l4 4-4 4m5.5 0h4.5",
    hint: "Its tools run commands that their caller writes",
  },
  code: {
    label: "Runs code",
    sign: "M5.5 4l-4 4 4 4m5-8l4 4-4 4",
    hint: "Its tools run code that their caller writes",
  },
};

const STATES: Record<CapabilityDecision["state"], { label: string; look: string; sign: string }> = {
  waiting: { label: "Waits for permission", look: "error", sign: "M8 4v4.5l3 2" },
  allowed: { label: "Permitted", look: "passed", sign: "M3.5 8.5l3 3 6-7" },
  refused: { label: "Refused", look: "failed", sign: "M4.5 4.5l7 7m0-7l-7 7" },
};

/** A sign and words for each; nothing for a server that runs nothing of its callers. */
export function CapabilitySigns({ capabilities }: { capabilities: readonly Runs[] }) {
  return (
    <>
      {capabilities.map((kind) => (
        <span class="verdict quiet" title={SIGNS[kind].hint}>
          <BadgeSign path={SIGNS[kind].sign} />
          {SIGNS[kind].label}
        </span>
      ))}
    </>
  );
}

/** Whether an administrator lets it run, where that is asked. */
export function DecisionSign({ decision }: { decision: CapabilityDecision | null }) {
  if (decision === null) return null;
  const { label, look, sign } = STATES[decision.state];
  return (
    <span class={`verdict ${look}`} title={decision.reason ?? label}>
      <BadgeSign path={sign} />
      {label}
    </span>
  );
}
