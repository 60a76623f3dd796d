/**
 * Credentials that are assigned to several names at once: `API_KEY, HOST = "…", "api.acme.com"`.
 *
 * @module
 */
import type { FileFacts, Match } from "./match.ts";
import { judgeName } from "./names.ts";
import { isSecretPassword, isSecretValue, type ValueFacts } from "./values.ts";

const ROW =
  /^[ \t]*(?:(?:const|let|var)[ \t]{1,3})?[([]?[ \t]{0,3}(?<names>[A-Za-z_][\w.]{0,60}(?:[ \t]{0,3},[ \t]{0,3}[A-Za-z_][\w.]{0,60}){1,9})[ \t]{0,3}[)\]]?[ \t]{0,3}:?=[ \t]{0,3}[([]?(?<values>[^\n]{8,1000})$/gm;
const VALUE =
  /[ \t]{0,3}(?:[rbuf]{0,2}(?:"(?<double>[^"\n]{0,400})"|'(?<single>[^'\n]{0,400})')|[^,"'\n]{0,100})[ \t]{0,3}(?:,|$|[)\]])/y;
const MAX_MATCHES = 50;

/** The values of a row, with where each begins; null for those that are computed. */
function valuesOf(text: string): ({ value: string; at: number } | null)[] {
  const found: ({ value: string; at: number } | null)[] = [];
  VALUE.lastIndex = 0;
  for (let match = VALUE.exec(text); match !== null && match[0] !== ""; match = VALUE.exec(text)) {
    const value = match.groups!.double ?? match.groups!.single;
    const start = VALUE.lastIndex - match[0].length;
    found.push(
      value === undefined ? null : { value, at: start + match[0].search(/["']/) + 1 },
    );
    if (VALUE.lastIndex >= text.length) break;
  }
  return found;
}

/** Credentials in such rows. */
export function findInRows(text: string, facts: FileFacts): Match[] {
  if (facts.checksums) return [];
  const found: Match[] = [];
  for (const row of text.matchAll(ROW)) {
    const { names, values } = row.groups as { names: string; values: string };
    const start = row.index + row[0].length - values.length;
    const given = valuesOf(values);
    for (const [index, written] of names.split(",").entries()) {
      const name = written.trim();
      const kind = judgeName(name);
      const own = given[index] ?? null;
      if (kind === null || own === null) continue;
      const about: ValueFacts = { name, quoted: true, next: "", file: facts };
      const secret = kind === "password"
        ? isSecretPassword(own.value, about)
        : isSecretValue(own.value, about, kind === "key");
      if (!secret) continue;
      const title = kind === "password" ? "Password" : "API key or token";
      const rule = kind === "password" ? "password" : "generic-api-key";
      found.push({ kind: rule, title, severity: "high", at: start + own.at, value: own.value });
    }
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}
