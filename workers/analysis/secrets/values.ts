/**
 * Whether a value looks like a credential, given the name that it has.
 *
 * @module
 */
import { entropyOf, mixesDigits } from "./entropy.ts";
import { isComposeFile } from "./key_files.ts";
import type { FileFacts } from "./match.ts";
import { isWords } from "./words.ts";
import { isPlaceholderPassword, isPlaceholderToken, isTemplate } from "./placeholders.ts";

/** What is known of a value beside its text. */
export interface ValueFacts {
  name: string;
  quoted: boolean;
  /** The character behind an unquoted value. */
  next: string;
  file: FileFacts;
}

const MIN_TOKEN = 12;
const MIN_PASSWORD = 6;
const REFERENCE =
  /^(?:process\.env|os\.environ|os\.getenv|getenv|env|self|this|args?|kwargs|config|settings|options?|opts|params?|props|request|req|ctx|context|data|secrets|vars?|locals?|module|input|inputs)\b[.[]?/;
const FILE =
  /^(?:\.{0,2}[\\/]|~\/|[A-Za-z]:\\)|\.(?:pem|json|key|crt|cer|txt|ya?ml|toml|ini|py|[cm]?[jt]sx?|go|rs|java|md|html?|png|jpe?g|svg|keytab|jks|p12|env)$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\/|@[\w-]+\.[a-z]{2,}$/i;
/** `cryptography>=42.0`: a package and its versions. */
const REQUIREMENT = /^[a-z][\w.-]*(?:\[[\w,-]*\])?(?:[<>=!~]=|[<>])\d[\w.*,<>=!~]*$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Dotted or hyphened words without a digit are names, not keys. */
const WORDY = /^[A-Za-z]+(?:[-_.:/ ][A-Za-z]+)*$/;
/** Words with a number at the end, as tests and documentation make them up. */
const NUMBERED_WORDS = /^[a-z]+(?:[-_][a-z]+){2,}[-_]?\d{0,4}$/i;
/** Version numbers and snapshots. */
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+.]?\w+)*$|SNAPSHOT|-\d+\.\d+\.\d+$/;
const ALPHABET = /abcdefghijklm|ABCDEFGHIJKLM|nopqrstuvwxyz/;

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, "");
}

/** Whether name and value say the same: `API_TOKEN = "API_TOKEN"`. */
function echoes(name: string, value: string): boolean {
  const a = letters(name);
  const b = letters(value);
  return b.length > 2 && (a.includes(b) || (a.length > 4 && b.includes(a)));
}

/** Names of algorithms, with their parameters. */
const ALGORITHM = /^(?:aes|sha|hmac|rsa|ecdsa|ed|hs|rs|es|ps|x)[-_]?\d{2,5}(?:[-_/]|$)/i;
/** Passwords as they are stored: with a scheme, a salt and a digest. */
const HASHED =
  /^(?:pbkdf2|md5|sha1|sha256|bcrypt|argon2|scrypt|crypt)\w*\$|^\$(?:2[abxy]?|argon2\w*|scrypt|[1567y])\$|^\{[A-Z0-9-]{2,10}\}/;

