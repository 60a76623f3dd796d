/**
 * Reading a repository's tar.gz into memory. Nothing is written to disk and nothing is followed.
 *
 * @module
 */
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { AppError } from "../errors.ts";
import { inflate } from "./inflate.ts";
import { MAX_ARCHIVE_BYTES, MAX_ENTRIES, MAX_INFLATED_BYTES } from "./limits.ts";
import { archiveRefused, checkedSegments, checkTogether, quotePath } from "./paths.ts";

/** Files of a repository: POSIX path relative to the selected folder → content, sorted by path. */
export type RepositoryFiles = ReadonlyMap<string, Uint8Array>;

async function bodyOf(entry: ParsedTarEntry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry.body) {
    chunks.push(chunk);
    size += chunk.length;
  }
  if (size !== entry.header.size) throw archiveRefused("an entry's size is wrong");
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The path below `folder`, or null when it is elsewhere. */
function below(folder: string, path: string): string | null {
  if (folder === "") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

async function collect(archive: Uint8Array, folder: string): Promise<[string, Uint8Array][]> {
  const files: [string, Uint8Array][] = [];
  const paths: string[] = [];
  let entries = 0;
  let top: string | undefined;
  const decoder = createTarDecoder({ strict: true });
  for await (const entry of ReadableStream.from(inflate(archive)).pipeThrough(decoder)) {
    const { name, type = "file", size } = entry.header;
    if (++entries > MAX_ENTRIES) throw archiveRefused(`it has more than ${MAX_ENTRIES} entries`);
    const [first, ...rest] = checkedSegments(name);
    top ??= first;
    if (first !== top) throw archiveRefused("it has more than one top folder");
    const path = rest.join("/");
    const selected = below(folder, path);
    if (type === "directory") {
      await entry.body.cancel();
      continue;
    }
    if (path === "") throw archiveRefused("its top is not a folder");
    if (path === folder) throw archiveRefused(`${quotePath(folder)} is not a folder`);
    if (type !== "file" && type !== "symlink") {
      throw archiveRefused(`${quotePath(path)} is a ${type}; only regular files are accepted`);
    }
    // A link outside the selected folder is neither scanned nor run; monorepos have such.
    if (type === "symlink" && selected !== null) {
      throw archiveRefused(
        `${quotePath(path)} is a symbolic link; replace it by a file or select a folder without it`,
      );
    }
    if (size > MAX_INFLATED_BYTES) throw archiveRefused(`${quotePath(path)} is too large`);
    paths.push(path);
    if (selected === null) await entry.body.cancel();
    else files.push([selected, await bodyOf(entry)]);
  }
  if (entries === 0) throw archiveRefused("it is empty");
  checkTogether(paths);
  return files;
}

/**
 * The files of `archive` below `folder`, the code host's own top folder stripped.
 *
 * @param archive The tar.gz as downloaded.
 * @param folder Folder of the repository without slashes at its ends; empty for everything.
 * @throws {AppError} `repository_refused` for anything but a well-formed archive of plain files
 * within the bounds of `limits.ts`.
 */
export async function readArchive(archive: Uint8Array, folder: string): Promise<RepositoryFiles> {
  if (archive.length > MAX_ARCHIVE_BYTES) {
    throw archiveRefused(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
  }
  try {
    const files = await collect(archive, folder);
    return new Map(files.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw archiveRefused("it is not a well-formed tar archive", error);
  }
}
