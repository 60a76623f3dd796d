/**
 * Lock files of pnpm (versions 5 to 9) and yarn (classic and berry).
 *
 * @module
 */
import { parseSyml } from "@yarnpkg/parsers";
import { parse as parseYaml } from "yaml";
import { npmAllowed } from "./npm.ts";
import {
  asTable,
  entriesOf,
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";

function lockedAt(name: string, version: string, find: string, file: string): Requirement {
  const found = npmAllowed(name, version);
  return requirement({ ecosystem: "npm", ...found, file, line: { find }, locked: true });
}

function table(parse: () => unknown): Record<string, unknown> {
  let root: Record<string, unknown> | null;
  try {
    // A file without content, or of comments only, locks nothing.
    root = asTable(parse() ?? {});
  } catch {
    throw new ManifestUnreadable("its format is not understood");
  }
  if (root === null) throw new ManifestUnreadable("it is not a table");
  return root;
}

// "/name/1.0.0_peer", "/@scope/name/1.0.0" (5), "/name@1.0.0(peer@2)" (6), "name@1.0.0" (9).
const PNPM_KEY = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^(_]*)/;

/** `registry.example.com/name/1.0.0`: another registry with the names of npm's. */
const PNPM_HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?=\/(?:@[^/@]+\/)?[^/@]+\/\d)/;

function readPnpm(text: string, { file }: ReadContext): Requirement[] {
  const root = table(() => parseYaml(text, { maxAliasCount: 100 }));
  return entriesOf(root.packages).flatMap(([key, value]): Requirement[] => {
    const { name, resolution } = asTable(value) ?? {};
    const { type, repo, tarball } = asTable(resolution) ?? {};
    // Folders are the repository's own.
    if (type === "directory" || key.startsWith("link:")) return [];
    const match = key.startsWith("file:") ? null : PNPM_KEY.exec(key.replace(PNPM_HOST, ""));
    if (match !== null && typeof name !== "string") {
      return [lockedAt(match[1]!, match[2]!, key, file)];
    }
    const named = typeof name === "string" ? name : /^((?:@[^/@]+\/)?[^/@]+)@\w+:/.exec(key)?.[1];
    if (named === undefined) return [];
    const from = [repo, tarball].find((each) => typeof each === "string") ?? key;
    const allowed = { kind: "elsewhere", from: String(from) } as const;
    const place = { file, line: { find: key }, locked: true };
    return [requirement({ ecosystem: "npm", name: named, allowed, ...place })];
  });
}

const YARN_KEY = /^((?:@[^/@]+\/)?[^/@]+)(?:@(?:npm:)?(?:((?:@[^/@]+\/)?[^/@]+)@)?(.*))?$/;
const OWN = /^(?:workspace|portal|link|file|patch):/;

function readYarn(text: string, { file }: ReadContext): Requirement[] {
  const root = table(() => parseSyml(text));
  const found = new Map<string, Requirement>();
  for (const [key, value] of entriesOf(root)) {
    const { version, resolution } = asTable(value) ?? {};
    const match = YARN_KEY.exec(typeof resolution === "string" ? resolution : key);
    if (key === "__metadata" || match === null || typeof version !== "string") continue;
    const [, name, aliased, wanted] = match;
    if (OWN.test(wanted ?? "") || version === "0.0.0-use.local") continue;
    const locked = lockedAt(aliased ?? name!, version, key, file);
    // The parser gives an entry for each of the ranges that one version settles.
    const id = `${locked.name}@${version}`;
    if (!found.has(id)) found.set(id, locked);
  }
  return [...found.values()];
}

/** `pnpm-lock.yaml`. */
export const pnpmLock: ManifestReader = {
  matches: (name) => name === "pnpm-lock.yaml",
  read: readPnpm,
};

/** `yarn.lock`. */
export const yarnLock: ManifestReader = { matches: (name) => name === "yarn.lock", read: readYarn };
