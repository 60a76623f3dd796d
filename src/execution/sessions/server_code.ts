/**
 * What an interpreter needs to run a registered server, whoever it is for.
 *
 * @module
 */
import type { ScannedCode } from "../../../workers/session/bodies.ts";
import type { GivenPackages } from "../../packages/session_packages.ts";
import type { InterpreterProfile } from "../admission/runnable.ts";
import type { CodeInput } from "../interpreters/types.ts";
import type { RunnableServer } from "../types.ts";
import type { ArchiveCache } from "./archive_cache.ts";

/** What is stored of a server's archive beside its files. */
export interface StoredCode {
  /** What its scan read as code; null where it did not say. */
  scanned: ScannedCode | null;
  /** Its packages; undefined for those of the installation alone. */
  packages: GivenPackages | undefined;
}

export interface ServerCodeDeps {
  files: ArchiveCache;
  /** What is stored of a server's archive beside its files. */
  stored: (server: string, archiveSha256: string) => Promise<StoredCode>;
  profile: InterpreterProfile;
}

/** The server's code, as every session of this archive gets it. */
export type ServerCode = Pick<
  CodeInput,
  "server" | "author" | "files" | "scanned" | "imports" | "packages" | "entrypoint" | "profile"
>;

/** Loads what is stored of the server. */
export async function serverCode(
  deps: ServerCodeDeps,
  { name, owner, archiveSha256, folder, entrypoint }: RunnableServer,
): Promise<ServerCode> {
  const [files, { scanned, packages }] = await Promise.all([
    deps.files(archiveSha256, folder),
    deps.stored(name, archiveSha256),
  ]);
  return {
    server: name,
    author: owner,
    files,
    scanned,
    imports: scanned?.imports,
    packages,
    entrypoint,
    profile: deps.profile,
  };
}
