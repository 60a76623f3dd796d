/**
 * Requirements with extras and markers (PEP 508), as a session would install them.
 *
 * @module
 */
import { normalName } from "../advisories/ecosystem.ts";
import { appliesInSession } from "../manifests/markers.ts";
import { allowedBy } from "../manifests/pep508.ts";
import type { Need } from "./types.ts";

const HEAD = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,200}[A-Za-z0-9])?)\s*(?:\[([^\]]{0,1000})\])?\s*/;
/** Longest requirement, in characters. */
const MAX_LENGTH = 4_000;

/** A requirement before its marker is looked at. */
export interface Written {
  need: Omit<Need, "by">;
  marker: string;
  /** It names an address, which is not fetched. */
  address: boolean;
}

/** Reads a requirement; null when it is none. */
export function readRequirement(text: string): Written | null {
  if (text.length > MAX_LENGTH) return null;
  const head = HEAD.exec(text);
  if (head === null) return null;
  const name = normalName("PyPI", head[1]!);
  const extras = (head[2] ?? "").split(",").map((extra) => normalName("PyPI", extra.trim()))
    .filter((extra) => extra !== "");
  const rest = text.slice(head[0].length);
  if (rest.startsWith("@")) {
    const marker = rest.split(/(?<=\s);/).slice(1).join(";");
    return { need: { name, extras, specs: [""] }, marker, address: true };
  }
  const end = rest.indexOf(";");
  let spec = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (spec.startsWith("(") && spec.endsWith(")")) spec = spec.slice(1, -1).trim();
  if (allowedBy(spec) === null) return null;
  const marker = end < 0 ? "" : rest.slice(end + 1);
  return { need: { name, extras, specs: [spec] }, marker, address: false };
}

/** Whether a marker holds in a session in which these extras were asked for. */
export function holds(marker: string, extras: readonly string[]): boolean {
  if (marker.trim() === "") return true;
  // Names of extras are compared in normal form.
  const plain = marker.replace(
    /(\bextra\s*==\s*)(["'])([^"']{1,200})\2/g,
    (_, start, quote, extra) => `${start}${quote}${normalName("PyPI", extra)}${quote}`,
  );
  return ["", ...extras].some((extra) => appliesInSession(plain, extra));
}

/** What a package with these extras requires in a session, of the lines of its metadata. */
export function needsOf(
  lines: readonly string[],
  { by, extras }: { by: string; extras: readonly string[] },
): Need[] {
  return lines.flatMap((line) => {
    const written = readRequirement(line);
    if (written === null || !holds(written.marker, extras)) return [];
    return [{ ...written.need, by }];
  });
}

/** A need as a requirement, for people. */
export function textOf({ name, extras, specs }: Need): string {
  return `${name}${extras.length > 0 ? `[${extras.join(",")}]` : ""}${specs.join(" || ")}`
    .slice(0, 300);
}
