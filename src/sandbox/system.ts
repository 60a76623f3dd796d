/**
 * How walls are tried out on this machine.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { findControlGroups, SHELL } from "./control_group.ts";

/** How to try something out. */
export interface WallsSystem {
  os: string;
  arch: string;
  isRoot: boolean;
  /** Whether `command` runs and ends well. */
  works(command: string[]): Promise<boolean>;
  findControlGroups(): Promise<string | null>;
}

// Long: what a busy machine is too slow to say would be missing from every process.
const PROBE_TIMEOUT_MS = 60_000;

/** The real system. */
export const SYSTEM: WallsSystem = {
  os: Deno.build.os,
  arch: Deno.build.arch,
  get isRoot() {
    return Deno.uid() === 0;
  },
  // With an empty environment, as sandboxed processes are started.
  works: (command) =>
    new Promise((resolve) => {
      const args = ["-c", 'exec "$@"', "sh", ...command];
      const options = { env: {}, timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL" } as const;
      execFile(SHELL, args, options, (error) => resolve(error === null));
    }),
  findControlGroups: () => findControlGroups(),
};
