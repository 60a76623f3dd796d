/**
 * The sign of servers that not everybody may read.
 *
 * @module
 */
import type { Visibility } from "../../access/schema.ts";
import { QuietSign } from "./badge_sign.tsx";

const SIGNS = {
  internal: { label: "Internal", hint: "Only signed-in users see this server" },
  private: { label: "Private", hint: "Only its owners and those they named see this server" },
} as const;

/** Nothing for public servers. */
export function VisibilitySign({ visibility }: { visibility: Visibility }) {
  if (visibility === "public") return null;
  return (
    <QuietSign
      {...SIGNS[visibility]}
      sign="M4 7.5h8v6H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2"
    />
  );
}
