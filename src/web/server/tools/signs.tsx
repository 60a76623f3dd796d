/**
 * Signs of what a tool does, as its author says it: a picture and a word each.
 *
 * @module
 */
import { BadgeSign } from "../../layout/badge_sign.tsx";
import type { Sign } from "./views.ts";

const SIGNS: Record<Sign, { path: string; look: string; hint: string }> = {
  "read-only": {
    path: "M1.5 8s2.5-4.5 6.5-4.5S14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zm6.5-1v2",
    look: "passed",
    hint: "It says that it changes nothing",
  },
  "destructive": {
    path: "M8 2.5l6 11H2zm0 4v3.5m0 1.5v.3",
    look: "failed",
    hint: "It says that it may delete or overwrite",
  },
  "idempotent": {
    path: "M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3",
    look: "quiet",
    hint: "It says that calling it again changes nothing more",
  },
  "open world": {
    path: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12",
    look: "quiet",
    hint: "It says that it reaches other systems",
  },
};

/** The signs; nothing where the author says nothing. */
export function Signs({ signs }: { signs: readonly Sign[] }) {
  return (
    <>
      {signs.map((sign) => {
        const { path, look, hint } = SIGNS[sign];
        return (
          <span class={`verdict ${look}`} title={hint}>
            <BadgeSign path={path} />
            {sign}
          </span>
        );
      })}
    </>
  );
}
