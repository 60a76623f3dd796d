/**
 * The analyser of stage 4: credentials, private keys and certificates anywhere in a repository.
 * Comments that tell scanners to look away are text like any other.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import type { RawFinding } from "../finding.ts";
import { roleOf } from "../sources.ts";
import { lineFinder } from "../text.ts";
import { findAssignments } from "./assignments.ts";
import { findFormats } from "./formats.ts";
import { isChecksumFile, isExampleFile, isSettingsFile, keyFileOf } from "./key_files.ts";
import type { FileFacts, Match } from "./match.ts";
import { findKeys } from "./pem.ts";
import { findBySecretlint } from "./secretlint.ts";
import { findInStructures } from "./structures.ts";
import { findTokens } from "./tokens.ts";

/** A credential as reported: masked, never whole. */
export interface RawSecret extends RawFinding {
  kind: string;
  masked: string;
}

/** What the analyser gives. */
export interface SecretsResult {
  secrets: RawSecret[];
  files_scanned: number;
}

/** What of a file is searched; the rest of larger ones is data. */
const MAX_FILE_CHARACTERS = 4_000_000;
const MAX_PER_FILE = 200;
const MAX_SECRETS = 2_000;
const BINARY_PROBE_BYTES = 8_000;
const MAX_CONTROLS = 0.02;

/** One NUL does not hide a file: text has next to no control characters, binaries many. */
function isBinary(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES);
  const controls = probe.filter((byte) => byte < 9 || (byte > 13 && byte < 32)).length;
  return controls > probe.length * MAX_CONTROLS;
}

function decode(bytes: Uint8Array): string | null {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : null;
  if (utf16 === null && isBinary(bytes)) return null;
  return new TextDecoder(utf16 ?? "utf-8").decode(bytes.subarray(0, MAX_FILE_CHARACTERS));
}

function factsOf(path: string): FileFacts {
  const role = roleOf(path);
  const settings = isSettingsFile(path);
  return {
    path,
    damped: (role !== "source" && !settings) || isExampleFile(path) || /\.(?:md|rst)$/i.test(path),
    checksums: isChecksumFile(path),
    settings,
  };
}

/** One match for each place: the most telling where several rules met. */
function distinct(matches: readonly Match[]): Match[] {
  const kept: Match[] = [];
  for (const match of matches) {
    const end = match.at + match.value.length;
    if (!kept.some((other) => match.at < other.at + other.value.length && other.at < end)) {
      kept.push(match);
    }
  }
  return kept;
}

/** The first four characters, at most a quarter. */
export function mask(value: string): string {
  return `${value.slice(0, Math.min(4, Math.floor(value.length / 4)))}…`;
}

function reported(match: Match, path: string, line: number): RawSecret {
  const isPublic = match.severity === "info";
  return {
    rule: match.kind,
    kind: match.kind,
    severity: match.severity,
    cwe: match.cwe ?? "CWE-798",
    title: `${match.title} in the repository`,
    detail: isPublic
      ? "A certificate is public; its private key must not be in the repository"
      : "Revoke it at its issuer, remove it from the files and the history, and read it from the environment",
    file: path,
    line,
    end_line: line,
    masked: mask(match.value),
  };
}

/** Every credential in the text of one file. */
export async function secretsIn(path: string, text: string): Promise<RawSecret[]> {
  const facts = factsOf(path);
  const lineAt = lineFinder(text);
  const matches = distinct([
    ...findKeys(text),
    ...findFormats(text),
    ...findTokens(text, facts),
    ...findInStructures(text, facts),
    ...await findBySecretlint(text, path),
    ...findAssignments(text, facts),
  ]);
  return matches.slice(0, MAX_PER_FILE).map((match) => reported(match, path, lineAt(match.at)));
}

/** Secrets first, then what is listed for information; each by place. */
function compare(a: RawSecret, b: RawSecret): number {
  return Number(a.severity === "info") - Number(b.severity === "info") ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

/** Searches every file. */
export async function analyse(input: AnalyserInput): Promise<SecretsResult> {
  const secrets: RawSecret[] = [];
  let scanned = 0;
  for (const [path, bytes] of input.files) {
    const keyFile = keyFileOf(path);
    if (keyFile !== null) {
      const severity = roleOf(path) === "test" ? "info" : "critical";
      const value = bytes.toBase64().slice(0, 40);
      secrets.push(reported({ ...keyFile, severity, at: 0, value, cwe: "CWE-321" }, path, 1));
    }
    const text = decode(bytes);
    if (text === null) continue;
    input.begin(path);
    scanned++;
    const found = await secretsIn(path, text);
    secrets.push(...found.filter(({ kind }) => keyFile === null || kind !== "private-key"));
  }
  return { secrets: secrets.sort(compare).slice(0, MAX_SECRETS), files_scanned: scanned };
}
