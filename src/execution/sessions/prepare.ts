/**
 * What a session's entry needs before its code runs.
 *
 * @module
 */
import type { RpcError } from "../../protocol/json_rpc.ts";
import type { EndReason, ServerLog } from "../interpreters/types.ts";
import type { RunnableServer } from "../types.ts";
import type { Entry } from "./entry.ts";
import type { Launched, LaunchInput, Run } from "./launch.ts";
import { createMasking, maskedEvents, maskedStart, type Masking } from "./masking.ts";
import { maskOf, type SessionEnvironment } from "./environment.ts";
import type { SessionsDeps } from "./types.ts";
import { type SessionValues, sessionValues } from "./values.ts";

/** Has the session know its values, and the operator's log not. */
export function setValues(
  entry: Entry,
  environment: SessionEnvironment,
  values: SessionValues,
): void {
  entry.environment = environment;
  entry.values = values;
  entry.mask = maskOf({ ...values.secrets, ...environment });
}

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
  setValues(entry, entry.environment, prepared.values);
  return null;
}

/** What the code of a session gets, and who hears of it; the operator's log has its output too. */
function givenTo(entry: Entry, masking: Masking | null): Omit<LaunchInput, "onEnd"> {
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

/** Has `run` run the session's code, of which nobody hears a secret. */
export async function runMasked(
  entry: Entry,
  run: Run,
  onEnd: (reason: EndReason) => void,
): Promise<Launched> {
  const masking = createMasking(entry.values.secrets);
  return maskedStart(await run({ ...givenTo(entry, masking), onEnd }), masking);
}
