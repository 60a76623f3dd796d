/**
 * What a session's code gets of its variables, and what only the egress broker knows: values that
 * the client gave, those that are kept for its user, and defaults.
 *
 * @module
 */
import type { SealedSecret } from "../../egress/types.ts";
import { placeholderFor } from "../../keys/placeholder.ts";
import { serviceLabel } from "../../keys/services.ts";
import type { KeptValue } from "../../keys/session_values.ts";
import { isSecretName, valueFault, type Variable } from "../../keys/variables.ts";
import { CODES, type RpcError } from "../../protocol/json_rpc.ts";
import type { RunnableServer } from "../types.ts";
import type { SessionEnvironment } from "./environment.ts";

/** Where each variable of a session goes: to its code, or to the broker alone. */
export interface SessionValues {
  /** What `os.environ` holds. */
  environment: SessionEnvironment;
  /** What the code uses without having it. */
  sealed: SealedSecret[];
  /** Values that nobody but the code, or the broker, is to see, by name. */
  secrets: SessionEnvironment;
  /** Origins of those that are kept, by name. */
  kept: Readonly<Record<string, string>>;
}

/** Values of a session without any. */
export const NO_VALUES: SessionValues = { environment: {}, sealed: [], secrets: {}, kept: {} };

interface Given {
  value: string;
  /** Hosts that a kept secret is for; null for one that the declaration decides about. */
  hosts: readonly string[] | null;
  /** Whether it is a token that changes while the session lives. */
  changes?: boolean;
  /** Of one that is kept. */
  origin?: string;
}

export interface ValuesInput {
  server: Pick<RunnableServer, "name" | "variables" | "neededToStart">;
  /** What the client sent. */
  given: SessionEnvironment;
  /** What is kept for its user. */
  kept: readonly KeptValue[];
  /** Page on which values can be entered. */
  page: string;
  /** Page on which a variable is connected to another service. */
  connectPage: (name: string) => string;
  /** Whether the caller has signed in. */
  isUser: boolean;
  /** Whether values can be entered on `page`. */
  keepsValues: boolean;
}

const SHOWN_MAX = 20;

function collect({ server, given, kept }: ValuesInput): Map<string, Given> {
  const found = new Map<string, Given>();
  for (const { name, default: value, from } of server.variables) {
    // What the scan found, code has by itself, or it is an example.
    if (value !== null && from === "author") found.set(name, { value, hosts: null });
  }
  for (const one of kept) {
    if (one.state === "ready") found.set(one.name, { ...one, changes: one.isConnection ?? false });
  }
  for (const [name, value] of Object.entries(given)) found.set(name, { value, hosts: null });
  return found;
}

/** What is wrong with the values, by name. */
function faultsOf(input: ValuesInput, found: Map<string, Given>): Map<string, string> {
  const { server: { variables, neededToStart }, kept } = input;
  const faults = new Map<string, string>();
  const whyNot = (name: string) => {
    const state = kept.find((one) => one.name === name)?.state;
    const service = variables.find((one) => one.name === name)?.oauth ?? null;
    if (service !== null && (state === undefined || state === "ready")) {
      return `is not connected to ${serviceLabel(service)}`;
    }
    return MISSING[state === undefined || state === "ready" ? "absent" : state];
  };
  // What the scan says is required may be so in one tool only: there the author's word is missing.
  const wanted = variables.filter(({ required, from }) => required && from === "author");
  const names = wanted.map(({ name }) => name);
  if (neededToStart.length > 0 && !neededToStart.some((name) => found.has(name))) {
    names.push(...neededToStart.filter((name) => !names.includes(name)));
  }
  for (const name of names) {
    if (!found.get(name)?.value) faults.set(name, whyNot(name));
  }
  for (const variable of variables) {
    const value = found.get(variable.name)?.value;
    const fault = value ? valueFault(variable, value) : null;
    if (fault !== null) faults.set(variable.name, fault);
  }
  return faults;
}

const MISSING: Record<Exclude<KeptValue["state"], "ready"> | "absent", string> = {
  absent: "is not set",
  changed: "is kept, but the server now uses it in another way: agree to that, or enter it again",
  unreadable: "is kept under a key that this service no longer has: enter it again",
  reconnect: "is connected, but that sign-in has ended, or the server asks for more: connect again",
};

