/**
 * What a session's entry needs before its code runs, and what it loses of that while it does.
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
import { maskOf, type NamedValue, type SessionEnvironment } from "./environment.ts";
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
  { keptValues, keysPage, keepsValues = true }: Pick<
    SessionsDeps,
    "keptValues" | "keysPage" | "keepsValues"
  >,
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
    keepsValues,
  });
  if (prepared.kind === "missing") return prepared.error;
  setValues(entry, entry.environment, prepared.values);
  return null;
}

/** Values of a token that are taken out of what a session says: those before have run out. */
const TOKENS_MAX = 5;

/**
 * What has a session know a token that took the place of another: what it says shows neither. How
 * often tokens change is up to their service, so that the oldest are forgotten.
 */
function learner(entry: Entry, masking: Masking | null): (name: string, value: string) => void {
  const before = entry.mask;
  let learnt: readonly NamedValue[] = [];
  return (name, value) => {
    const { values } = entry;
    if (values.secrets[name] === value) return;
    const same = learnt.filter(([other]) => other === name).slice(1 - TOKENS_MAX);
    learnt = [...learnt.filter(([other]) => other !== name), ...same, [name, value]];
    const after = maskOf({}, learnt);
    entry.mask = (text) => after(before(text));
    entry.values = { ...values, secrets: { ...values.secrets, [name]: value } };
    masking?.learn(learnt);
  };
}

/** How a session's tokens are looked up when they are sent. */
function currentOf(
  { currentValue }: Pick<SessionsDeps, "currentValue">,
  entry: Entry,
  masking: Masking | null,
) {
  const learn = learner(entry, masking);
  return async (name: string): Promise<CurrentValue> => {
    const { server, userId } = entry.row;
    if (currentValue === undefined || userId === null) {
      return { kind: "none", why: `${name} is not connected` };
    }
    const now = await currentValue(server, userId, name);
    if (now.kind === "value") learn(name, now.value);
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

type WithdrawDeps = Pick<SessionsDeps, "keptOrigins" | "log">;

/** What is kept now; where nobody can say, nothing is taken to be. */
async function originsNow(
  { keptOrigins, log }: WithdrawDeps,
  { row }: Entry,
): Promise<Set<string>> {
  try {
    return await keptOrigins?.(row.server, row.userId!) ?? new Set();
  } catch (error) {
    log.error("session.kept_values_unknown", { server: row.server, session: row.instance, error });
    return new Set();
  }
}

/**
 * Has the broker send nothing any more of what the session has from what is not kept as it was.
 *
 * @returns Whether its code has some of that itself: then only its end helps.
 */
export async function withdrawGone(deps: WithdrawDeps, entry: Entry): Promise<boolean> {
  const { kept, sealed } = entry.values;
  if (Object.keys(kept).length === 0) return false;
  const now = await originsNow(deps, entry);
  const gone = Object.keys(kept).filter((name) => !now.has(kept[name]!));
  for (const secret of sealed) if (gone.includes(secret.name)) secret.isWithdrawn = true;
  return gone.some((name) => !sealed.some((secret) => secret.name === name));
}

/** {@link withdrawGone}, and ends the session where that is needed. */
export async function recheckKept(
  deps: WithdrawDeps,
  entry: Entry,
  finish: (entry: Entry, reason: string) => Promise<void>,
): Promise<void> {
  const check = async () => {
    if (await withdrawGone(deps, entry)) await finish(entry, "key_removed");
  };
  await check();
  // One that is just beginning, or being stored, may have read its values before.
  await Promise.allSettled([entry.ready, entry.leaving]);
  await check();
}
