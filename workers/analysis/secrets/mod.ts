/**
 * The analyser of stage 4: credentials, private keys and certificates anywhere in a repository.
 * Comments that tell scanners to look away are text like any other.
 *
 * @module
 */
import type { AnalyserInput } from "../analyser.ts";
import { eachFile, type FileToDo } from "../files/each_file.ts";
import type { RawFinding } from "../finding.ts";
import { roleOf } from "../sources.ts";
import { lineFinder } from "../text.ts";
import { keyFileOf } from "./key_files.ts";
import type { Match } from "./match.ts";
import { matchesIn } from "./matches.ts";
import { isArchive, type PackingBudget, packingBudget, unpack } from "./packed/packed.ts";

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
const MAX_FILE_BYTES = 5_000_000;
const MAX_PER_FILE = 200;
const MAX_SECRETS = 2_000;
const BINARY_PROBE_BYTES = 8_000;
const MAX_CONTROLS = 0.02;

/** One NUL does not hide a file: text has next to no control characters, binaries many. */
function isBinary(bytes: Uint8Array): boolean {
  const probed = Math.min(bytes.length, BINARY_PROBE_BYTES);
  let controls = 0;
  for (let at = 0; at < probed; at++) {
    const byte = bytes[at]!;
    if (byte < 9 || (byte > 13 && byte < 32)) controls++;
  }
  return controls > probed * MAX_CONTROLS;
}

function decode(bytes: Uint8Array): string | null {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : null;
  if (utf16 === null && isBinary(bytes)) return null;
  return new TextDecoder(utf16 ?? "utf-8").decode(bytes.subarray(0, MAX_FILE_BYTES));
}

/** The first four characters, at most a quarter. */
export function mask(value: string): string {
  return `${value.slice(0, Math.min(4, Math.floor(value.length / 4)))}…`;
}

function reported(match: Match, path: string, line: number): RawSecret {
  const isPublic = match.severity === "info";
  const fix = isPublic
    ? "A certificate is public; its private key must not be in the repository"
    : "Revoke it at its issuer, remove it from the files and the history, and read it from the environment";
  return {
    rule: match.kind,
    kind: match.kind,
    severity: match.severity,
    cwe: match.cwe ?? "CWE-798",
    title: `${match.title} in the repository`,
    detail: fix,
    fix,
    file: path,
    line,
    end_line: line,
    masked: mask(match.value),
  };
}

/** Every credential in the text of one file, which perhaps runs with the server. */
export async function secretsIn(
  path: string,
  text: string,
  reached = false,
): Promise<RawSecret[]> {
  const lineAt = lineFinder(text);
  const matches = await matchesIn(path, text, reached);
  return matches.slice(0, MAX_PER_FILE).map((match) => reported(match, path, lineAt(match.at)));
}

/** Says of a file that not all of it was searched. */
function unsearched(file: string, detail: string): RawSecret {
  const [rule, kind] = ["not-searched", "not-searched"];
  const title = "Not all of this file was searched for secrets";
  const fix = "See for yourself that the rest holds none, or leave the file out of the repository";
  const place = { file, line: 1, end_line: 1 };
  return { rule, kind, severity: "info", cwe: null, title, detail, fix, ...place, masked: "" };
}

/** The credentials in files of an archive, reported at the archive. */
async function inArchive(
  path: string,
  bytes: Uint8Array,
  left: PackingBudget,
): Promise<{ secrets: RawSecret[]; scanned: number }> {
  const { files, problems } = await unpack(path, bytes, left);
  const secrets: RawSecret[] = [];
  let scanned = 0;
  for (const file of files) {
    const { found, searched } = await searchFile({
      path: `${path}/${file.path}`,
      bytes: file.bytes,
      reached: false,
    });
    if (searched) scanned++;
    secrets.push(...found.map((secret) => ({
      ...secret,
      file: path,
      line: 1,
      end_line: 1,
      detail: `In ${JSON.stringify(file.path)}, line ${secret.line}. ${secret.detail}`.slice(
        0,
        4000,
      ),
    })));
  }
  if (problems.length > 0) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    secrets.push(unsearched(path, `The archive was not searched whole: ${problems[0]}${more}`));
  }
  return { secrets, scanned };
}

/** What was found in a file, and whether it could be searched. */
export interface SearchedFile {
  found: RawSecret[];
  searched: boolean;
}

/** A file to search. */
export interface FileToSearch {
  path: string;
  bytes: Uint8Array;
  /** Whether it runs with the server: then its path does not make a credential an example. */
  reached: boolean;
}

/** Searches a file that is no archive. */
export async function searchFile({ path, bytes, reached }: FileToSearch): Promise<SearchedFile> {
  const found: RawSecret[] = [];
  const keyFile = keyFileOf(path);
  if (keyFile !== null) {
    const severity = roleOf(path) === "test" ? "info" : "critical";
    const value = bytes.subarray(0, 30).toBase64();
    found.push(reported({ ...keyFile, severity, at: 0, value, cwe: "CWE-321" }, path, 1));
  }
  const text = decode(bytes);
  if (text === null) return { found, searched: false };
  const secrets = await secretsIn(path, text, reached);
  found.push(...secrets.filter(({ kind }) => keyFile === null || kind !== "private-key"));
  return { found, searched: true };
}

/** Secrets first, then what is listed for information; each by place. */
function compare(a: RawSecret, b: RawSecret): number {
  return Number(a.severity === "info") - Number(b.severity === "info") ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
}

/** What the stage hands over: files that run with the server. */
function reachedIn({ options }: AnalyserInput): ReadonlySet<unknown> {
  return new Set(Array.isArray(options.reached) ? options.reached : []);
}

/** Searches every file. */
export async function analyse(input: AnalyserInput): Promise<SecretsResult> {
  const secrets: RawSecret[] = [];
  const left = packingBudget();
  let scanned = 0;
  const running = reachedIn(input);
  const plain: FileToDo<FileToSearch>[] = [];
  for (const [path, bytes] of input.files) {
    if (!isArchive(bytes)) {
      const given = { path, bytes, reached: running.has(path) };
      plain.push({ path, size: bytes.length, given });
      continue;
    }
    input.begin(path);
    const inside = await inArchive(path, bytes, left);
    secrets.push(...inside.secrets);
    scanned += inside.scanned;
  }
  for await (const { file, result } of eachFile("search", plain, input)) {
    secrets.push(...result.found);
    if (!result.searched) continue;
    scanned++;
    if (file.size > MAX_FILE_BYTES) {
      secrets.push(
        unsearched(file.path, `Only its first ${MAX_FILE_BYTES / 1e6} MB were searched`),
      );
    }
  }
  return { secrets: secrets.sort(compare).slice(0, MAX_SECRETS), files_scanned: scanned };
}
