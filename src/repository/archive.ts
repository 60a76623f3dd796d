/**
 * Reading a repository's tar.gz into memory. Nothing is written to disk; symbolic links are resolved
 * among the files of the archive.
 *
 * @module
 */
import { concat } from "../bytes.ts";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { AppError } from "../errors.ts";
import { inflate } from "./inflate.ts";
import { type IgnoredLink, resolveLinks } from "./links.ts";
import { MAX_ARCHIVE_BYTES, MAX_ENTRIES, MAX_INFLATED_BYTES } from "./fetch_limits.ts";
import { archiveRefused } from "./failures.ts";
import { withCheckedMetadata } from "./tar_metadata.ts";
import { checkedSegments, checkTogether, quotePath } from "./paths.ts";

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
  return concat(chunks);
}

/** Passes over a body. Cancelled, one of several chunks would keep the decoder waiting for ever. */
async function skip(entry: ParsedTarEntry): Promise<void> {
  const reader = entry.body.getReader();
  while (!(await reader.read()).done);
}

/** The path below `folder`, or null when it is elsewhere. */
function below(folder: string, path: string): string | null {
  if (folder === "") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** What a pass over an archive gives. */
interface Pass {
  /** Contents of the regular files that were asked for, by path in the repository. */
  contents: Map<string, Uint8Array>;
  /** Sizes of all regular files. */
  sizes: Map<string, number>;
  /** What each symbolic link holds. */
  links: Map<string, string>;
}

/** Reads the entries of `archive`, and the contents of those files that are `wanted`. */
async function readEntries(
  archive: Uint8Array,
  folder: string,
  { wanted, commit }: { wanted: (path: string) => boolean; commit?: string | undefined },
): Promise<Pass> {
  const pass: Pass = { contents: new Map(), sizes: new Map(), links: new Map() };
  const paths: string[] = [];
  let entries = 0;
  let top: string | undefined;
  const decoder = createTarDecoder({ strict: true });
  for await (
    const entry of ReadableStream.from(withCheckedMetadata(inflate(archive), commit))
      .pipeThrough(decoder)
  ) {
    const { name, type = "file", size, linkname = "" } = entry.header;
    if (++entries > MAX_ENTRIES) throw archiveRefused(`it has more than ${MAX_ENTRIES} entries`);
    const [first, ...rest] = checkedSegments(name);
    top ??= first;
    if (first !== top) throw archiveRefused("it has more than one top-level folder");
    const path = rest.join("/");
    if (type === "directory") {
      await entry.body.cancel();
      continue;
    }
    if (path === "") throw archiveRefused("its top level is not a folder");
    if (path === folder) throw archiveRefused(`${quotePath(folder)} is not a folder`);
    if (type !== "file" && type !== "symlink") {
      throw archiveRefused(`${quotePath(path)} is a ${type}; only regular files are accepted`);
    }
    if (size > MAX_INFLATED_BYTES) throw archiveRefused(`${quotePath(path)} is too large`);
    paths.push(path);
    if (type === "file") pass.sizes.set(path, size);
    else pass.links.set(path, linkname);
    if (type === "file" && wanted(path)) pass.contents.set(path, await bodyOf(entry));
    else await skip(entry);
  }
  if (entries === 0) throw archiveRefused("it is empty");
  await checkTogether(paths);
  return pass;
}

async function collect(
  archive: Uint8Array,
  folder: string,
  commit: string | undefined,
): Promise<RepositoryContent> {
  const isBelow = (path: string) => below(folder, path) !== null;
  const { contents, sizes, links } = await readEntries(archive, folder, {
    wanted: isBelow,
    commit,
  });
  const { aliases, ignored } = resolveLinks(sizes, links, isBelow);
  const elsewhere = new Set(aliases.map(({ of }) => of).filter((path) => !contents.has(path)));
  const more = elsewhere.size === 0
    ? contents
    : (await readEntries(archive, folder, { wanted: (path) => elsewhere.has(path) })).contents;
  const files = [...contents];
  for (const { path, of } of aliases) files.push([path, contents.get(of) ?? more.get(of)!]);
  return {
    files: new Map(
      files.map(([path, content]): [string, Uint8Array] => [below(folder, path)!, content])
        .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    ),
    ignoredLinks: ignored.map(({ path, reason }) => ({ path: below(folder, path)!, reason })),
  };
}

/** What a repository's archive holds below a folder. */
export interface RepositoryContent {
  files: RepositoryFiles;
  /** Symbolic links that are left out, by path. */
  ignoredLinks: IgnoredLink[];
}

/**
 * The files of `archive` below `folder`, the code host's own top folder stripped. A symbolic link
 * counts as what it leads to inside the repository, also outside `folder`.
 *
 * @param archive The tar.gz as downloaded.
 * @param folder Folder of the repository without slashes at its ends; empty for everything.
 * @param commit The one that was asked for, if the archive may not be of another.
 * @throws {AppError} `repository_refused` for anything but a well-formed archive of files, folders
 * and symbolic links within the bounds of `limits.ts`.
 */
export async function readRepository(
  archive: Uint8Array,
  folder: string,
  commit?: string,
): Promise<RepositoryContent> {
  if (archive.length > MAX_ARCHIVE_BYTES) {
    throw archiveRefused(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
  }
  try {
    return await collect(archive, folder, commit);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw archiveRefused("it is not a well-formed tar archive", error);
  }
}

/** The files of {@link readRepository}. */
export async function readArchive(archive: Uint8Array, folder: string): Promise<RepositoryFiles> {
  return (await readRepository(archive, folder)).files;
}
