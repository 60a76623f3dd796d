/**
 * What every installation brings: packages with a file of their own in each, and those that the
 * runtime is or stands in for.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readSymbols } from "./symbols.ts";
import requirements from "./installed_requirements.json" with { type: "json" };

/** See `workers/analysis/packages/resolve.ts`. */
export interface Installation {
  /** By package, its version. */
  fixed: Record<string, string>;
  /** By such a package, what its metadata requires. */
  requires: Record<string, string[]>;
  provided: string[];
  /** The versions of the SDKs that Berth's runtime serves. */
  sdks: InstalledSdk[];
  /** See `readSymbols`. */
  symbols: Uint8Array;
}

/** Servers for HTTP, whose place Berth takes. */
const STOOD_IN_FOR = [
  "uvicorn",
  "hypercorn",
  "uvloop",
  "nest-asyncio",
];
/** Packages whose work the runtime does where their own files are unavailable. */
export const STOOD_IN_FOR_WHERE_ABSENT: ReadonlySet<string> = new Set([
  "asyncpg",
  "curl-cffi",
  "greenlet",
  "orjson",
  "ormsgpack",
  "psycopg-binary",
  "psycopg-c",
  "psycopg2",
  "psycopg2-binary",
]);

/** A version of an SDK; `names` is its `names.json`, which the analysis process reads. */
export interface InstalledSdk extends z.infer<typeof SdkFacts> {
  names: Uint8Array;
}

const SdkFacts = z.object({
  name: z.string(),
  version: z.string(),
  distributions: z.record(z.string(), z.string()),
  requires: z.record(z.string(), z.string()),
});
const PYTHON = new URL("../../workers/python/", import.meta.url);
const PIN = /^([a-z0-9-]+)==(\S+)/gm;

async function pinsOf(file: string): Promise<Record<string, string>> {
  const text = await Deno.readTextFile(new URL(file, PYTHON));
  return Object.fromEntries([...text.matchAll(PIN)].map(([, name, version]) => [name!, version!]));
}

async function readSdks(): Promise<InstalledSdk[]> {
  const folder = new URL("berth_sdk/versions/", PYTHON);
  const found: InstalledSdk[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory || name.startsWith("__")) continue;
    const facts = await Deno.readTextFile(new URL(`${name}/facts.json`, folder));
    const names = await Deno.readFile(new URL(`${name}/names.json`, folder));
    found.push({ ...SdkFacts.parse(JSON.parse(facts)), names });
  }
  return found.sort((a, b) =>
    a.name < b.name || a.name === b.name && a.version < b.version ? -1 : 1
  );
}

/** By package and version: the Requires-Dist lines of the wheels that `packages.lock` names. */
const REQUIREMENTS: Readonly<Record<string, string[]>> = requirements;

/** Reads the lock files of the installation. */
export async function readInstallation(): Promise<Installation> {
  const [fixed, own, symbols, sdks] = await Promise.all([
    pinsOf("packages.lock"),
    pinsOf("requirements.lock"),
    readSymbols(),
    readSdks(),
  ]);
  const requires = Object.fromEntries(
    Object.entries(fixed).map((
      [name, version],
    ) => [name, REQUIREMENTS[`${name} ${version}`] ?? []]),
  );
  const provided = [...Object.keys(own), ...STOOD_IN_FOR];
  return { fixed, requires, provided, sdks, symbols };
}

/** The lock file of Pyodide's distribution, as its npm package has it. */
export function distributionFile(): string {
  return fileURLToPath(import.meta.resolve("pyodide/pyodide-lock.json"));
}
