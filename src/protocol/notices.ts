/**
 * Notifications that a server's code sends to its client, parsed: the code is a stranger's.
 *
 * @module
 */
import { z } from "zod";
import { LOGGING_LEVELS, type LoggingLevel } from "./mcp.ts";

/** Names a request for progress notifications; the client chooses it. */
export const ProgressToken = z.union([z.string().max(1024), z.int()]);
/** See {@link ProgressToken}. */
export type ProgressToken = z.infer<typeof ProgressToken>;

const progress = z.looseObject({
  progressToken: ProgressToken,
  progress: z.number(),
  total: z.number().nullish(),
  message: z.string().nullish(),
});
const message = z.looseObject({
  level: z.enum(LOGGING_LEVELS),
  logger: z.string().nullish(),
  data: z.unknown(),
});
const updated = z.looseObject({ uri: z.string() });
const complete = z.looseObject({ elicitationId: z.string() });
const anything = z.looseObject({}).nullish();

/** A notification that may go out, with what decides whether it does. */
export type Notice =
  | { kind: "progress"; token: ProgressToken; progress: number }
  | { kind: "message"; level: LoggingLevel }
  | { kind: "list_changed" }
  | { kind: "updated"; uri: string }
  | { kind: "elicitation" };

/** What a notification says; null when it is none that a server may send, or malformed. */
export function readNotice(method: string, params: unknown): Notice | null {
  switch (method) {
    case "notifications/progress": {
      const { data } = progress.safeParse(params);
      return data ? { kind: "progress", token: data.progressToken, progress: data.progress } : null;
    }
    case "notifications/message": {
      const { data } = message.safeParse(params);
      return data ? { kind: "message", level: data.level } : null;
    }
    case "notifications/tools/list_changed":
    case "notifications/resources/list_changed":
    case "notifications/prompts/list_changed":
      return anything.safeParse(params).success ? { kind: "list_changed" } : null;
    case "notifications/resources/updated": {
      const { data } = updated.safeParse(params);
      return data ? { kind: "updated", uri: data.uri } : null;
    }
    case "notifications/elicitation/complete":
      return complete.safeParse(params).success ? { kind: "elicitation" } : null;
    default:
      return null;
  }
}

const RANK = new Map(LOGGING_LEVELS.map((level, rank) => [level, rank]));

/** Whether a message of `level` is urgent enough for a client that asked for `wanted`. */
export function isUrgentEnough(level: LoggingLevel, wanted: LoggingLevel | null): boolean {
  return wanted === null || RANK.get(level)! >= RANK.get(wanted)!;
}
