/**
 * Whether a server runs here, as its build said: a sign and words beside the verdict.
 *
 * @module
 */
import { BadgeSign } from "./badge_sign.tsx";
import { type ListedBuild, type Runs, RUNS_LABELS } from "../../scan/build_schema.ts";

const SIGNS: Record<Runs, { sign: string; look: string }> = {
  yes: { sign: "M5.5 3.5l6 4.5-6 4.5z", look: "passed" },
  no: { sign: "M4.5 4.5l7 7m0-7l-7 7", look: "failed" },
  needs_variables: { sign: "M8 3.5v5.5m0 2.5v.5", look: "error" },
  needs_network: { sign: "M8 3.5v5.5m0 2.5v.5", look: "error" },
  not_tried: { sign: "M4 8h8", look: "quiet" },
};

/** Whether it runs here; nothing where no build has said it. `full` adds why not. */
export function RunsHere({ build, full = false }: { build: ListedBuild | null; full?: boolean }) {
  if (build === null) return null;
  const { runs, reason } = build;
  // It starts, and some of its tools lack something.
  const partly = runs === "yes" && reason !== null;
  const { sign, look } = SIGNS[partly ? "needs_variables" : runs];
  return (
    <>
      <span class={`verdict ${look}`} title={reason ?? "It started, and listed its tools"}>
        <BadgeSign path={sign} />
        {partly ? "Starts here" : RUNS_LABELS[runs]}
      </span>
      {full && reason !== null
        ? (
          <span class="small">
            {" "}
            <bdi>{reason}</bdi>
          </span>
        )
        : null}
    </>
  );
}
