/**
 * What every installation brings: packages with a file of their own in each, and those that the
 * runtime is or stands in for.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { readSymbols } from "./symbols.ts";
import requirements from "./installed_requirements.json" with { type: "json" };

/** See `workers/analysis/packages/resolve.ts`. */
export interface Installation {
  /** By package, its version. */
  fixed: Record<string, string>;
  /** By such a package, what its metadata requires. */
  requires: Record<string, string[]>;
  provided: string[];
  /** See `readSymbols`. */
  symbols: Uint8Array;
}

/** The SDKs, which Berth serves itself, and servers for HTTP, whose place it takes. */
const STOOD_IN_FOR = [
  "mcp",
  "mcp-types",
  "fastmcp",
  "fastmcp-slim",
  "uvicorn",
  "hypercorn",
  "uvloop",
  "nest-asyncio",
];
const PYTHON = new URL("../../workers/python/", import.meta.url);
const PIN = /^([a-z0-9-]+)==(\S+)/gm;

async function pinsOf(file: string): Promise<Record<string, string>> {
  const text = await Deno.readTextFile(new URL(file, PYTHON));
  return Object.fromEntries([...text.matchAll(PIN)].map(([, name, version]) => [name!, version!]));
}

/** By package and version: the Requires-Dist lines of the wheels that `packages.lock` names. */
const REQUIREMENTS: Readonly<Record<string, string[]>> = requirements;

/** Reads the lock files of the installation. */
export async function readInstallation(): Promise<Installation> {
  const [fixed, own, symbols] = await Promise.all([
    pinsOf("packages.lock"),
    pinsOf("requirements.lock"),
    readSymbols(),
  ]);
  const requires = Object.fromEntries(
    Object.entries(fixed).map((
      [name, version],
    ) => [name, REQUIREMENTS[`${name} ${version}`] ?? []]),
  );
  const provided = [...Object.keys(own), ...STOOD_IN_FOR];
  return { fixed, requires, provided, symbols };
}

/** The lock file of Pyodide's distribution, as its npm package has it. */
export function distributionFile(): string {
  return fileURLToPath(import.meta.resolve("pyodide/pyodide-lock.json"));
}
