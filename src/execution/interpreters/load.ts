/**
 * What came of running an entrypoint: read, or made up where the code said nothing.
 *
 * @module
 */
import { type LoadCause, loadOutcome } from "../../../workers/session/bodies.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { bodyText } from "./body.ts";
import type { EndReason, LoadOutcome } from "./types.ts";

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

/** What a start is that its deadline interrupted: where it was, if it says so. */
export function lateCause(loaded: LoadOutcome): LoadCause {
  const { file = null, line = null } = loaded.kind === "raised" ? loaded.cause ?? {} : {};
  return { kind: "hangs", file, line, hint: null };
}

/** What a start is that ended its session. */
export function endedLoad(ended: { reason: EndReason; message: string }): LoadOutcome {
  const { reason, message } = ended;
  const kind = reason === "timeout" ? "hangs" : reason === "memory" ? "memory" : "raised";
  const cause: LoadCause = { kind, file: null, line: null, hint: null };
  return { kind: "raised", message, traceback: "", cause, ended: reason };
}

/** Time as people read it. */
export function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
