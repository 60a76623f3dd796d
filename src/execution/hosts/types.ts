/**
 * What the supervisor of the session hosts offers.
 *
 * @module
 */
import type { KeptFiles } from "../images/sessions.ts";
import type { ImageFigures } from "../images/maker.ts";
import type { CodeInput, EndReason, Interpreter, InterpreterInput } from "../interpreters/types.ts";

/** A host that was ended, or ended by itself, for what the code in it did. */
export interface HostKill {
  /** The registered server it belonged to. */
  server: string;
  reason: Exclude<EndReason, "closed" | "shutdown">;
  /** For people; nothing in it is the code's own words. */
  message: string;
}

/** Figures for metrics and tests. */
export interface HostStats {
  hosts: number;
  /** Sessions in use. */
  sessions: number;
  /** Booted sessions that wait for their first use. */
  warm: number;
  /** Process ids of the hosts. */
  pids: number[];
  /** Images that this node makes; null where it makes none. */
  images: ImageFigures | null;
}

export interface OpenOptions {
  /**
   * It is not for a client: it has no slot of those for sessions, begins only while one is free,
   * leaves the last warm one to them, and stands back for them at the processors.
   */
  background?: boolean;
}

/** An interpreter with a loaded server that has no client yet. */
export interface SpareInterpreter extends Interpreter {
  /**
   * Makes it a session of `client`, whose its host is from then on; once.
   *
   * @throws {AppError} `unavailable` when the node is full.
   */
  adopt(client: string): void;
}

/** Sessions that begin before their clients come. */
export interface SpareHosts {
  /** How many more interpreters there may be; negative where spare ones are too many. */
  room(): number;
  /** Whether there is room for one, and nobody waits for a boot. */
  mayOpenSpare(): boolean;
  /**
   * Starts an interpreter for nobody, and runs the entrypoint. It takes no place of sessions, and
   * leaves the last warm one to them.
   *
   * @throws {AppError} `unavailable` when the node is full or no interpreter can be started.
   */
  openSpare(input: CodeInput): Promise<SpareInterpreter>;
}

export interface SessionHosts {
  /**
   * Starts an interpreter for a client session and runs the entrypoint.
   *
   * @throws {AppError} `unavailable` when the node is full or no interpreter can be started.
   */
  open(input: InterpreterInput, options?: OpenOptions): Promise<Interpreter>;
  /** Keeps the files that a parked session needs to go on here. @returns What ends that. */
  keep(session: KeptFiles): () => void;
  stats(): HostStats;
  /** Calls `listener` with each host that the code in it brought to its end. */
  onKill(listener: (kill: HostKill) => void): void;
  /** Ends every session and host process, within seconds. */
  close(): Promise<void>;
}

/** What a session needs of the interpreter that it gets. */
export interface Wanted {
  images: readonly string[];
  /** What it begins with, null for no image; absent for one that was parked. */
  image?: string | null | undefined;
  onPlace?: InterpreterInput["onPlace"];
}
