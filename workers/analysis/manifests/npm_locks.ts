/**
 * Lock files of pnpm (versions 5 to 9), yarn (classic and berry) and Bun (its text form).
 *
 * @module
 */
import { packageOnDemand } from "../on_demand.ts";
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
import { parseYaml, yamlDocuments } from "./yaml.ts";

const yarn = packageOnDemand<typeof import("@yarnpkg/parsers")>("@yarnpkg/parsers");

function lockedAt(name: string, version: string, find: string, file: string): Requirement {
  const found = npmAllowed(name, version);
  return requirement({ ecosystem: "npm", ...found, file, line: { find }, locked: true });
}

/** Of a package that is not the registry's: what it comes from in place of a version. */
function lockedElsewhere(name: string, from: string, find: string, file: string): Requirement {
  const allowed = { kind: "elsewhere", from } as const;
  return requirement({ ecosystem: "npm", name, allowed, file, line: { find }, locked: true });
}

/** A file without content, or of comments only, locks nothing. */
function table(value: unknown): Record<string, unknown> {
  const root = asTable(value ?? {});
  if (root === null) throw new ManifestUnreadable("it is not a table");
  return root;
}

// "/name/1.0.0_peer", "/@scope/name/1.0.0" (5), "/name@1.0.0(peer@2)" (6), "name@1.0.0" (9).
const PNPM_KEY = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^(_]*)/;

/** `registry.example.com/name/1.0.0`: another registry with the names of npm's. */
const PNPM_HOST = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?=\/(?:@[^/@]+\/)?[^/@]+\/\d)/;

/** From pnpm 11 on a first document has what pnpm itself and its plugins need: they run too. */
function readPnpm(text: string, { file }: ReadContext): Requirement[] {
  const packages = yamlDocuments(text).map(table).flatMap((root) => entriesOf(root.packages));
  return packages.flatMap(([key, value]): Requirement[] => {
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
    return [lockedElsewhere(named, String(from), key, file)];
  });
}

const YARN_KEY = /^((?:@[^/@]+\/)?[^/@]+)(?:@(?:npm:)?(?:((?:@[^/@]+\/)?[^/@]+)@)?(.*))?$/;
const OWN = /^(?:workspace|portal|link|file|patch):/;

function parseYarn(text: string): unknown {
  try {
    return yarn().parseSyml(text);
  } catch {
    throw new ManifestUnreadable("its format is not supported");
  }
}

function readYarn(text: string, { file }: ReadContext): Requirement[] {
  const root = table(parseYarn(text));
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

const BUN_PACKAGE = /^((?:@[^/@]+\/)?[^/@]+)@(.+)$/;
const BUN_OWN = /^(?:workspace|link|file|root|module):/;

function readBun(text: string, { file }: ReadContext): Requirement[] {
  // JSON with commas at the end of lists, which is YAML.
  const root = table(parseYaml(text));
  const packages = asTable(root.packages ?? {});
  if (packages === null) throw new ManifestUnreadable("its packages are not a table");
  return entriesOf(packages).flatMap(([key, value]): Requirement[] => {
    const [written] = Array.isArray(value) ? value as unknown[] : [];
    const match = typeof written === "string" ? BUN_PACKAGE.exec(written) : null;
    if (match === null) {
      throw new ManifestUnreadable(`the entry ${JSON.stringify(key)} is not a valid package`);
    }
    const [whole, name, from] = match;
    const find = `"${whole}"`;
    if (/^\d/.test(from!)) return [lockedAt(name!, from!, find, file)];
    return BUN_OWN.test(from!) ? [] : [lockedElsewhere(name!, from!, find, file)];
  });
}

/** `bun.lock`; the binary `bun.lockb` of older versions is not read. */
export const bunLock: ManifestReader = { matches: (name) => name === "bun.lock", read: readBun };

/** `pnpm-lock.yaml`. */
export const pnpmLock: ManifestReader = {
  matches: (name) => name === "pnpm-lock.yaml",
  read: readPnpm,
};

/** `yarn.lock`. */
export const yarnLock: ManifestReader = { matches: (name) => name === "yarn.lock", read: readYarn };
