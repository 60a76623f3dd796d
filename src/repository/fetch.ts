/**
 * Fetching a repository: address → commit → archive → files, all in memory.
 *
 * @module
 */
import { sha256Of } from "../bytes.ts";
import { parseRepositoryAddress } from "./address.ts";
import { readRepository, type RepositoryFiles } from "./archive.ts";
import type { CodeHostDeps } from "./hosts/code_host.ts";
import { createCodeHost } from "./hosts/of_address.ts";
import type { CodeHostSettings } from "../code_host_settings.ts";
import { downloadArchive } from "./download.ts";
import { entrypointInLfs, entrypointMissing, folderMissing, repositoryEmpty } from "./failures.ts";
import type { IgnoredLink } from "./links.ts";
import { isLfsPointer } from "./notes.ts";
import { resolveSelection } from "./ref.ts";

/** A repository at one commit, as it is scanned, stored and run. */
export interface FetchedRepository {
  /** As the code host spells it. */
  owner: string;
  name: string;
  /** Address for people: `https://host/owner/name`. */
  url: string;
  /** The ref of the address; null for the default branch. */
  ref: string | null;
  /** Selected folder; empty for the root. */
  folder: string;
  /** 40 hexadecimal digits. */
  commit: string;
  /** The tar.gz as downloaded. */
  archive: Uint8Array;
  /** SHA-256 of `archive`, hexadecimal. */
  sha256: string;
  /** Files below `folder`. */
  files: RepositoryFiles;
  /** Symbolic links below `folder` that are left out, as they lead out of the repository or nowhere. */
  ignoredLinks?: readonly IgnoredLink[];
  /** Sum of the sizes of `files`. */
  bytes: number;
}

/** What fetching needs from outside. */
export interface RepositoryDeps extends CodeHostDeps {
  /** Those that are asked; there are no others. */
  codeHosts: readonly CodeHostSettings[];
}

function checkEntrypoint(files: RepositoryFiles, entrypoint: string, where: string): void {
  const content = files.get(entrypoint);
  if (content === undefined) throw entrypointMissing(entrypoint, where);
  if (isLfsPointer(content)) throw entrypointInLfs(entrypoint);
}

/**
 * Fetches the repository at `input.url`, whatever is in it.
 *
 * @throws {AppError} `invalid_request` for the address, `repository_refused` when the repository,
 * the ref or the folder is missing or the archive is not acceptable, `unavailable` with
 * `Retry-After` when the code host cannot serve it now.
 */
export async function fetchFiles(
  deps: RepositoryDeps,
  input: { url: string; signal?: AbortSignal },
): Promise<FetchedRepository> {
  const address = parseRepositoryAddress(input.url, deps.codeHosts);
  const settings = deps.codeHosts.find(({ host }) => host === address.host)!;
  const host = createCodeHost({ ...deps, settings });
  const repository = await host.getRepository(address, input.signal);
  const { ref, folder, commit } = await resolveSelection(host, repository, address, input.signal);
  const archive = await downloadArchive(host, repository, commit, input.signal);
  const { files, ignoredLinks } = await readRepository(archive, folder, commit);
  const label = `${repository.owner}/${repository.name}`;
  if (files.size === 0) {
    throw folder === "" ? repositoryEmpty(label) : folderMissing(label, folder);
  }
  let bytes = 0;
  for (const content of files.values()) bytes += content.length;
  const url = `https://${address.host}/${label}`;
  const sha256 = await sha256Of(archive);
  const { owner, name } = repository;
  return { owner, name, url, ref, folder, commit, archive, sha256, files, ignoredLinks, bytes };
}

/**
 * Fetches the repository at `input.url` and checks that it has `input.entrypoint`.
 *
 * @throws {AppError} As {@link fetchFiles}, and `repository_refused` when the entrypoint is missing.
 */
export async function fetchRepository(
  deps: RepositoryDeps,
  input: { url: string; entrypoint: string; signal?: AbortSignal },
): Promise<FetchedRepository> {
  const fetched = await fetchFiles(deps, input);
  const { owner, name, folder, files } = fetched;
  const where = `${owner}/${name}${folder === "" ? "" : ` in the folder "${folder}"`}`;
  checkEntrypoint(files, input.entrypoint, where);
  return fetched;
}
