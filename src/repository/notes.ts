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

/** What `files` point to without having it: submodules and Git LFS content, in path order. */
export function notesOf(files: RepositoryFiles): RepositoryNote[] {
  const notes: RepositoryNote[] = [];
  const modules = files.get(".gitmodules");
  if (modules !== undefined) {
    for (const match of new TextDecoder().decode(modules).matchAll(/^\s*path\s*=\s*(\S.*)$/gm)) {
      notes.push({ kind: "submodule", path: match[1]!.trim() });
    }
  }
  for (const [path, content] of files) {
    if (isLfsPointer(content)) notes.push({ kind: "lfs_pointer", path });
  }
  return notes;
}
