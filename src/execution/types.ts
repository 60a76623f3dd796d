/**
 * What the execution side takes from the rest of Berth.
 *
 * @module
 */

/** A registered server, as far as running it needs. */
export interface RunnableServer {
  name: string;
  lang: string;
  /** Path below the folder. */
  entrypoint: string;
  /** Folder of the repository that the record selects; empty for its root. */
  folder: string;
  archiveSha256: string;
  scanStatus: "passed" | "failed" | "error";
  pricing: { currency: string; amount: number };
}

/** Which scan outcomes may run (`EXECUTION_POLICY`). */
export type ExecutionPolicy = "unless-failed" | "passed" | "any";
