/**
 * What an interpreter is started with.
 *
 * @module
 */

/** What an interpreter is started with, beside what the caller gives. */
export interface InterpreterOptions {
  /** Milliseconds the entrypoint may run. */
  loadDeadlineMs: number;
  /** Milliseconds from the interrupt of a call that is out of time to the kill of its host. */
  interruptGraceMs: number;
  /** Milliseconds that an interpreter beside others has to end before its host is killed. */
  closeGraceMs: number;
  /** Most MiB of linear memory, for what is said to who meets that. */
  memoryMb: number;
  /** Image that it goes on with; null for none. */
  image: string | null;
  /** A callback of the caller threw. */
  onCallbackError(error: unknown): void;
}
