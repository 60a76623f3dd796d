/**
 * Credentials in requests: parameters of addresses, and pairs of user and password.
 *
 * @module
 */
import type { FileFacts, Match } from "./match.ts";
import { isSecretPassword, isSecretValue } from "./values.ts";

/** Parameters that name a credential, and those that only may be one. */
const PARAMETER =
  /[?&](?<name>api[_-]?key|app_?id|key|token|access[_-]?token|auth[_-]?token|private[_-]?token|subscription[_-]?key|client[_-]?secret|secret|password|passwd|pwd|auth|sig)=(?:["']\s{0,3}\+\s{0,3}["'])?(?<value>[\w.~%+/-]{6,400})/gi;
const APPLICATION_ID = /["']?\bapp_?id["']?\s{0,3}[:=]\s{0,3}["'](?<value>[0-9a-f]{32})["']/gi;
const KEY_PARAMETER =
  /\bparams["']?\s{0,3}[:=]\s{0,3}\{[^{}]{0,300}?["']key["']\s{0,3}:\s{0,3}["'](?<value>[\w-]{20,200})["']/gi;
const PAIR =
  /(?:\bauth["']?\s{0,3}[=:]\s{0,3}|\b(?:HTTP(?:Basic|Digest|Proxy)Auth|BasicAuth|DigestAuth|NtlmAuth|HttpNtlmAuth|login|basic_auth|set_auth|authenticate)\s{0,3})[([]\s{0,20}(?:\w{1,20}\s{0,3}=\s{0,3})?["'](?<user>[^"'\n]{1,100})["']\s{0,3},\s{0,20}(?:\w{1,20}\s{0,3}=\s{0,3})?["'](?<value>[^"'\n]{6,200})["']\s{0,20},?\s{0,20}[)\]]/g;
const MAX_MATCHES = 100;
/** Names that say too little: what stands there must look like nothing else. */
const VAGUE = /^(?:app_?id|key|token|auth|sig)$/i;

function inAddresses(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(PARAMETER)].flatMap((match): Match[] => {
    const { name, value } = match.groups as { name: string; value: string };
    const about = { name, quoted: true, next: "", file: facts };
    const isPassword = /^pass|^pwd/i.test(name);
    const secret = isPassword
      ? isSecretPassword(value, { ...about, quoted: false })
      : isSecretValue(value, about, VAGUE.test(name));
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
  return [...text.matchAll(PAIR)].flatMap((match) => {
    const { user, value } = match.groups as { user: string; value: string };
    const about = { name: "password", quoted: true, next: "", file: facts };
    if (user === value || !isSecretPassword(value, about)) return [];
    return [{ ...PASSWORD, at: match.index + match[0].lastIndexOf(value), value }];
  });
}

/** Credentials of requests in `text`. */
export function findInRequests(text: string, facts: FileFacts): Match[] {
  if (facts.checksums) return [];
  return [inAddresses, inParameters, inPairs]
    .flatMap((find) => find(text, facts).slice(0, MAX_MATCHES));
}
