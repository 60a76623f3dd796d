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
  /authorization["'`\]\\]{0,3}\s{0,3}[:=,]\s{0,3}\\?[bf]?["'`]?\s{0,2}(?:bearer|token|basic|apikey|bot|key)\s{1,3}(?<secret>[\w+/=.~:-]{12,1000})/gi;
const CURL_USER =
  /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?(?<user>[^\s:"'$]{1,60}):(?<secret>[^\s"'$<{]{6,100})/g;
const MAX_MATCHES = 100;

function decodeBase64(text: string): string | null {
  try {
    const normal = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
    return new TextDecoder().decode(Uint8Array.fromBase64(normal));
  } catch {
    return null;
  }
}

function isJwtHeader(text: string): boolean {
  try {
    const header: unknown = JSON.parse(decodeBase64(text) ?? "");
    return typeof header === "object" && header !== null && ("alg" in header || "typ" in header);
  } catch {
    return false;
  }
}

/** The token of the documentation at jwt.io and its many copies. */
function isDocumented(token: string): boolean {
  const payload = decodeBase64(token.split(".")[1] ?? "") ?? "";
  return /John Doe|"1234567890"/.test(payload);
}

function jwts(text: string): Match[] {
  const about = { kind: "jwt", title: "JSON Web Token", severity: "high" } as const;
  const plain = [...text.matchAll(JWT)].filter(([value]) =>
    isJwtHeader(value.split(".")[0]!) && !isDocumented(value)
  );
  const wrapped = [...text.matchAll(WRAPPED_JWT)].filter(([value]) => {
    const inner = decodeBase64(value)?.trim() ?? "";
    return /^eyJ[\w-]+\.eyJ/.test(inner) && !isDocumented(inner);
  });
  return [...plain, ...wrapped].map((match) => ({ ...about, at: match.index, value: match[0] }));
}

function inAddresses(text: string, facts: FileFacts): Match[] {
  return [...text.matchAll(CREDENTIALS_IN_URL)].flatMap((match) => {
    const [whole, scheme, user, password, host] = match as unknown as string[];
    const value = password!;
    const made = isTemplate(value) || isTemplate(user!) || /[{}$%()]/.test(value + host) ||
      isPlaceholderPassword(value) || value === user || /^example\.|\.example$/.test(host!);
    if (made || (facts.damped && entropyOf(value) < 3.5)) return [];
    const isDatabase = !/^(?:https?|ftp|wss?|ssh|git)/i.test(scheme!);
    return [{
      kind: isDatabase ? "connection-string" : "url-credentials",
      title: isDatabase ? "Connection string with password" : "Address with password",
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

function inHeaders(text: string, facts: FileFacts): Match[] {
  const headers = [...text.matchAll(HEADER)].filter(({ groups }) => !isMadeUp(groups!.secret!));
  const users = [...text.matchAll(CURL_USER)].filter(({ groups }) =>
    !facts.damped && !isPlaceholderPassword(groups!.secret!) && groups!.secret !== groups!.user
  );
  return [...headers, ...users].map((match) => {
    const value = match.groups!.secret!;
    const at = match.index + match[0].lastIndexOf(value);
    const about = { kind: "authorization", title: "Authorization of a request" } as const;
    return { ...about, severity: "high", at, value };
  });
}

/** Signed tokens, credentials in addresses and in headers of `text`. */
export function findTokens(text: string, facts: FileFacts): Match[] {
  return [jwts(text), inAddresses(text, facts), inHeaders(text, facts)]
    .flatMap((matches) => matches.slice(0, MAX_MATCHES));
}
