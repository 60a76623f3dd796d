/**
 * Messages between the main thread and the worker that runs the embedded database.
 *
 * @module
 */

/** What the main thread asks of the worker. */
export type EmbeddedRequest =
  | { type: "open"; folder: string }
  | { type: "connect"; port: MessagePort }
  | { type: "close" };

/** What the worker reports. */
export type EmbeddedReply =
  | { type: "opened" }
  | { type: "closed" }
  /** `isFull`: the disk has no room to write, which is why. */
  | { type: "failed"; message: string; isFull: boolean };
