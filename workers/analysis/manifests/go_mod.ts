/**
 * `go.mod` and `go.sum` (https://go.dev/ref/mod#go-mod-file).
 *
 * @module
 */
import { compareSemver } from "../advisories/semver_ranges.ts";
import {
  type Allowed,
  type ManifestReader,
  ManifestUnreadable,
  type ReadContext,
  type Requirement,
  requirement,
} from "./requirement.ts";

const REQUIRE = /^"?([^\s"]+)"?\s+(v\d\S*)$/;
const REPLACE = /^"?([^\s"]+)"?(?:\s+(v\S+))?\s+=>\s+"?([^\s"]+)"?(?:\s+(v\S+))?$/;
/** Before it, `go.mod` names only what the module itself asks for. */
const FIRST_COMPLETE = "1.17.0";

interface Statement {
  verb: string;
  rest: string;
  line: number;
}

/** The statements of the file, those in parentheses with their verb. */
function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let block = "";
  text.split(/\r\n?|\n/).forEach((raw, index) => {
    const written = raw.replace(/\/\/.*$/, "").trim();
    const opened = /^(\w+)\s*\($/.exec(written);
    if (opened) block = opened[1]!;
    else if (written === ")") block = "";
    else if (written !== "") {
      const [verb = "", ...rest] = block === "" ? written.split(/\s+/) : [block, written];
      found.push({ verb, rest: rest.join(" "), line: index + 1 });
    }
  });
  return found;
}

/** OSV writes Go's versions without "v"; "+incompatible" is no part of their order. */
function plain(version: string): string {
  return version.replace(/^v/, "").replace(/\+incompatible$/, "");
}

/** `1.21` and `1.21rc2` as semantic versions. */
function goVersion(text: string): string | null {
  const match = /^(?:go)?(\d+)\.(\d+)(?:\.(\d+))?(?:(rc|beta)(\d+))?/.exec(text);
  if (match === null) return null;
  const [, major, minor, patch = "0", kind, number] = match;
  return `${major}.${minor}.${patch}${kind === undefined ? "" : `-${kind}.${number}`}`;
}

interface Ordered {
  order: number;
}

interface Replacement {
  name: string;
  allowed: Allowed;
}

/** `name` and `name version` of what is replaced. */
function replaced(name: string, version: string | undefined): string {
  return version === undefined ? name : `${name} ${version}`;
}

/** By {@link replaced}, with their order: of several that fit the first counts. */
function replacementsIn(statements: readonly Statement[]): Map<string, Replacement & Ordered> {
  const found = new Map<string, Replacement & Ordered>();
  for (const { verb, rest, line } of statements) {
    if (verb !== "replace") continue;
    const match = REPLACE.exec(rest);
    if (match === null) {
      throw new ManifestUnreadable(`line ${line} is not a valid replacement`, line);
    }
    const [, old, version, path, other] = match;
    const local = /^\.{0,2}\//.test(path!) || other === undefined;
    const replacement: Replacement = local
      ? { name: old!, allowed: { kind: "elsewhere", from: path! } }
      : { name: path!, allowed: { kind: "exact", version: plain(other) } };
    const key = replaced(old!, version);
    if (!found.has(key)) found.set(key, { ...replacement, order: found.size });
  }
  return found;
}

/**
 * The standard library: the file names the least version that may build the module, so what counts
 * is a range.
 */
function standardLibrary(statements: readonly Statement[], file: string): Requirement[] {
  const versions = statements.filter(({ verb }) => verb === "go" || verb === "toolchain")
    .flatMap(({ rest, line }) => {
      const version = goVersion(rest);
      return version === null ? [] : [{ version, line, text: rest }];
    })
    .sort((a, b) => compareSemver(b.version, a.version));
  const [least] = versions;
  if (least === undefined) return [];
  const allowed: Allowed = { kind: "range", ranges: [`>=${least.version}`] };
  const place = { text: `go ${least.text}`, file, line: least.line };
  return [requirement({ ecosystem: "Go", name: "stdlib", allowed, ...place, locked: true })];
}

/** Modules of `go.sum` whose content was fetched, each in its highest version. */
function summed(text: string, file: string, known: ReadonlySet<string>): Requirement[] {
  const highest = new Map<string, { version: string; line: number }>();
  text.split(/\r\n?|\n/).forEach((raw, index) => {
    const match = /^(\S+) (v\S+) h1:/.exec(raw);
    if (match === null || match[2]!.endsWith("/go.mod") || known.has(match[1]!)) return;
    const version = plain(match[2]!);
    const other = highest.get(match[1]!);
    try {
      if (other !== undefined && compareSemver(other.version, version) >= 0) return;
    } catch {
      return;
    }
    highest.set(match[1]!, { version, line: index + 1 });
  });
  return [...highest].map(([name, { version, line }]) => {
    const allowed = { kind: "exact", version } as const;
    return requirement({ ecosystem: "Go", name, allowed, file, line, locked: true });
  });
}

function readGoMod(text: string, { file, textOf, alsoRead }: ReadContext): Requirement[] {
  const statements = statementsOf(text);
  const replacements = replacementsIn(statements);
  const asked = new Set<string>();
  const found = statements.filter(({ verb }) => verb === "require").map(({ rest, line }) => {
    const match = REQUIRE.exec(rest);
    if (match === null) {
      throw new ManifestUnreadable(`line ${line} is not a valid requirement`, line);
    }
    const [, name, version] = match;
    asked.add(name!);
    const [other] = [undefined, version]
      .flatMap((each) => replacements.get(replaced(name!, each)) ?? [])
      .sort((a, b) => a.order - b.order);
    const allowed = other?.allowed ?? { kind: "exact", version: plain(version!) };
    const place = { text: rest, file, line, locked: true };
    return requirement({ ecosystem: "Go", name: other?.name ?? name!, allowed, ...place });
  });
  const library = standardLibrary(statements, file);
  const declared = goVersion(statements.find(({ verb }) => verb === "go")?.rest ?? "");
  const sums = file.replace(/\.mod$/, ".sum");
  const sum = declared === null || compareSemver(declared, FIRST_COMPLETE) >= 0
    ? null
    : textOf(sums);
  if (sum === null) return [...found, ...library];
  alsoRead(sums);
  return [...found, ...summed(sum, sums, asked), ...library];
}

/** `go.mod`, with `go.sum` where the first is not complete. */
export const goMod: ManifestReader = { matches: (name) => name === "go.mod", read: readGoMod };
