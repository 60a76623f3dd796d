/**
 * Messages between a session host and its workers. Both run beside hostile code, so neither side's
 * word counts for the main process; the host checks shapes only so as not to fall over.
 *
 * @module
 */
import type { BootFile } from "./session_boot.ts";

/** What every worker of a host boots from. */
export interface BootParts {
  module: WebAssembly.Module;
  stdlib: Uint8Array;
  files: BootFile[];
  snapshot: SharedArrayBuffer | null;
  interrupt: SharedArrayBuffer;
  lockInfo: Record<string, string>;
}

/** From the host to a worker. */
export type ToWorker =
  | { type: "boot"; parts: BootParts }
  | { type: "pack" | "snapshot"; parts: BootParts; files: BootFile[] }
  | { type: "open"; options: string; files: BootFile[] }
  | { type: "call"; call: number; message: string }
  | { type: "cancel"; call: number }
  | { type: "ask_done"; request: number; outcome: string }
  | { type: "http_done"; request: number; meta: string; body: Uint8Array }
  | { type: "package_done"; request: number; bytes: Uint8Array | null }
  | { type: "end" };

/** From a worker to its host. */
export type FromWorker =
  | { type: "booted" }
  | { type: "opened"; outcome: Uint8Array }
  | { type: "result"; call: number; outcome: Uint8Array }
  | { type: "waiting"; call: number }
  | { type: "event"; event: Uint8Array }
  | { type: "ask"; request: number; question: Uint8Array }
  | {
    type: "http";
    request: number;
    call: number | null;
    meta: string;
    body: Uint8Array | null;
  }
  | { type: "package"; request: number; name: string }
  | { type: "idle" }
  | { type: "prepared"; parts: { name: string; bytes: Uint8Array }[] }
  | { type: "fatal"; message: string };
