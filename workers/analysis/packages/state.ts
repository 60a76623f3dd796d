/**
 * What the resolver knows between its rounds. The main process keeps it as a text that it does not
 * read.
 *
 * @module
 */
import type { Declared } from "./declared/mod.ts";
import type { Candidate, Page, Sdks, Wanted } from "./types.ts";

/** Packages of Pyodide's own distribution that can be taken, by name. */
export type Distribution = Record<string, Candidate>;

/** Everything that was fetched so far, reduced to what the search looks at. */
export interface State {
  declared: Declared;
  /** The SDKs that Berth's runtime serves. */
  sdks: Sdks;
  distribution: Distribution;
  /** By package: what the index says; null where it could not be asked, or knows none. */
  pages: Record<string, Page>;
  /** By package: pins for which its page is kept whole as far as they allow, however old. */
  pins: Record<string, string[]>;
  /** By digest of a wheel: what its metadata requires. */
  metadata: Record<string, string[]>;
  /** By digest of a wheel: why it cannot be used. */
  unusable: Record<string, string>;
  /** Packages and digests of files whose source did not answer: another time it may. */
  unreached: string[];
}

/** An answer of the main process to something that was wanted. */
export interface Answer {
  kind: Wanted["kind"];
  /** Name of the package, or digest of the wheel. */
  key: string;
  /** Where the content is among the files of the request; null where there is none. */
  file: string | null;
  /** Address that it is from, against which others are relative. */
  url: string;
  /** Why there is none. */
  problem: string | null;
  /** Whether that may pass. */
  mayPass: boolean;
}

/** What the installation itself brings. */
export interface Installation {
  /** By package: the version that sessions have a file of. */
  fixed: Readonly<Record<string, string>>;
  /** By library that the runtime is made of: its version, which every session has. */
  bundled: Readonly<Record<string, string>>;
  /** By package of both kinds: what its metadata requires. */
  requires: Readonly<Record<string, string[]>>;
  /** Packages that are never looked for: the runtime's own, and those that it stands in for. */
  provided: ReadonlySet<string>;
}

/** An entry of a table whose keys are names of strangers: "constructor" is one too. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
