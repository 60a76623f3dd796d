/**
 * Packages that a session's Python code imports: its host hands them over as messages, as the worker
 * may read nothing.
 *
 * @module
 */
import type { FromWorker } from "./session_messages.ts";

/** Matches packages to what asked for them. */
export interface PackageBridge {
  /** The files of a package as a zip; null when there is none of that name. */
  take(name: string): Promise<Uint8Array | null>;
  done(request: number, bytes: Uint8Array | null): void;
}

/** A bridge that asks with `send`. */
export function createPackageBridge(send: (message: FromWorker) => void): PackageBridge {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>();
  let last = 0;
  return {
    take(name) {
      const request = ++last;
      return new Promise((resolve) => {
        waiting.set(request, resolve);
        send({ type: "package", request, name });
      });
    },
    done(request, bytes) {
      const resolve = waiting.get(request);
      waiting.delete(request);
      resolve?.(bytes);
    },
  };
}
