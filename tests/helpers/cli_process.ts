/**
 * The `berth` command line as its users start it: in a process of its own, piped or in a
 * pseudo-terminal.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { commandLine } from "../../src/cli/command_line.ts";

/** How a process ended. */
export interface CliProcess {
  code: number;
  out: string;
  err: string;
}

/** Where and as whom it runs. */
export interface ProcessOptions {
  /** Home folder. */
  home: string;
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
}

/** Where Deno keeps its cache, also for a process with another home folder. */
export function denoFolder(): string {
  const caches = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  return Deno.env.get("DENO_DIR") ?? `${caches}/deno`;
}

function environment({ home, env }: ProcessOptions): Record<string, string> {
  const kept = ["PATH", "TMPDIR", "LANG"];
  const own = kept.map((name) => [name, Deno.env.get(name)]).filter((entry) => entry[1]);
  return { ...Object.fromEntries(own), DENO_DIR: denoFolder(), HOME: home, ...env };
}

/** Runs `berth` with `args`, its streams piped. */
export async function runBerth(args: string[], options: ProcessOptions): Promise<CliProcess> {
  const { program, args: before } = commandLine();
  const child = new Deno.Command(program, {
    args: [...before, ...args],
    cwd: options.cwd ?? options.home,
    clearEnv: true,
    env: environment(options),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? "")).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** What a terminal saw. */
export interface TerminalRun {
  code: number;
  screen: string;
}

/**
 * Runs a program in a pseudo-terminal and types: each step waits for a text, then types another.
 *
 * @throws {Error} When a text did not come.
 */
export async function runInTerminal(
  argv: string[],
  steps: [wait: string, type: string][],
  options: ProcessOptions & { columns?: number },
): Promise<TerminalRun> {
  const child = new Deno.Command("python3", {
    args: [fileURLToPath(new URL("./pseudo_terminal.py", import.meta.url))],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const order = {
    argv,
    env: { TERM: "xterm", ...environment(options) },
    cwd: options.cwd ?? options.home,
    rows: 40,
    columns: options.columns ?? 100,
    steps,
  };
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(order)));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  if (code !== 0) throw new Error(decoder.decode(stderr));
  const result = JSON.parse(decoder.decode(stdout));
  if (result.left.length > 0) {
    throw new Error(`${JSON.stringify(result.left[0])} did not come:\n${result.screen}`);
  }
  return result;
}

/** {@link runInTerminal} of `berth`. */
export async function typeBerth(
  args: string[],
  steps: [wait: string, type: string][],
  options: ProcessOptions & { columns?: number },
): Promise<TerminalRun> {
  const { program, args: before } = commandLine();
  return await runInTerminal([program, ...before, ...args], steps, options);
}
