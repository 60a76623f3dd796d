/**
 * How walls are tried out on this machine.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { findControlGroups } from "./control_group.ts";
import type { Run } from "./probe.ts";

/** How to try something out. */
export interface WallsSystem {
  os: string;
  arch: string;
  isRoot: boolean;
  run: Run;
  findControlGroups(): Promise<string | null>;
  /** Whether it is certain that users without rights of their own cannot read a file. */
  isHidden(path: string): boolean;
}

const READ_BY_OTHERS = 0o4;
const ENTERED_BY_OTHERS = 0o1;

function lacks(path: string, right: number): boolean {
  try {
    return ((Deno.statSync(path).mode ?? right) & right) === 0;
  } catch {
    // Not there: no user can read it.
    return true;
  }
}

function isHidden(path: string): boolean {
  if (lacks(path, READ_BY_OTHERS)) return true;
  for (let folder = dirname(path);; folder = dirname(folder)) {
    if (lacks(folder, ENTERED_BY_OTHERS)) return true;
    if (folder === dirname(folder)) return false;
  }
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
  isHidden,
};
