/**
 * Declarations as they are stored. Each was valid when it was declared; what is valid may have become
 * less since, and then neither a page nor a session fails.
 *
 * @module
 */
import { type Configuration, DeclaredVariable } from "./variables.ts";

/** Each round drops a member at least. */
const ROUNDS_MAX = 12;

type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Hosts as they were declared: the broker sends nothing to those that are not allowed any more. */
function hostsIn({ hosts }: Members): string[] | null {
  if (hosts === undefined) return null;
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string") : [];
}

/** `members` without what is not valid; null when that is the name. */
function valid(members: Members): DeclaredVariable | null {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const parsed = DeclaredVariable.safeParse(members);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const keys = issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])];
      if (keys.includes("name")) return null;
      members = Object.fromEntries(Object.entries(members).filter(([key]) => !keys.includes(key)));
    }
  }
  return null;
}

/** Whether it was a secret when it was declared: later versions may judge by the name in another way. */
function wasSecret(members: Members): Members {
  if (typeof members["secret"] === "boolean") return {};
  if (members["hosts"] !== undefined || members["exposed"] === true) return { secret: true };
  return members["default"] === undefined ? {} : { secret: false };
}

function variable(stored: unknown): DeclaredVariable | null {
  const parsed = DeclaredVariable.safeParse(stored);
  if (parsed.success) return parsed.data;
  if (!isObject(stored)) return null;
  const hosts = hostsIn(stored);
  const { hosts: _, ...others } = { ...stored, ...wasSecret(stored) };
  const found = valid(others);
  if (found === null || hosts === null) return found;
  // Without them the code would get the value itself.
  return { ...found, hosts };
}

/**
 * The variables of a declaration that was stored; null where the author has declared none. Never
 * fails: what is not valid any more is left out, but for hosts, without which the code would get
 * secrets that it never had.
 */
export function storedConfiguration(stored: unknown): Configuration | null {
  if (stored === null || stored === undefined) return null;
  const all = Array.isArray(stored) ? stored : [];
  const found = new Map<string, DeclaredVariable>();
  for (const each of all) {
    const one = variable(each);
    if (one !== null && !found.has(one.name)) found.set(one.name, one);
  }
  return [...found.values()];
}
