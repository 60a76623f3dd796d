/**
 * Private keys and certificates in text: PEM (RFC 7468), OpenPGP (RFC 9580), PuTTY.
 *
 * @module
 */
import { entropyOf } from "./entropy.ts";
import type { FileFacts, Match } from "./match.ts";

const BEGIN =
  /-{4,5} ?BEGIN ((?:[A-Z0-9]{1,12} ){0,4}(?:PRIVATE KEY(?: BLOCK)?|CERTIFICATE)) ?-{4,5}/g;
const BODY_BEGINS = /^\s{0,20}(?:\\r)?(?:\\n|\r?\n|[A-Za-z0-9+/]{30})/;
const PUTTY =
  /PuTTY-User-Key-File-\d: [\w-]{1,40}[\s\S]{0,4000}?Private-Lines: \d{1,4}\s{1,4}(?<body>[A-Za-z0-9+/=]{30,100})/g;
/** What of a block is looked at; keys of every size show themselves in less. */
const MAX_BODY = 6_000;
const MIN_BASE64 = 30;
const MAX_MATCHES = 100;

/** The base64 of a block: headers, quotes, escapes, indents and comment marks taken away. */
function base64Of(text: string): string {
  const lines = text.split(/\\r\\n|\\n|\r?\n/).map((line) => line.replace(/^[\s"'`+#*>/\\]+/, ""))
    .filter((line) => !/^[A-Za-z-]+: /.test(line));
  return lines.map((line) => /^[A-Za-z0-9+/=]+/.exec(line.trim())?.[0] ?? "").join("");
}

/** Every private key; for information every certificate, and keys that are there to test with. */
export function findKeys(text: string, facts: FileFacts): Match[] {
  const found: Match[] = [];
  for (const begin of text.matchAll(BEGIN)) {
    const label = begin[1]!;
    const start = begin.index + begin[0].length;
    const rest = text.slice(start, start + MAX_BODY);
    // Code that looks for the header goes on with a quote or an operator.
    if (!BODY_BEGINS.test(rest)) continue;
    const end = rest.indexOf("----");
    const body = base64Of(end < 0 ? rest : rest.slice(0, end));
    // A header alone, or one with dots below it, is documentation.
    if (body.length < MIN_BASE64 || entropyOf(body) < 3) continue;
    const isKey = label.includes("PRIVATE KEY");
    found.push({
      kind: isKey ? "private-key" : "certificate",
      title: isKey ? "Private key" : "Certificate",
      severity: isKey && !facts.damped ? "critical" : "info",
      at: begin.index,
      value: body,
      cwe: "CWE-321",
    });
    if (found.length === MAX_MATCHES) return found;
  }
  for (const putty of text.matchAll(PUTTY)) {
    const value = putty.groups!.body!;
    const severity = facts.damped ? "info" : "critical";
    const about = { kind: "private-key", title: "Private key", severity } as const;
    found.push({ ...about, at: putty.index, value, cwe: "CWE-321" });
  }
  return found;
}
