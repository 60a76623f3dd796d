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

/** A quoted value, which may have several lines, and the comment behind it. */
const QUOTED =
  /^(?:"(?<escaped>(?:[^"\\]|\\[\s\S])*)"|'(?<plain>[^']*)')[^\S\n]*(?:#[^\n]*)?(?=\n|$)/;

function withoutEscapes(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, character: string) => ESCAPES[character] ?? character);
}

/** Reads `NAME=value`, with comments, quotes (also around several lines) and `export`. */
export function parseEnvironmentFile(text: string, path: string): Environment {
  const found: [name: string, value: string][] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimStart();
    if (line === "" || line.startsWith("#")) continue;
    const pair = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$/.exec(line);
    if (pair === null) throw usageError(`${path}, line ${at + 1}: not NAME=value`);
    const [, name, rest] = pair as unknown as [string, string, string];
    if (!/^\s*["']/.test(rest)) {
      found.push([name, rest.replace(/\s+#.*$/, "").trim()]);
      continue;
    }
    const quoted = QUOTED.exec([rest.trimStart(), ...lines.slice(at + 1)].join("\n"));
    if (quoted === null) {
      throw usageError(`${path}, line ${at + 1}: a quoted value must end with its quote`);
    }
    const { escaped, plain } = quoted.groups!;
    found.push([name, escaped === undefined ? plain! : withoutEscapes(escaped)]);
    at += quoted[0].split("\n").length - 1;
  }
  return Object.fromEntries(found);
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

/** Tells the one request whose values count: those that later ones bring change nothing. */
export function beginsSession({ body }: RequestInit): boolean {
  if (typeof body !== "string" || !body.includes('"initialize"')) return false;
  return JSON.parse(body).method === "initialize";
}

/** The request that begins a session, with the values. */
export function withEnvironment(init: RequestInit, environment: Environment): RequestInit {
  if (Object.keys(environment).length === 0 || typeof init.body !== "string") return init;
  const encoded = new TextEncoder().encode(JSON.stringify(environment)).toBase64();
  if (encoded.length <= HEADER_MAX_CHARS) {
    const headers = new Headers(init.headers);
    headers.set(HEADER, encoded);
    return { ...init, headers };
  }
  if (!beginsSession(init)) return init;
  const message = JSON.parse(init.body);
  const params = { ...message.params };
  params._meta = { ...params._meta, "berth/environment": environment };
  return { ...init, body: JSON.stringify({ ...message, params }) };
}
