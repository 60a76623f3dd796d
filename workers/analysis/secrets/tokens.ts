/**
 * Signed tokens, credentials in addresses and in headers.
 *
 * @module
 */
import { entropyOf, mixesDigits } from "./entropy.ts";
import type { FileFacts, Match } from "./match.ts";
import { isPlaceholderPassword, isPlaceholderToken, isTemplate } from "./placeholders.ts";

const JWT = /(?<![\w.-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{10,1000})?(?![\w-])/g;
/** Base64 of a JWT: "eyJ" becomes "ZXlK". */
const WRAPPED_JWT = /(?<![\w+/-])ZXlK[\w+/-]{60,4000}={0,2}(?![\w+/-])/g;
const CREDENTIALS_IN_URL =
  /(?<![\w+.-])([a-z][a-z0-9+.-]{1,20}):\/\/([^\s:@/"'<>`\\]{0,100}):([^\s@/"'<>`\\]{3,200})@([\w.[\]-]{1,200})/gi;
const HEADER =
  /authorization["'`\]\\]{0,3}\s{0,3}[:=,]\s{0,3}\\?[bf]?["'`]?\s{0,2}(?:bearer|(?:api-?)?token|basic|apikey|bot|key)\s{1,3}(?<secret>[\w+/=.~:-]{12,1000})/gi;
/** Headers on the command line, where a value without a scheme is a credential too. */
const CURL_HEADER =
  /\s(?:-H|--header)[ =\t]{0,5}["'](?:authorization:[ \t]{0,5}(?<auth>[\w=~@.+/-]{8,1000})|(?:x-)?(?:[a-z]{2,20}-)?(?:(?:api-?)?(?:key|token)):[ \t]{0,5}(?<key>[\w=~@.+/-]{8,1000}))["']/gi;
const CURL = /\bcurl\b/g;
const USER =
  /[ \t\n](?:-u|--user)(?:=|[ \t]{0,5})(?:"(?<double>[^"\n]{4,200})"|'(?<single>[^'\n]{4,200})'|(?<bare>[\w@.+-]{0,60}:(?:"[^"\n]{3,100}"|'[^'\n]{3,100}'|[^\s"'<>{}[\]()]{3,100})))(?=[\s"'\\`]|$)/g;
/** A command goes on for a few lines. */
const MAX_COMMAND = 600;
const MAX_MATCHES = 100;

function decodeBase64(text: string): string | null {
  try {
    const normal = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
    return new TextDecoder().decode(Uint8Array.fromBase64(normal));
  } catch {
    return null;
  }
}

/** By its beginning: cut and retouched tokens are still recognised. */
function isJwtHeader(text: string): boolean {
  return /^\s{0,4}\{\s{0,4}"(?:alg|typ|kid|cty|enc|zip|x5t|jku)"/.test(decodeBase64(text) ?? "");
}

/** A token that nobody signed opens nothing; neither does one without room for a claim. */
function isUnsigned(token: string): boolean {
  const [header, payload, signature] = token.split(".");
  return /"alg"\s?:\s?"none"/i.test(decodeBase64(header!) ?? "") ||
    (signature === undefined && payload!.length < 30);
}

/** The token of the documentation at jwt.io and its many copies. */
function isDocumented(token: string): boolean {
  const [header, payload] = token.split(".").map((part) => decodeBase64(part) ?? "");
  return /^\{"alg":"HS256","typ":"JWT"\}$/.test(header!) &&
    /^\{"sub":"1234567890","name":"John Doe"(?:,"admin":true)?(?:,"iat":\d{1,12})?\}$/.test(
      payload!.replaceAll(/\s(?=["{}])|(?<=[:,{])\s/g, ""),
    );
}

function jwts(text: string, facts: FileFacts): Match[] {
  // Whoever explains or tests tokens shows some.
  if (facts.damped) return [];
  const about = { kind: "jwt", title: "JSON Web Token", severity: "high" } as const;
  const plain = [...text.matchAll(JWT)].filter(([value]) =>
    isJwtHeader(value.split(".")[0]!) && !isDocumented(value) && !isUnsigned(value)
  );
  const wrapped = [...text.matchAll(WRAPPED_JWT)].filter(([value]) => {
    const inner = decodeBase64(value)?.trim() ?? "";
    return /^eyJ[\w-]+\.eyJ/.test(inner) && !isDocumented(inner);
  });
  return [...plain, ...wrapped].map((match) => ({ ...about, at: match.index, value: match[0] }));
}

/** Hosts of documentation (RFC 2606), and words as passwords of hosts that nobody else reaches. */
function isNowhere(host: string, password: string): boolean {
  if (/(?:^|\.)example(?:\.(?:com|org|net))?$|\.(?:test|invalid)$/i.test(host)) return true;
  const near = !host.includes(".") ||
    /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);
  return near && (/^[a-z]+(?:[-_][a-z]+){0,3}[\d^A-Z]{0,4}$|^[A-Za-z]+$/.test(password) ||
    password.length < 6);
}

function inAddresses(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(CREDENTIALS_IN_URL)].flatMap((match) => {
    const [whole, scheme, user, password, host] = match as unknown as string[];
    const value = password!;
    const made = isTemplate(value) || isTemplate(user!) || /[{}$%()]/.test(value + host) ||
      isPlaceholderPassword(value) || value === user || isNowhere(host!, value) ||
      (user === "scott" && value.startsWith("tiger"));
    if (made || (facts.damped && (entropyOf(value) < 3.5 || !mixesDigits(value)))) return [];
    const isDatabase = !/^(?:https?|ftp|wss?|ssh|git)/i.test(scheme!);
    return [{
      kind: isDatabase ? "connection-string" : "url-credentials",
      title: isDatabase ? "Connection string with a password" : "URL with a password",
      severity: "high" as const,
      at: match.index + whole!.lastIndexOf(`${value}@`),
      value,
    }];
  });
}

function isMadeUp(value: string): boolean {
  return isTemplate(value) || isPlaceholderToken(value) || entropyOf(value) < 3 ||
    !mixesDigits(value);
}

const AUTHORIZATION = {
  kind: "authorization",
  title: "Authorization header",
  severity: "high",
} as const;

/** A password of `user:password`, or the user's place when it stands there alone. */
function passwordOf(pair: string): string | null {
  const colon = pair.indexOf(":");
  if (colon < 0) return null;
  const bare = (text: string) => text.replace(/^["'{]|["'}]$/g, "");
  const [user, password] = [bare(pair.slice(0, colon)), bare(pair.slice(colon + 1))];
  const value = password === "" ? user : password;
  const made = /\$[\w({]|[<>[\]]|\{\{/.test(pair) || value.length < 6 || user === password ||
    isPlaceholderPassword(value) || isTemplate(value);
  return made ? null : value;
}

function inCommands(text: string, facts: FileFacts): Match[] {
  const found: Match[] = [];
  let after = 0;
  for (const curl of text.matchAll(CURL)) {
    if (curl.index < after) continue;
    const command = text.slice(curl.index, curl.index + MAX_COMMAND);
    after = curl.index + 40;
    for (const match of command.matchAll(CURL_HEADER)) {
      const value = match.groups!.auth ?? match.groups!.key!;
      if (isTemplate(value) || isPlaceholderToken(value) || !mixesDigits(value)) continue;
      if (entropyOf(value) < (facts.damped ? 3.5 : 2.75)) continue;
      const at = curl.index + match.index + match[0].lastIndexOf(value);
      found.push({ ...AUTHORIZATION, at, value });
    }
    for (const match of facts.damped ? [] : command.matchAll(USER)) {
      const { double, single, bare } = match.groups!;
      const value = passwordOf((double ?? single ?? bare)!);
      if (value === null) continue;
      const at = curl.index + match.index + match[0].lastIndexOf(value);
      found.push({ ...AUTHORIZATION, at, value });
    }
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}

/** Whether Base64 of `user:password` (RFC 7617) holds a made-up password. */
function isMadeUpBasic(value: string, facts: FileFacts): boolean {
  if (facts.damped) return true;
  const pair = decodeBase64(value) ?? "";
  const password = pair.slice(pair.indexOf(":") + 1);
  return /^[\x20-\x7e]+$/.test(pair) && pair.includes(":") &&
    (isPlaceholderPassword(password) || pair === `${password}:${password}` ||
      entropyOf(password) < 2.5);
}

function inHeaders(text: string, facts: FileFacts): Match[] {
  const headers = [...text.matchAll(HEADER)].filter(({ 0: header, groups }) =>
    !isMadeUp(groups!.secret!) && !facts.tests &&
    !(/basic\s/i.test(header) && isMadeUpBasic(groups!.secret!, facts))
  );
  return headers.map((match) => {
    const value = match.groups!.secret!;
    return { ...AUTHORIZATION, at: match.index + match[0].lastIndexOf(value), value };
  });
}

/** Signed tokens, credentials in addresses and in headers of `text`. */
export function findTokens(text: string, facts: FileFacts): Match[] {
  return [
    jwts(text, facts),
    inAddresses(text, facts),
    inHeaders(text, facts),
    inCommands(text, facts),
  ]
    .flatMap((matches) => matches.slice(0, MAX_MATCHES));
}
