/**
 * How walls are tried out on this machine.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { findControlGroups } from "./control_group.ts";
import type { Run } from "./probe.ts";

/** How to try something out. */
export interface WallsSystem {
  os: string;
  arch: string;
  isRoot: boolean;
  run: Run;
  findControlGroups(): Promise<string | null>;
}

// Long: what a busy machine is too slow to say would be missing from every process.
const PROBE_TIMEOUT_MS = 60_000;

export const SYSTEM: WallsSystem = {
  os: Deno.build.os,
  arch: Deno.build.arch,
  get isRoot() {
    return Deno.uid() === 0;
  },
  // With an empty environment, as sandboxed processes are started.
  run: ([program, ...args]) =>
    new Promise((resolve) => {
      const options = { env: {}, timeout: PROBE_TIMEOUT_MS, killSignal: "SIGKILL" } as const;
      execFile(program!, args, options, (error, stdout) => {
        resolve(error === null ? stdout : null);
      });
    }),
  findControlGroups: () => findControlGroups(),
};
