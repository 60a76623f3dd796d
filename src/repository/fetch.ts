/**
 * Fetching a repository: address → commit → archive → files, all in memory.
 *
 * @module
 */
import { sha256Of } from "../bytes.ts";
import { type AccountCode, namesAccount } from "./app/right.ts";
import type { AppTokens } from "./app/tokens.ts";
import { parseRepositoryAddress, type RepositoryAddress } from "./address.ts";
import { readRepository, type RepositoryFiles } from "./archive.ts";
import type { CodeHost, CodeHostDeps, FoundRepository } from "./hosts/code_host.ts";
import { createGitHub } from "./hosts/github.ts";
import { createCodeHost } from "./hosts/of_address.ts";
import type { CodeHostSettings } from "../code_host_settings.ts";
import { downloadArchive } from "./download.ts";
import { isUnauthorized } from "./failed_requests.ts";
import {
  appRefused,
  entrypointInLfs,
  entrypointMissing,
  folderMissing,
  repositoryEmpty,
  repositoryMissing,
  repositoryUnnamed,
  repositoryUnreadable,
  tokenRefused,
} from "./failures.ts";
import type { IgnoredLink } from "./links.ts";
import { isLfsPointer } from "./notes.ts";
import { resolveSelection } from "./ref.ts";
import type { ReaderToken, UsableToken } from "./tokens/use.ts";

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
  /** Whether some may not read it at its host: it was fetched with a token for it. */
  isPrivate: boolean;
}

/** What fetching needs from outside. */
export interface RepositoryDeps extends CodeHostDeps {
  /** Those that are asked; there are no others. */
  codeHosts: readonly CodeHostSettings[];
  /** The token of a user for a repository; null for none. Absent where none are kept. */
  readerToken?: ReaderToken;
  /** The tokens of operators' Apps, and who may use them. Absent where there are none. */
  apps?: { tokenFor: AppTokens; codeOf: AccountCode };
  /** For requests with tokens of users, whose refusals say nothing of the host; else `fetch`. */
  fetchAsReader?: typeof fetch;
}

function checkEntrypoint(files: RepositoryFiles, entrypoint: string, where: string): void {
  const content = files.get(entrypoint);
  if (content === undefined) throw entrypointMissing(entrypoint, where);
  if (isLfsPointer(content)) throw entrypointInLfs(entrypoint);
}

