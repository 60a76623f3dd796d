/** Reads manifests in tests. */
import { readManifests } from "../../../../workers/analysis/manifests/manifests.ts";
import type { Allowed, Requirement } from "../../../../workers/analysis/manifests/requirement.ts";

/** All manifests among `files`. */
export function readAll(
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
  entrypoint = "server.py",
) {
  const entries = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? new TextEncoder().encode(content) : content,
  ]);
  return readManifests(new Map(entries), entrypoint, { begin() {}, refuse() {} });
}

function shown(allowed: Allowed): string {
  if (allowed.kind === "exact") return allowed.version;
  return allowed.kind === "range" ? `(${allowed.ranges.join(" or ")})` : `@${allowed.from}`;
}

/** `name version` of each requirement: a version, ranges in parentheses, or `@` and an address. */
export function lines(requirements: readonly Requirement[]): string[] {
  return requirements.map(({ name, allowed }) => `${name} ${shown(allowed)}`);
}

/** The lines of one file that must be readable. */
export function linesOf(file: string, text: string): string[] {
  const { requirements, unreadable } = readAll({ [file]: text });
  if (unreadable.length > 0) throw new Error(JSON.stringify(unreadable));
  return lines(requirements);
}
