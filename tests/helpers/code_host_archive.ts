/**
 * Archives as a code host makes them: one top folder, the commit in a global header.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";

/** POSIX path → content. */
export type SourceFiles = Record<string, string | Uint8Array>;

const encoder = new TextEncoder();

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? encoder.encode(content) : content;
}

function sorted(files: SourceFiles): [string, Uint8Array][] {
  return Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    path,
    bytesOf(content),
  ]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An id of 40 hexadecimal digits that depends on `files` and `seed` only. */
export async function commitId(files: SourceFiles, seed: string): Promise<string> {
  const parts: Uint8Array[] = [encoder.encode(seed)];
  for (const [path, content] of sorted(files)) {
    parts.push(encoder.encode(`\0${path}\0${content.length}\0`), content);
  }
  const whole = await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  return new Uint8Array(await crypto.subtle.digest("SHA-1", whole)).toHex();
}

/** `entries` as a tar.gz; the same entries give the same bytes. */
export async function packArchive(entries: TarEntry[]): Promise<Uint8Array> {
  const mtime = new Date("2026-01-01T00:00:00Z");
  const dated = entries.map((entry) => ({ ...entry, header: { mtime, ...entry.header } }));
  return new Uint8Array(gzipSync(await packTar(dated)));
}

/** The tar.gz of `files` below the folder `top`. */
export async function archiveOf(
  files: SourceFiles,
  { top, commit }: { top: string; commit: string },
): Promise<Uint8Array> {
  const comment = encoder.encode(`52 comment=${commit}\n`);
  const folder = { name: `${top}/`, type: "directory", size: 0 } as const;
  return await packArchive([
    {
      header: { name: "pax_global_header", type: "pax-global-header", size: comment.length },
      body: comment,
    },
    { header: folder },
    ...sorted(files).map(([path, content]): TarEntry => ({
      header: { name: `${top}/${path}`, type: "file", size: content.length },
      body: content,
    })),
  ]);
}

/** The files below `folder`, but not those whose path has a part in `skip`. */
export async function filesOfFolder(
  folder: string | URL,
  skip: readonly string[] = [".git", "node_modules", "__pycache__"],
): Promise<SourceFiles> {
  const root = folder instanceof URL ? folder.pathname : folder;
  const files: SourceFiles = {};
  async function walk(relative: string): Promise<void> {
    for await (const entry of Deno.readDir(`${root}/${relative}`)) {
      if (skip.includes(entry.name)) continue;
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory) await walk(path);
      else if (entry.isFile) files[path] = await Deno.readFile(`${root}/${path}`);
    }
  }
  await walk("");
  return files;
}
