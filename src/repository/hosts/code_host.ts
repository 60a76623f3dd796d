/**
 * What Berth asks a code host, whatever its API.
 *
 * @module
 */
import type { CodeHostSettings } from "../../code_host_settings.ts";
import type { RefKind, RepositoryAddress } from "../address.ts";

/** What requests to code hosts need from outside. */
export interface CodeHostDeps {
  fetch: typeof fetch;
  /** Addresses of a host name; rejects when it has none. */
  resolve: (hostname: string) => Promise<string[]>;
  now: () => Date;
}

/** What one code host is asked with. */
export interface OneHostDeps extends CodeHostDeps {
  settings: CodeHostSettings;
}

/** A repository as its host tells of it. */
export interface FoundRepository {
  /** As the code host spells it; with slashes where there are groups of groups. */
  owner: string;
  name: string;
  /** Null when it has none: nothing was pushed yet. */
  defaultBranch: string | null;
  /** Whether some may not read it. */
  isPrivate: boolean;
  /** By which the API names it, where not by owner and name. */
  id?: number;
}

/** A name of a commit. */
export interface Ref {
  name: string;
  /** What it is; null for whatever has that name. */
  kind: RefKind | null;
}

/** An archive that begins to arrive. */
export interface OpenedArchive {
  /** Names in lower case. */
  headers: Record<string, string | number | undefined>;
  /** A stream, unless the code host sent none. */
  data: unknown;
}

/**
 * A client of one code host. Its requests are guarded, bounded and silent, and it never retries by
 * itself. A repository that cannot be used throws `repository_refused`, a host that cannot serve now
 * `unavailable`.
 */
export interface CodeHost {
  /** As addresses name it. */
  host: string;
  now: () => Date;
  /** The repository at `address`; null when there is none that the token may read. */
  findRepository(
    address: RepositoryAddress,
    signal?: AbortSignal,
  ): Promise<FoundRepository | null>;
  /** The commit that `ref` names, or null when there is no such ref. */
  findCommit(repository: FoundRepository, ref: Ref, signal?: AbortSignal): Promise<string | null>;
  /**
   * Whether `commit` belongs to the repository itself: code hosts also serve commits of forks, or of
   * those who ask for a merge, under its name, which anyone can write.
   */
  isOwnCommit(
    repository: FoundRepository,
    commit: string,
    signal?: AbortSignal,
  ): Promise<boolean>;
  /** Begins to download the tar.gz of `commit`; rejects as its client does. */
  openArchive(
    repository: FoundRepository,
    commit: string,
    signal: AbortSignal,
  ): Promise<OpenedArchive>;
}