/** Where to fetch from, and on whose behalf. */
export interface RepositoryRequest {
  url: string;
  /** Whose token may be used if not all may read the repository; absent for nobody's. */
  reader?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What `host` has at `address`; null when it has nothing, or what must not be read. */
async function fetchFrom(
  host: CodeHost,
  address: RepositoryAddress,
  { signal, mayRead }: {
    signal: AbortSignal | undefined;
    mayRead(repository: FoundRepository): boolean | Promise<boolean>;
  },
): Promise<FetchedRepository | null> {
  const repository = await host.findRepository(address, signal);
  if (repository === null || !await mayRead(repository)) return null;
  const { ref, folder, commit } = await resolveSelection(host, repository, address, signal);
  const archive = await downloadArchive(host, repository, commit, signal);
  const { files, ignoredLinks } = await readRepository(archive, folder, commit);
  const label = `${repository.owner}/${repository.name}`;
  if (files.size === 0) {
    throw folder === "" ? repositoryEmpty(label) : folderMissing(label, folder);
  }
  let bytes = 0;
  for (const content of files.values()) bytes += content.length;
  const url = `https://${address.host}/${label}`;
  const sha256 = await sha256Of(archive);
  const { owner, name, isPrivate } = repository;
  const selected = { owner, name, url, ref, folder, commit };
  return { ...selected, archive, sha256, files, ignoredLinks, bytes, isPrivate };
}

/** What everybody may read; null for what is missing or private, also where all have to sign in. */
async function fetchOpenly(
  host: CodeHost,
  address: RepositoryAddress,
  { signal, hasReader }: { signal: AbortSignal | undefined; hasReader: boolean },
): Promise<FetchedRepository | null> {
  try {
    return await fetchFrom(host, address, { signal, mayRead: ({ isPrivate }) => !isPrivate });
  } catch (error) {
    if (hasReader && isUnauthorized(error)) return null;
    throw error;
  }
}

/** A repository that is asked for, at a host that is served. */
interface Wanted {
  address: RepositoryAddress;
  settings: CodeHostSettings;
  signal: AbortSignal | undefined;
}

/** What requests with somebody's token need. */
function withToken(deps: RepositoryDeps, settings: CodeHostSettings, token: string) {
  return { ...deps, fetch: deps.fetchAsReader ?? deps.fetch, settings: { ...settings, token } };
}

/** What the reader's own token may read; null for nothing. */
async function fetchByToken(
  deps: RepositoryDeps,
  own: UsableToken,
  { address, settings, signal }: Wanted,
): Promise<FetchedRepository | null> {
  const host = createCodeHost(withToken(deps, settings, own.token));
  try {
    const fetched = await fetchFrom(host, address, { signal, mayRead: () => true });
    if (fetched !== null) await own.note("used");
    return fetched;
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    await own.note("refused");
    throw tokenRefused(address.host);
  }
}

/** A token may be taken back before it expires, which a new one mends. */
const APP_ATTEMPTS = 2;

/** What the operator's App may read and names the reader; null for nothing. */
async function fetchByApp(
  { apps, ...deps }: RepositoryDeps,
  reader: string,
  { address, settings: { app, ...settings }, signal }: Wanted,
): Promise<FetchedRepository | null> {
  const code = app === undefined ? null : await apps?.codeOf(reader) ?? null;
  if (apps === undefined || app === undefined || code === null) return null;
  for (let attempt = 1;; attempt++) {
    const access = await apps.tokenFor({ ...settings, app }, address, signal);
    if (access === null) return null;
    const host = createGitHub(withToken(deps, settings, access.token));
    try {
      const fetched = await fetchFrom(host, address, {
        signal,
        mayRead: (repository) => namesAccount(host, repository, code, signal),
      });
      if (fetched === null) access.forget();
      return fetched;
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      access.forget();
      if (attempt === APP_ATTEMPTS) throw appRefused(address.host, error);
    }
  }
}

/**
 * Fetches the repository at `input.url`, whatever is in it. The reader's token, then the operator's
 * App, are used only for what nobody may read without one.
 *
 * @throws {AppError} `invalid_request` for the address, `repository_refused` when the repository,
 * the ref or the folder is missing or the archive is not acceptable, `unavailable` with
 * `Retry-After` when the code host cannot serve it now.
 */
export async function fetchFiles(
  deps: RepositoryDeps,
  { url, reader, signal }: RepositoryRequest,
): Promise<FetchedRepository> {
  const address = parseRepositoryAddress(url, deps.codeHosts);
  const settings = deps.codeHosts.find(({ host }) => host === address.host)!;
  const own = reader === undefined ? null : await deps.readerToken?.(reader, address) ?? null;
  const hasApp = reader !== undefined && settings.app !== undefined;
  const openly = createCodeHost({ ...deps, settings });
  const open = await fetchOpenly(openly, address, { signal, hasReader: own !== null || hasApp });
  if (open !== null) return open;
  const wanted = { address, settings, signal };
  const closed = (own === null ? null : await fetchByToken(deps, own, wanted)) ??
    (hasApp ? await fetchByApp(deps, reader, wanted) : null);
  if (closed !== null) return closed;
  const label = `${address.owner}/${address.name}`;
  if (own !== null) throw repositoryUnreadable(address.host, label);
  throw (hasApp ? repositoryUnnamed : repositoryMissing)(address.host, label);
}

/**
 * Fetches the repository at `input.url` and checks that it has `input.entrypoint`.
 *
 * @throws {AppError} As {@link fetchFiles}, and `repository_refused` when the entrypoint is missing.
 */
export async function fetchRepository(
  deps: RepositoryDeps,
  input: RepositoryRequest & { entrypoint: string },
): Promise<FetchedRepository> {
  const fetched = await fetchFiles(deps, input);
  const { owner, name, folder, files } = fetched;
  const where = `${owner}/${name}${folder === "" ? "" : ` in the folder "${folder}"`}`;
  checkEntrypoint(files, input.entrypoint, where);
  return fetched;
}
