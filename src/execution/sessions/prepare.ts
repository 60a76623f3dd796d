/**
 * What a session's entry needs before its code runs.
 *
 * @module
 */
import type { RpcError } from "../../protocol/json_rpc.ts";
import type { ServerLog } from "../interpreters/types.ts";
import type { RunnableServer } from "../types.ts";
import type { Entry } from "./entry.ts";
import type { LaunchInput } from "./launch.ts";
import { maskedEvents, type Masking } from "./masking.ts";
import { maskOf } from "./environment.ts";
import type { SessionsDeps } from "./types.ts";
import { sessionValues } from "./values.ts";

/** Finds the values that the code gets. @returns Why it cannot run without more; else null. */
export async function prepareValues(
  { keptValues, keysPage }: Pick<SessionsDeps, "keptValues" | "keysPage">,
  entry: Entry,
  server: RunnableServer,
): Promise<RpcError | null> {
  const { userId } = entry.client;
  const prepared = sessionValues({
    server,
    given: entry.environment,
    kept: userId === null ? [] : await keptValues?.(server.name, userId) ?? [],
    page: keysPage(server.name),
    isUser: userId !== null,
  });
  if (prepared.kind === "missing") return prepared.error;
  entry.values = prepared.values;
  entry.mask = maskOf({ ...prepared.values.secrets, ...entry.environment });
  return null;
}

/** What the code of a session gets, and who hears of it; the operator's log has its output too. */
export function givenTo(entry: Entry, masking: Masking | null): Omit<LaunchInput, "onEnd"> {
  const { session, output, values, mask, client } = entry;
  const events = {
    ...session.events,
    onLog(log: ServerLog) {
      output.write(log);
      session.events.onLog(log);
    },
  };
  return { ...values, mask, client: client.key, ...maskedEvents(events, masking) };
}