/** Names of options, and patterns that look for what their names say. */
const SYNTAX = /^--?[a-z][\w-]*$|\(\?[:=!<iP]|\\[sdwb][+*]|\[\^/;
/** Words of a language other than English: what a page shows. */
const LABEL = /^(?=.*[^ -~])\p{L}+[.…!?:]?$/u;

function isNoCredential(value: string): boolean {
  return SYNTAX.test(value) || LABEL.test(value) || isTemplate(value) || ALGORITHM.test(value) ||
    HASHED.test(value) || REQUIREMENT.test(value) ||
    REFERENCE.test(value) || FILE.test(value) || ADDRESS.test(value) ||
    ALPHABET.test(value);
}

/** Code that computes the value, rather than the value. */
function isCode(value: string, { quoted, next }: ValueFacts): boolean {
  if (quoted) return false;
  return next === "(" || next === "[" || next === "{" ||
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\(\w*\)|\[\w*\])+[:;]?$/.test(value) ||
    /[|&*!]/.test(value);
}

/** What nobody types into a test or an example by hand. */
export function isVeryRandom(value: string): boolean {
  return value.length >= 24 && /[a-z]/.test(value) && /[A-Z]/.test(value) &&
    /\d.*\d.*\d/.test(value) && entropyOf(value) >= 4.3;
}

/** Digits that a generator made: nobody writes as many without a pattern. */
function isRandomHex(value: string): boolean {
  return /^[0-9a-f]{32,128}$/i.test(value) && entropyOf(value) >= 3.3;
}

/** Addresses of contracts and accounts, and digests of transactions. */
const ACCOUNT = /^0x[0-9a-f]{40}$/i;
const HEX_NUMBER = /^0x[0-9a-f]+$/i;
const OWNED = /private|priv_?key|secret|mnemonic|seed|signer|deployer|wallet|master/i;
/** Names of coins and of what is done with them, beside accounts in Base58. */
const COIN =
  /(?:^|_|\b)(?:sol|w?eth|w?btc|dai|usd[ct]?|[a-z]*usd|mint|pool|stake|staking|swap|nft|spl|trc20|erc20|coin|vault|program)(?:_|\b)/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** What everybody may see of a block chain. */
function isOnChain(name: string, value: string): boolean {
  return ACCOUNT.test(value) || (HEX_NUMBER.test(value) && !OWNED.test(name)) ||
    (BASE58.test(value) && COIN.test(name) && !OWNED.test(name));
}

/** `neo4j/password`: a user and the password that stands in every tutorial. */
function isPlaceholderLogin(value: string): boolean {
  const password = /^[a-z][\w.-]{0,30}[/:]([^/:]{3,40})$/i.exec(value)?.[1];
  return password !== undefined && isPlaceholderPassword(password);
}

/** Whether `value` may be a token or key. `strict` is for names that say little. */
export function isSecretValue(value: string, facts: ValueFacts, strict: boolean): boolean {
  const { file, quoted } = facts;
  if (value.length < MIN_TOKEN || /\s/.test(value)) return false;
  if (isNoCredential(value) || isCode(value, facts) || isPlaceholderToken(value)) return false;
  if (isPlaceholderLogin(value)) return false;
  if (WORDY.test(value) || NUMBERED_WORDS.test(value) || VERSION.test(value)) return false;
  if (isWords(value) || file.tests || isOnChain(facts.name, value)) return false;
  const random = isVeryRandom(value) || (file.filledIn && isRandomHex(value));
  if (file.damped && !random) return false;
  if (echoes(facts.name, value)) return false;
  // Hashes of content are 40 or 64 hexadecimal digits too, but then names are about hashes.
  const entropy = entropyOf(value);
  if (/^\d+$/.test(value)) return !strict && !file.damped && value.length >= 14 && entropy >= 2.5;
  if (UUID.test(value)) return !strict && !file.damped && entropy >= 3;
  if (!mixesDigits(value) && (value.length < 20 || entropy < 3.8)) return false;
  if (!/^[\w.+/=~:!@#$%^&*|-]+$/.test(value)) return false;
  const wanted = strict ? 3.4 : quoted ? 3 : 3.2;
  const length = strict ? 20 : quoted || file.settings ? MIN_TOKEN : 14;
  return value.length >= length && entropy >= wanted;
}

/** A word or two with a number behind, as people name what only their own machine has. */
const HANDMADE = /^[a-z]{2,}(?:[-_.]?[a-z]+){0,3}[-_@]?\d{0,4}!?$/i;

/** The default password of a database that a compose file starts for whoever tries the program. */
function isLocalDefault(value: string, { path }: FileFacts): boolean {
  return isComposeFile(path) && value.length <= 24 && HANDMADE.test(value);
}

/** `cGFzc3dvcmQxMjM=`: the same placeholders in Base64. */
function isEncodedPlaceholder(value: string): boolean {
  if (value.length > 64 || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) {
    return false;
  }
  const text = new TextDecoder("latin1").decode(Uint8Array.fromBase64(value));
  return /^[\x20-\x7e]+$/.test(text) && isPlaceholderPassword(text);
}

/** Whether `value` may be a password. */
export function isSecretPassword(text: string, facts: ValueFacts): boolean {
  const value = text.replace(/(?:\\[nrt])+$/, "");
  const { file, quoted } = facts;
  if (value.length < MIN_PASSWORD || value.length > 128 || /\s/.test(value)) return false;
  // Whoever writes a test or an example makes a password up.
  if (file.damped) return false;
  if (isNoCredential(value) || isCode(value, facts) || isPlaceholderPassword(value)) return false;
  if (echoes(facts.name, value)) return false;
  if (isLocalDefault(value, file) || isEncodedPlaceholder(value)) return false;
  const entropy = entropyOf(value);
  if (!quoted && !file.settings) return value.length >= 10 && mixesDigits(value) && entropy >= 3.2;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (WORDY.test(value) || NUMBERED_WORDS.test(value)) {
    // In a file of settings a password may be a word, but not the name of something.
    return file.settings && !/[.:/]|passw|secret|token/i.test(value) && value.length >= 8 &&
      entropy >= 2.5;
  }
  return kinds >= 2 && entropy >= 2.4;
}
