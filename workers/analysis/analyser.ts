/**
 * What an analyser is: a function over the files of one repository, run in the analysis process.
 *
 * @module
 */

/** Files by POSIX path relative to the server's folder, sorted by path. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>;

export interface AnalyserInput {
  /** Language of the server: python, javascript, typescript, go or rust. */
  lang: string;
  /** Path of the file that runs. */
  entrypoint: string;
  files: SourceFiles;
  options: Record<string, unknown>;
  /** Threads that may look at files side by side; 1 for this one alone. */
  threads: number;
  /**
   * Says which file a thread works on next, so that a crash or a hang can be laid at its door; null
   * when it has none. Without `thread` it is this one.
   */
  begin(file: string | null, thread?: number): void;
  /** Reports a file that could not be analysed although it counts: the scan then fails. */
  refuse(file: string, reason: string): void;
}

/** An analyser. Its result is JSON, parsed as hostile input by its stage. */
export type Analyser = (input: AnalyserInput) => Promise<unknown>;
