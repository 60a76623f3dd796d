/**
 * Notifications that a server's code sends to its client, read as far as it takes to know whether
 * they may go out: the code is a stranger's.
 *
 * @module
 */
import { readId, type RequestId } from "./json_rpc.ts";
import { LOGGING_LEVELS, type LoggingLevel } from "./mcp.ts";
import type { RawJson } from "./raw_json.ts";

/** A notification that may go out, with what decides whether it does. */
export type Notice =
  /** `token` names a request for progress; the client chooses it. */
  | { kind: "progress"; token: RequestId; progress: number }
  | { kind: "message"; level: LoggingLevel }
  | { kind: "list_changed" }
  | { kind: "updated"; uri: string }
  | { kind: "elicitation" };

const URI_MAX_BYTES = 64 * 1024;
const LEVELS: ReadonlySet<string> = new Set(LOGGING_LEVELS);

function isLevel(text: string | null): text is LoggingLevel {
  return text !== null && LEVELS.has(text);
}

/** Whether an optional text is one. */
function isTextOrNone(raw: RawJson | undefined): boolean {
  return raw === undefined || raw.isNull || raw.isString;
}

function readProgress(params: RawJson): Notice | null {
  const members = params.pickOnce("progressToken", "progress", "total", "message");
  if (members === null) return null;
  const { progressToken, progress, total, message } = members;
  const token = readId(progressToken);
  const value = progress?.number() ?? null;
  const hasTotal = total !== undefined && !total.isNull;
  if (token === null || value === null || !Number.isFinite(value) || !isTextOrNone(message)) {
    return null;
  }
  return hasTotal && total.number() === null ? null : { kind: "progress", token, progress: value };
}

function readLog(params: RawJson): Notice | null {
  const members = params.pickOnce("level", "logger", "data");
  if (members === null) return null;
  const { level, logger, data } = members;
  const text = level?.key() ?? null;
  if (!isLevel(text) || !isTextOrNone(logger) || data === undefined) return null;
  return { kind: "message", level: text };
}

/** What a notification says; null when it is none that a server may send, or malformed. */
export function readNotice(method: string, params: RawJson | null): Notice | null {
  switch (method) {
    case "notifications/progress":
      return params && readProgress(params);
    case "notifications/message":
      return params && readLog(params);
    case "notifications/tools/list_changed":
    case "notifications/resources/list_changed":
    case "notifications/prompts/list_changed":
      return params === null || params.isObject ? { kind: "list_changed" } : null;
    case "notifications/resources/updated": {
      const uri = params?.pickOnce("uri")?.uri?.string(URI_MAX_BYTES) ?? null;
      return uri === null ? null : { kind: "updated", uri };
    }
    case "notifications/elicitation/complete":
      return params?.pickOnce("elicitationId")?.elicitationId?.isString
        ? { kind: "elicitation" }
        : null;
    default:
      return null;
  }
}

const RANK = new Map(LOGGING_LEVELS.map((level, rank) => [level, rank]));

/** Whether a message of `level` is urgent enough for a client that asked for `wanted`. */
export function isUrgentEnough(level: LoggingLevel, wanted: LoggingLevel | null): boolean {
  return wanted === null || RANK.get(level)! >= RANK.get(wanted)!;
}
