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
    root = asTable(parse());
  } catch {
    throw new ManifestUnreadable("its format is not understood");
  }
  if (root === null) throw new ManifestUnreadable("it is not a table");
  return root;
}

// "/name/1.0.0_peer", "/@scope/name/1.0.0" (5), "/name@1.0.0(peer@2)" (6), "name@1.0.0" (9).
const PNPM_KEY = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^(_]*)/;

function readPnpm(text: string, { file }: ReadContext): Requirement[] {
  const root = table(() => parseYaml(text, { maxAliasCount: 100 }));
  return entriesOf(root.packages).flatMap(([key]) => {
    const match = PNPM_KEY.exec(key);
    // Keys without a version are addresses and folders.
    return match ? [lockedAt(match[1]!, match[2]!, key, file)] : [];
  });
}

const YARN_KEY = /^((?:@[^/@]+\/)?[^/@]+)@(?:npm:)?(?:((?:@[^/@]+\/)?[^/@]+)@)?(.*)$/;
const OWN = /^(?:workspace|portal|link|file|patch):/;

function readYarn(text: string, { file }: ReadContext): Requirement[] {
  const root = table(() => parseSyml(text));
  const found = new Map<string, Requirement>();
  for (const [key, value] of entriesOf(root)) {
    const { version, resolution } = asTable(value) ?? {};
    const match = YARN_KEY.exec(typeof resolution === "string" ? resolution : key);
    if (match === null || typeof version !== "string") continue;
    const [, name, aliased, wanted] = match;
    if (OWN.test(wanted!) || version === "0.0.0-use.local") continue;
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
