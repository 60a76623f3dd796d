/**
 * Credentials in requests: parameters of addresses, pairs of user and password, command lines of
 * clients, and secrets that sign tokens.
 *
 * @module
 */
import type { FileFacts, Match } from "./match.ts";
import { judgeName } from "./names.ts";
import { isSecretPassword, isSecretValue } from "./values.ts";

/** Parameters with a value that might be a credential. */
const PARAMETER =
  /[?&](?<name>[A-Za-z][\w-]{1,40})=(?:["']\s{0,3}\+\s{0,3}["'])?(?<value>[\w.~%+/-]{6,400})/g;
/** Names of parameters that name a credential only there. */
const PARAMETER_NAME = /^(?:app_?id|key|token|auth|sig|pwd)$/i;
const APPLICATION_ID = /["']?\bapp_?id["']?\s{0,3}[:=]\s{0,3}["'](?<value>[0-9a-f]{32})["']/gi;
const KEY_PARAMETER =
  /\bparams["']?\s{0,3}[:=]\s{0,3}\{[^{}]{0,300}?["']key["']\s{0,3}:\s{0,3}["'](?<value>[\w-]{20,200})["']/gi;
const PAIR =
  /(?:\bauth["']?\s{0,3}[=:]\s{0,3}|\b(?:HTTP(?:Basic|Digest|Proxy)Auth|BasicAuth|DigestAuth|NtlmAuth|HttpNtlmAuth|login|basic_auth|set_auth|authenticate)\s{0,3})[([]\s{0,20}(?:\w{1,20}\s{0,3}=\s{0,3})?["'](?<user>[^"'\n]{1,100})["']\s{0,3},\s{0,20}(?:\w{1,20}\s{0,3}=\s{0,3})?["'](?<value>[^"'\n]{6,200})["']\s{0,20},?\s{0,20}[)\]]/g;
/** Logins by position: `connect(host, user, password)`. */
const LOGIN =
  /\b(?:(?:pymysql|MySQLdb|mysql\.connector|mariadb|ftplib)\.(?:connect|FTP(?:_TLS)?)|keyring\.set_password)\(\s{0,20}(?:[^"'()\n,]{1,100}|["'][^"'\n]{0,100}["'])\s{0,3},\s{0,20}(?:[^"'()\n,]{1,100}|["'](?<user>[^"'\n]{1,100})["'])\s{0,3},\s{0,20}["'](?<value>[^"'\n]{6,200})["']/g;
/** `setopt(USERPWD, "user:password")`. */
const USER_PASSWORD =
  /\b(?:CURLOPT_)?(?:PROXY)?USERPWD\s{0,3},\s{0,20}["'](?<user>[^"'\n:]{1,100}):(?<value>[^"'\n]{6,200})["']/g;
/** An option with its value behind a blank. */
const OPTION =
  /(?<![\w-])-{1,2}(?<name>(?:[a-z][\w-]{0,30}[_-])?(?:password|passwd|token|api-?key|secret|requirepass|masterauth))[ \t]{1,3}(?<quote>["']?)(?<value>[^\s"'$|;&<>`-][^\s"'$|;&<>`]{5,199})\k<quote>/gi;
/** Passwords on command lines, where the option alone says nothing. */
const ON_COMMAND_LINE =
  /\b(?:(?:mysql(?:dump|admin|import|check)?|mariadb)\b[^\n|;&]{0,200}?\s-p|sshpass\s{1,3}-p\s{0,3}|redis-cli\b[^\n|;&]{0,200}?\s-a\s{1,3}|mongo(?:sh|dump|restore|import|export)?\b[^\n|;&]{0,200}?\s-p\s{1,3})(?<quote>["']?)(?<value>[^\s"'$|;&]{6,100})\k<quote>/g;
const SIGNING =
  /\bjwt\.(?:encode|decode|sign|verify)\(\s{0,20}[\w.()[\]"']{1,80}\s{0,3},\s{0,20}b?["'](?<value>[^"'\n]{8,400})["']/g;
const MAX_MATCHES = 100;
/** What links that are shared with everybody have. */
const OF_SHARED_LINKS = /^xsec_token$/i;
/** Names that say too little: what stands there must look like nothing else. */
const VAGUE = /^(?:app_?id|key|token|auth|sig)$/i;

function inAddresses(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(PARAMETER)].flatMap((match): Match[] => {
    const { name, value } = match.groups as { name: string; value: string };
    const about = { name, quoted: true, next: "", file: facts };
    const known = PARAMETER_NAME.test(name);
    const kind = known ? null : judgeName(name);
    if (!known && kind === null || OF_SHARED_LINKS.test(name)) return [];
    const isPassword = /^pwd/i.test(name) || kind === "password";
    const secret = isPassword
      ? isSecretPassword(value, { ...about, quoted: false })
      : isSecretValue(value, about, VAGUE.test(name) || kind === "key");
    if (!secret) return [];
    const at = match.index + match[0].length - value.length;
    return [isPassword ? { ...PASSWORD, at, value } : { ...KEY, at, value }];
  });
}

const KEY = { kind: "generic-api-key", title: "API key or token", severity: "high" } as const;
const PASSWORD = { kind: "password", title: "Password", severity: "high" } as const;

function inParameters(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(APPLICATION_ID), ...text.matchAll(KEY_PARAMETER)].flatMap((match) => {
    const { value } = match.groups as { value: string };
    const about = { name: "key", quoted: true, next: "", file: facts };
    if (!isSecretValue(value, about, true)) return [];
    return [{ ...KEY, at: match.index + match[0].lastIndexOf(value), value }];
  });
}

function inPairs(text: string, facts: FileFacts): Match[] {
  const pairs = [PAIR, LOGIN, USER_PASSWORD].flatMap((each) => [...text.matchAll(each)]);
  return pairs.flatMap((match) => {
    const { user, value } = match.groups as { user?: string; value: string };
    const about = { name: "password", quoted: true, next: "", file: facts };
    if (user === value || !isSecretPassword(value, about)) return [];
    return [{ ...PASSWORD, at: match.index + match[0].lastIndexOf(value), value }];
  });
}

function onCommandLines(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(ON_COMMAND_LINE)].flatMap((match) => {
    const { value, quote } = match.groups as { value: string; quote: string };
    const about = { name: "password", quoted: true, next: "", file: facts };
    if (!isSecretPassword(value, about)) return [];
    return [{
      ...PASSWORD,
      at: match.index + match[0].length - quote.length - value.length,
      value,
    }];
  });
}

function inOptions(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(OPTION)].flatMap((match): Match[] => {
    const { name, value, quote } = match.groups as { name: string; value: string; quote: string };
    const about = { name, quoted: true, next: "", file: facts };
    const isPassword = /pass|auth$/i.test(name);
    const secret = isPassword ? isSecretPassword(value, about) : isSecretValue(value, about, false);
    if (!secret) return [];
    const at = match.index + match[0].length - quote.length - value.length;
    return [isPassword ? { ...PASSWORD, at, value } : { ...KEY, at, value }];
  });
}

function inSigning(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(SIGNING)].flatMap((match) => {
    const { value } = match.groups as { value: string };
    const about = { name: "jwt_secret", quoted: true, next: "", file: facts };
    if (!isSecretValue(value, about, false)) return [];
    return [{ ...KEY, at: match.index + match[0].lastIndexOf(value), value }];
  });
}

/** Credentials of requests in `text`. */
export function findInRequests(text: string, facts: FileFacts): Match[] {
  if (facts.checksums) return [];
  return [inAddresses, inParameters, inPairs, onCommandLines, inOptions, inSigning]
    .flatMap((find) => find(text, facts).slice(0, MAX_MATCHES));
}
