/**
 * npm: `package-lock.json` (versions 1 to 3), `npm-shrinkwrap.json` and `package.json`.
 *
 * @module
 */
import { npmIntervals } from "../advisories/semver_ranges.ts";
import { packageOnDemand } from "../on_demand.ts";
import {
  type Allowed,
  asTable,
  entriesOf,
  type ManifestReader,
  ManifestUnreadable,
  parseJson,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";

const semver = packageOnDemand<typeof import("semver")>("semver");

/** Nesting of a version 1 lock file; npm itself stays far below. */
const MAX_DEPTH = 100;

function object(text: string): Record<string, unknown> {
  const root = asTable(parseJson(text));
  if (root === null) throw new ManifestUnreadable("it is not an object");
  return root;
}

/** What a dependency's value means: a version, a range, an alias, or somewhere else. */
export function npmAllowed(name: string, value: string): { name: string; allowed: Allowed } {
  const alias = /^npm:(@?[^@]+)(?:@(.+))?$/.exec(value);
  if (alias) return npmAllowed(alias[1]!, alias[2] ?? "*");
  const version = semver().valid(value);
  if (version !== null) return { name, allowed: { kind: "exact", version } };
  if (npmIntervals(value) !== null) return { name, allowed: { kind: "range", ranges: [value] } };
  // A tag such as "latest" may become any version.
  if (/^[\w.-]+$/.test(value)) return { name, allowed: { kind: "range", ranges: ["*"] } };
  return { name, allowed: { kind: "elsewhere", from: value } };
}

function locked(name: string, entry: Record<string, unknown>, key: string, file: string) {
  const { version, resolved, link } = entry;
  const from = typeof resolved === "string" && /^(git|file)/.test(resolved) ? resolved : null;
  if (link === true || typeof version !== "string" && from === null) return [];
  // Folders of the repository are its own.
  if (/^file:(?!.*\.(?:tgz|tar\.gz)$)/.test(from ?? String(version))) return [];
  const found = from === null ? npmAllowed(name, String(version)) : {
    name,
    allowed: { kind: "elsewhere", from } as const,
  };
  return [requirement({
    ecosystem: "npm",
    ...found,
    file,
    line: { find: `"${key}": {` },
    locked: true,
  })];
}

function readTree(dependencies: unknown, file: string, depth = 0): Requirement[] {
  if (depth > MAX_DEPTH) throw new ManifestUnreadable("it is nested too deeply");
  return entriesOf(dependencies).flatMap(([name, value]) => {
    const entry = asTable(value) ?? {};
    return [...locked(name, entry, name, file), ...readTree(entry.dependencies, file, depth + 1)];
  });
}

function readLock(text: string, { file, textOf }: ReadContext): Requirement[] {
  // npm ignores the one where the other is.
  const shrinkwrap = file.replace(/package-lock\.json$/, "npm-shrinkwrap.json");
  if (shrinkwrap !== file && textOf(shrinkwrap) !== null) return [];
  const root = object(text);
  if (root.packages === undefined) return readTree(root.dependencies, file);
  return entriesOf(root.packages).flatMap(([path, value]) => {
    const entry = asTable(value) ?? {};
    const at = path.lastIndexOf("node_modules/");
    // Other paths are the repository's own packages.
    if (at < 0) return [];
    const name = typeof entry.name === "string" ? entry.name : path.slice(at + 13);
    return locked(name, entry, path, file);
  });
}

function readManifest(text: string, { file }: ReadContext): Requirement[] {
  const root = object(text);
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  return kinds.flatMap((kind) =>
    entriesOf(root[kind]).flatMap(([name, value]) => {
      if (
        typeof value !== "string" || /^(workspace|file|link|portal|catalog):/.test(value)
      ) return [];
      const found = npmAllowed(name, value.trim());
      const text = `${name} ${value}`;
      return [requirement({ ecosystem: "npm", ...found, text, file, line: { find: `"${name}"` } })];
    })
  );
}

/** npm's lock files. */
export const packageLock: ManifestReader = {
  matches: (name) => name === "package-lock.json" || name === "npm-shrinkwrap.json",
  read: readLock,
};

/** `package.json`. */
export const packageJson: ManifestReader = {
  matches: (name) => name === "package.json",
  read: readManifest,
};
