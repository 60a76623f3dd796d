/**
 * Values that the command line gives to a session: `--env`, `--env-file`.
 *
 * @module
 */
import { resolve } from "node:path";
import type { Cli } from "../cli.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import { readIfThere } from "../../files.ts";

/** Options of every command that begins a session. */
export interface EnvironmentOptions {
  env?: string[] | undefined;
  envFile?: string | undefined;
}

/** Values by name. */
export type Environment = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

function checkedName(name: string): string {
  if (NAME.test(name)) return name;
  throw usageError(
    "A variable's name has only letters, digits and underscores",
    "Pass --env NAME=value, or --env NAME for the value in your environment",
  );
}

function fromOption(cli: Cli, option: string): [name: string, value: string] {
  const at = option.indexOf("=");
  if (at >= 0) return [checkedName(option.slice(0, at)), option.slice(at + 1)];
  const value = cli.context.env(checkedName(option));
  if (value !== undefined) return [option, value];
  throw usageError(`${option} is not set in your environment`, `Pass --env ${option}=value`);
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

function unquoted(text: string): string {
  const quoted = /^(["'])([\s\S]*)\1\s*(?:#.*)?$/.exec(text);
  if (quoted === null) return text.replace(/\s+#.*$/, "").trim();
  const [, quote, inner] = quoted as unknown as [string, string, string];
  return quote === "'"
    ? inner
    : inner.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? character);
}

/** Reads lines of `NAME=value`, with comments, quotes and `export`. */
export function parseEnvironmentFile(text: string, path: string): Environment {
  const found: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const pair = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(trimmed);
    if (pair === null) throw usageError(`${path}, line ${index + 1}: not NAME=value`);
    found[pair[1]!] = unquoted(pair[2]!);
  }
  return found;
}

async function fromFile(cli: Cli, path: string): Promise<Environment> {
  const text = await readIfThere(resolve(cli.context.cwd(), path));
  if (text === null) throw new CliError(EXIT.failure, `${path} was not found`);
  return parseEnvironmentFile(text, path);
}

/** Names that options take from this program's environment. */
export function namedIn({ env = [] }: EnvironmentOptions): string[] {
  return env.filter((option) => !option.includes("="));
}

/** The values that options give; those of `--env` come before those of the file. */
export async function environmentOf(cli: Cli, options: EnvironmentOptions): Promise<Environment> {
  return {
    ...(options.envFile === undefined ? {} : await fromFile(cli, options.envFile)),
    ...Object.fromEntries((options.env ?? []).map((option) => fromOption(cli, option))),
  };
}

const HEADER = "Mcp-Server-Environment";
/** Longer ones go into the message. */
const HEADER_MAX_CHARS = 4096;

/** The request that begins a session, with the values. */
export function withEnvironment(init: RequestInit, environment: Environment): RequestInit {
  if (Object.keys(environment).length === 0 || typeof init.body !== "string") return init;
  const encoded = new TextEncoder().encode(JSON.stringify(environment)).toBase64();
  if (encoded.length <= HEADER_MAX_CHARS) {
    const headers = new Headers(init.headers);
    headers.set(HEADER, encoded);
    return { ...init, headers };
  }
  const message = JSON.parse(init.body);
  if (message.method !== "initialize") return init;
  const params = { ...message.params };
  params._meta = { ...params._meta, "berth/environment": environment };
  return { ...init, body: JSON.stringify({ ...message, params }) };
}
