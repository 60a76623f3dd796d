/**
 * Content that is named in a repository but not part of its archive.
 *
 * @module
 */
import type { RepositoryFiles } from "./archive.ts";

/** Something that the archive only points to. */
export interface RepositoryNote {
  kind: "submodule" | "lfs_pointer";
  path: string;
}

const LFS_PREFIX = "version https://git-lfs.github.com/spec/v1\n";
const MAX_LFS_POINTER_BYTES = 1_024;

/** Whether `content` stands for a file kept in Git LFS (pointer format of git-lfs, version 1). */
export function isLfsPointer(content: Uint8Array): boolean {
  if (content.length > MAX_LFS_POINTER_BYTES) return false;
  return new TextDecoder().decode(content).startsWith(LFS_PREFIX);
}

/** Bytes of `.gitmodules` that are looked at, and submodules that are named. */
const MAX_MODULES_BYTES = 100_000;
const MAX_SUBMODULES = 1_000;

/** The folders that lines such as `path = vendor/x` name; each line is looked at once. */
function submodulesIn(modules: Uint8Array): string[] {
  const text = new TextDecoder().decode(modules.subarray(0, MAX_MODULES_BYTES));
  return text.split("\n").flatMap((line) => {
    const [key = "", ...value] = line.split("=");
    const path = value.join("=").trim();
    return key.trim() === "path" && path !== "" ? [path] : [];
  }).slice(0, MAX_SUBMODULES);
}

/** What `files` point to without having it: submodules and Git LFS content, in path order. */
export function notesOf(files: RepositoryFiles): RepositoryNote[] {
  const modules = files.get(".gitmodules") ?? new Uint8Array();
  const notes = submodulesIn(modules).map((path): RepositoryNote => ({ kind: "submodule", path }));
  for (const [path, content] of files) {
    if (isLfsPointer(content)) notes.push({ kind: "lfs_pointer", path });
  }
  return notes;
}