/** A sign-in at another service that a session waits for. */
interface WantedConnection {
  variable: string;
  service: string;
  /** Page on which the user signs in. */
  url: string;
}

function connectionsOf(
  { server: { variables }, connectPage }: ValuesInput,
  faults: Map<string, string>,
): WantedConnection[] {
  return variables.flatMap(({ name, oauth }) =>
    oauth === null || !faults.has(name)
      ? []
      : [{ variable: name, service: serviceLabel(oauth), url: connectPage(name) }]
  );
}

/** What to do about values that are entered, and sign-ins that are missing. */
function remedyOf(
  { server: { name }, page, isUser, keepsValues }: ValuesInput,
  faults: Map<string, string>,
  connect: readonly WantedConnection[],
): string {
  const sentences = connect.map(({ service, url }) => `Connect to ${service} at ${url}`);
  const others = faults.size - connect.length;
  if ([...faults.values()].includes(MISSING.changed)) {
    sentences.push(`Agree at ${page} or with "berth keys agree ${name}"`);
  }
  if (others > 0) {
    const it = others === 1 ? "it" : "them";
    const where = isUser ? ` or with "berth keys set ${name}"` : "";
    const enter = `${isUser ? "Enter" : "Sign in and enter"} ${it} at ${page}${where}, or pass`;
    sentences.push(
      `${keepsValues ? enter : "This service keeps no values. Pass"} ${it} for one ` +
        'session: "berth … --env NAME", the header Mcp-Server-Env-NAME, or ' +
        'params._meta["berth/environment"] of initialize',
    );
  } else if (!isUser) {
    sentences.push("Your client has to sign in here, so that its sessions are yours");
  }
  return sentences.join(". ");
}

function missingError(input: ValuesInput, faults: Map<string, string>): RpcError {
  const { server: { name, variables }, page } = input;
  const lines = [...faults].slice(0, SHOWN_MAX).map(([variable, fault]) => {
    const about = variables.find((each) => each.name === variable)?.description;
    return `  ${variable} ${fault}${about ? ` (${about.split("\n")[0]!.slice(0, 200)})` : ""}`;
  });
  const connect = connectionsOf(input, faults);
  return {
    code: CODES.server,
    message: `"${name}" needs values that it does not have:\n${lines.join("\n")}\n` +
      remedyOf(input, faults, connect),
    data: {
      reason: "variables_missing",
      missing_environment: [...faults.keys()].slice(0, SHOWN_MAX),
      enter_at: page,
      ...(connect.length === 0 ? {} : { connect }),
    },
  };
}

/** Whether a value is to be kept from whoever reads what the server says. */
function isSecret(name: string, variable: Variable | undefined, isKept: boolean): boolean {
  return variable?.secret ?? (isKept || isSecretName(name));
}

/**
 * Where a value may go without its code having it; null when the code gets it. What is kept goes by
 * what its user agreed to, whatever the record said that the session began with.
 */
function sealedHosts(variable: Variable | undefined, { hosts }: Given): readonly string[] | null {
  return hosts ?? (variable?.delivery === "placeholder" ? variable.hosts : null);
}

/** The values of a session, or why its code cannot run without more. */
export function sessionValues(
  input: ValuesInput,
): { kind: "values"; values: SessionValues } | { kind: "missing"; error: RpcError } {
  const found = collect(input);
  const faults = faultsOf(input, found);
  if (faults.size > 0) return { kind: "missing", error: missingError(input, faults) };
  const environment: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const kept: Record<string, string> = {};
  const sealed: SealedSecret[] = [];
  for (const [name, given] of found) {
    const variable = input.server.variables.find((each) => each.name === name);
    const hosts = sealedHosts(variable, given);
    const { value, origin } = given;
    // A token is looked up whenever it is sent.
    if (origin !== undefined && !given.changes) kept[name] = origin;
    if (isSecret(name, variable, given.hosts !== null)) secrets[name] = value;
    if (hosts === null) environment[name] = value;
    else {
      const placeholder = placeholderFor(value);
      environment[name] = placeholder;
      sealed.push({ name, placeholder, value, hosts, ...(given.changes ? { changes: true } : {}) });
    }
  }
  return { kind: "values", values: { environment, sealed, secrets, kept } };
}
