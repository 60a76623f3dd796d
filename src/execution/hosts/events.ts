/**
 * Reads what a session's code says beside its answers.
 *
 * @module
 */
import { pythonEvent } from "../../../workers/session/bodies.ts";
import type { RawJson } from "../../protocol/raw_json.ts";
import { headOf, rawMember, smallBodyText } from "./body.ts";

const HEAD = ["type", "level", "logger", "text", "method", "request_id", "retry_ms"];

/** An event; the parameters of a notification are not looked into. */
export function readEvent(body: Uint8Array) {
  const head = headOf(smallBodyText(body), HEAD, "params");
  const params: RawJson | null = rawMember(head["params"]);
  const event = pythonEvent.parse(head);
  return event.type === "notification" ? { ...event, params } : event;
}
