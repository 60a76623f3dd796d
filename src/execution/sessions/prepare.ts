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
import type { CurrentValue } from "../../egress/types.ts";
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
    connectPage: (name) => `${keysPage(server.name)}/${name}/connect`,
    isUser: userId !== null,
  });
  if (prepared.kind === "missing") return prepared.error;
  setValues(entry, entry.environment, prepared.values);
  return null;
}

/** Has the session know a token that took the place of another; what it says may show neither. */
function learn(entry: Entry, masking: Masking | null, name: string, value: string): void {
  const { values, mask: before } = entry;
  if (values.secrets[name] === value) return;
  const after = maskOf({ [name]: value });
  entry.mask = (text) => after(before(text));
  entry.values = {
    ...values,
    secrets: { ...values.secrets, [name]: value },
    sealed: values.sealed.map((one) => one.name === name ? { ...one, value } : one),
  };
  masking?.learn(name, value);
}

/** How a session's tokens are looked up when they are sent. */
function currentOf(
  { currentValue }: Pick<SessionsDeps, "currentValue">,
  entry: Entry,
  masking: Masking | null,
) {
  return async (name: string): Promise<CurrentValue> => {
    const { server, userId } = entry.row;
    if (currentValue === undefined || userId === null) {
      return { kind: "none", why: `${name} is not connected` };
    }
    const now = await currentValue(server, userId, name);
    if (now.kind === "value") learn(entry, masking, name, now.value);
    return now;
  };
}

/** What the code of a session gets, and who hears of it; the operator's log has its output too. */
function givenTo(
  entry: Entry,
  masking: Masking | null,
  current: NonNullable<LaunchInput["current"]>,
): Omit<LaunchInput, "onEnd"> {
  const { session, output, values: { environment, sealed }, client } = entry;
  const mask = (text: string) => entry.mask(text);
  const events = {
    ...session.events,
    onLog(log: ServerLog) {
      output.write(log);
      session.events.onLog(log);
    },
  };
  return {
    environment,
    sealed,
    current,
    mask,
    client: client.key,
    ...maskedEvents(events, masking),
  };
}

/** Has `run` run the session's code, of which nobody hears a secret. */
export async function runMasked(
  deps: Pick<SessionsDeps, "currentValue">,
  entry: Entry,
  run: Run,
  onEnd: (reason: EndReason) => void,
): Promise<Launched> {
  const masking = createMasking(entry.values.secrets);
  const given = givenTo(entry, masking, currentOf(deps, entry, masking));
  return maskedStart(await run({ ...given, onEnd }), masking);
}
