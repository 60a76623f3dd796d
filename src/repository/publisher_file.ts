/**
 * The file by which a repository names accounts. Only who can write to its default branch can put
 * them there.
 *
 * @module
 */

/** The file: a code a line, or a code and the repository that it is for. */
export const PUBLISHER_FILE = "berth-publisher.txt";

const MAX_BYTES = 4096;
const MAX_LINES = 20;
const LINE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[ \t]+(\S+))?$/;

/** Whom a repository names, and for what. */
export interface PublisherLine {
  /** Of the account. */
  code: string;
  /** `host/owner/name` in lower case; null where the line is for whatever repository it is in. */
  repository: string | null;
}

/** The lines of a file that name accounts; none for one that is too long. */
export function publisherLines(file: Uint8Array): PublisherLine[] {
  if (file.length > MAX_BYTES) return [];
  const lines: PublisherLine[] = [];
  for (const text of new TextDecoder().decode(file).split(/\r?\n/)) {
    const [, code, repository] = LINE.exec(text.trim()) ?? [];
    if (code !== undefined) lines.push({ code, repository: repository?.toLowerCase() ?? null });
  }
  return lines.slice(0, MAX_LINES);
}

/** `repository` as lines have it, to be compared. */
export function lineName(host: string, { owner, name }: { owner: string; name: string }): string {
  return `${host}/${owner}/${name}`.toLowerCase();
}
