/**
 * What a server runs of its callers or does openly, because it is for it: signs beside the verdict.
 *
 * @module
 */
import type { CapabilityDecision, Reaches, Runs } from "../../scan/capabilities_schema.ts";
import { BadgeSign, type QuietFact, QuietSign } from "./badge_sign.tsx";

export const SIGNS: Record<Runs, QuietFact> = {
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
  clipboard: {
    label: "Uses the clipboard",
    sign: "M6 3h4v2H6zM6 4H3.5v10h9V4H10",
    hint: "Its tools read or change the user's clipboard, and say so",
  },
  screen: {
    label: "Sees the screen",
    sign: "M2 3h12v8H2zM6 14h4m-2-3v3",
    hint: "Its tools look at the user's screen, or listen, and say so",
  },
  instructions: {
    label: "Instructs assistants",
    sign: "M3 3h10v10H3zM5.5 6h5m-5 2.5h5m-5 2.5h3",
    hint: "Its tools write files of instructions to assistants, and say so",
  },
  assistants: {
    label: "Changes assistants",
    sign: "M8 2v3M8 11v3M2 8h3m6 0h3M5.5 8a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
    hint: "Its tools change which servers assistants start, and say so",
  },
  docker: {
    label: "Controls containers",
    sign: "M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6",
    hint: "Its tools talk to the container engine, and say so",
  },
  frames: {
    label: "Reads other functions",
    sign: "M3 5h7v8H3zM6 5V3h7v8h-3",
    hint: "Its tools read variables of other functions, and say so",
  },
};

const REACHES: Record<Reaches, QuietFact> = {
  network: {
    label: "Network",
    sign: "M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0h11M8 2.5c-3 3-3 8 0 11c3-3 3-8 0-11",
    hint: "Its code names hosts that it talks to",
  },
  files: {
    label: "Files",
    sign: "M4 2h5l3 3v9H4zM9 2v3h3",
    hint: "Its code uses files, which it has only in its sandbox",
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
      {capabilities.map((kind) => <QuietSign {...SIGNS[kind]} />)}
    </>
  );
}

/** A sign for the network and for files, where its code reaches them by itself. */
export function ReachSigns({ reaches }: { reaches: readonly Reaches[] }) {
  return (
    <>
      {reaches.map((kind) => <QuietSign {...REACHES[kind]} />)}
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
