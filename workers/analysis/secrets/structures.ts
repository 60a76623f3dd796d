/**
 * Credentials in structures that keep name and value apart: Kubernetes secrets and variables, XML
 * attributes, Terraform's variables, lists of logins.
 *
 * @module
 */
import { entropyOf } from "./entropy.ts";
import type { FileFacts, Match } from "./match.ts";
import { judgeName } from "./names.ts";
import { isFiller, isPlaceholderPassword, isPlaceholderToken, isTemplate } from "./placeholders.ts";
import { isSecretPassword, isSecretValue } from "./values.ts";

const KIND = /^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?[ \t,]*$/gim;
const DATA =
  /^(?<indent>[ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*\{?[ \t]*\r?\n(?<body>(?:\k<indent>[ \t]+[^\r\n]{1,4000}\r?\n?){1,50})/gm;
const ENTRY =
  /^[ \t]+["']?[\w.-]{1,100}["']?[ \t]*:[ \t]*(?:[|>][+-]?[ \t]*\r?\n[ \t]+)?["']?(?<value>[^\s"',|>]{8,4000})/gm;
const ATTRIBUTES =
  /\b(?:key|name|id)[ \t]{0,3}=[ \t]{0,3}["'](?<name>[\w.:-]{3,80})["'][ \t\r\n]{1,20}value[ \t]{0,3}=[ \t]{0,3}["'](?<value>[^"'\r\n]{4,400})["']/gi;
/** `- name: API_KEY`, `value: …` on the next line, or the other way round; the same in JSON. */
const NAME_THEN_VALUE =
  /(?<![\w"'])["']?(?:name|key)["']?[ \t]{0,3}:[ \t]{0,3}["']?(?<name>[\w.-]{3,80})["']?[ \t]{0,3},?[ \t]{0,3}(?:\r?\n[ \t]{0,40})?["']?(?:default_?)?value["']?[ \t]{0,3}:[ \t]{0,3}["']?(?<value>[^\s"',{}]{6,400})/gi;
const VALUE_THEN_NAME =
  /(?<![\w"'])["']?value["']?[ \t]{0,3}:[ \t]{0,3}["']?(?<value>[^\s"',{}]{6,400})["']?[ \t]{0,3},?[ \t]{0,3}(?:\r?\n[ \t]{0,40})?["']?(?:name|key)["']?[ \t]{0,3}:[ \t]{0,3}["']?(?<name>[\w.-]{3,80})/gi;
const TERRAFORM =
  /\bvariable[ \t]{1,3}"(?<name>[\w-]{3,80})"[ \t]{0,3}\{(?:[^{}"]|"[^"\n]{0,200}"){0,300}?\bdefault[ \t]{0,10}=[ \t]{0,3}"(?<value>[^"\n]{6,400})"/g;
/** `ENV NAME value` of container files. */
const ENV = /^[ \t]{0,10}ENV[ \t]{1,5}(?<name>\w{3,80})[ \t]{1,5}["']?(?<value>[^\s"'=]{6,400})/gm;
const NETRC = /\bpassword[ \t\r\n]{1,20}(?<value>\S{6,200})/g;
const PGPASS = /^(?:[^:\n#]{1,200}:){4}(?<value>[^:\s]{6,200})[ \t]*$/gm;
/** How far the data of a Kubernetes secret may be from its kind. */
const NEAR = 4_000;
const LONG = 60;
const MAX_MATCHES = 100;

function decoded(value: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(value));
  } catch {
    return value;
  }
}

function isMadeUp(value: string): boolean {
  const inner = decoded(value);
  if (isTemplate(value) || isTemplate(inner) || entropyOf(value) < 2.5) return true;
  // In a long value runs and words occur by chance, or it is a document with names in it.
  return value.length > LONG
    ? isFiller(value)
    : isPlaceholderToken(value) || isPlaceholderPassword(inner);
}

function inKubernetes(text: string): Match[] {
  const found: Match[] = [];
  let after = 0;
  for (const kind of text.matchAll(KIND)) {
    // The data of one document is before or after its kind.
    const start = Math.max(after, kind.index - NEAR);
    const section = text.slice(start, kind.index + NEAR);
    after = kind.index + NEAR;
    for (const data of section.matchAll(DATA)) {
      const base = start + data.index + data[0].indexOf(data.groups!.body!);
      for (const entry of data.groups!.body!.matchAll(ENTRY)) {
        const value = entry.groups!.value!;
        if (isMadeUp(value) || /[(){}[\]\\]/.test(value)) continue;
        const at = base + entry.index + entry[0].lastIndexOf(value);
        const about = { kind: "kubernetes-secret", title: "Kubernetes secret" } as const;
        found.push({ ...about, severity: "high", at, value });
      }
    }
  }
  return found;
}

/** The match of a pattern with the groups `name` and `value`, where both are those of a credential. */
function ofPair(match: RegExpMatchArray, facts: FileFacts): Match[] {
  const { name = "password", value } = match.groups as { name?: string; value: string };
  const kind = judgeName(name);
  const at = match.index! + match[0].lastIndexOf(value);
  const quoted = /["']/.test(match.input![at - 1] ?? "");
  const about = { name, quoted, next: match.input![at + value.length] ?? "", file: facts };
  const secret = kind === "password"
    ? isSecretPassword(value, about)
    : kind !== null && isSecretValue(value, about, kind === "key");
  if (!secret) return [];
  const rule = kind === "password" ? "password" : "generic-api-key";
  const title = kind === "password" ? "Password" : "API key or token";
  return [{ kind: rule, title, severity: "high", at, value }];
}

function inPairs(text: string, facts: FileFacts): Match[] {
  const patterns = [ATTRIBUTES, NAME_THEN_VALUE, VALUE_THEN_NAME];
  if (/\.(?:tf|hcl)$/i.test(facts.path)) patterns.push(TERRAFORM);
  if (/(?:^|[/.])(?:docker|container)file(?:\.|$)/i.test(facts.path)) patterns.push(ENV);
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => ofPair(match, facts))
      .slice(0, MAX_MATCHES)
  );
}

/** `.netrc` and `.pgpass`: what they hold is a password by its place. */
function inLogins(text: string, facts: FileFacts): Match[] {
  const pattern = /(?:^|\/)[._]netrc$/i.test(facts.path)
    ? NETRC
    : /(?:^|\/)\.?pgpass(?:\.conf)?$/i.test(facts.path)
    ? PGPASS
    : null;
  if (pattern === null) return [];
  const login = { ...facts, settings: true };
  return [...text.matchAll(pattern)].flatMap((match) => ofPair(match, login));
}

/** Credentials of such structures in `text`. */
export function findInStructures(text: string, facts: FileFacts): Match[] {
  if (facts.checksums) return [];
  return [inKubernetes(text), inPairs(text, facts), inLogins(text, facts)]
    .flatMap((matches) => matches.slice(0, MAX_MATCHES));
}
