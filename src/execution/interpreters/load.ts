/**
 * Reads what came of running an entrypoint.
 *
 * @module
 */
import { loadOutcome } from "../../../workers/session/bodies.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { bodyText } from "./body.ts";
import type { LoadOutcome } from "./types.ts";

/** Values that an outcome holds at most: it is read once a session. */
const VALUES_MAX = 50_000;

/** A member of what a server says of itself, its numbers as they are; else what was read. */
function exact<T>(info: RawJson | undefined, name: string, read: T): T {
  return (info?.member(name)?.exactValue(VALUES_MAX) ?? read) as T;
}

/** The outcome in `body`. Rejects when it is nothing that an honest host sends. */
export async function readLoad(body: Uint8Array): Promise<LoadOutcome> {
  const text = await bodyText(body);
  const outcome = loadOutcome.parse(text.value(VALUES_MAX));
  if (outcome.kind !== "loaded") return outcome;
  const raw = text.member("info");
  const { info } = outcome;
  return {
    kind: "loaded",
    info: {
      ...info,
      capabilities: exact(raw, "capabilities", info.capabilities),
      icons: exact(raw, "icons", info.icons),
    },
  };
}
