/**
 * Which requirements count beside the lock files.
 *
 * @module
 */
import type { ScanInput } from "../stage.ts";
import type { Requirement } from "./manifest_schema.ts";

/** Of what a requirement is called, so much is shown. */
const MAX_TEXT = 200;

function keyOf({ ecosystem, name }: Requirement): string {
  return `${ecosystem}:${name}`;
}

/** Folders of `file`, innermost first, the root as an empty text. */
function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("/")).concat("");
}

/**
 * Requirements without those ranges that a lock file of the same or an outer folder settles: what
 * is installed is in the lock file.
 */
export function openRequirements(requirements: readonly Requirement[]): Requirement[] {
  const lockedIn = new Map<string, Set<string>>();
  for (const requirement of requirements) {
    if (!requirement.locked) continue;
    const folder = foldersOf(requirement.file)[0]!;
    const names = lockedIn.get(folder) ?? new Set();
    lockedIn.set(folder, names.add(keyOf(requirement)));
  }
  return requirements.filter((requirement) =>
    requirement.locked || requirement.allowed.kind !== "range" ||
    !foldersOf(requirement.file).some((folder) => lockedIn.get(folder)?.has(keyOf(requirement)))
  );
}

/**
 * What was resolved for a server's sessions, as requirements of the manifest that asked for it: what
 * nothing else names exactly. With it, locked versions of packages that nothing names at all.
 */
export function resolvedRequirements(
  { packages }: Pick<ScanInput, "packages">,
  known: readonly Requirement[],
): Requirement[] {
  const [file] = packages?.files ?? [];
  if (packages === undefined || file === undefined) return [];
  const exact = new Set(
    known.flatMap(({ ecosystem, name, allowed }) =>
      ecosystem === "PyPI" && allowed.kind === "exact" ? [`${name} ${allowed.version}`] : []
    ),
  );
  const named = new Set([...known, ...packages.resolved].map(({ name }) => name));
  const differing = (packages.differing ?? []).filter(({ name }) => !named.has(name));
  const asked = packages.resolved.filter(({ name, version, source }) =>
    // What Berth brings is its operator's to keep sound.
    source !== "installation" && source !== "runtime" && !exact.has(`${name} ${version}`)
  );
  return [...asked, ...differing].map(({ name, version }) => ({
    ecosystem: "PyPI",
    name,
    allowed: { kind: "exact", version },
    text: `${name} ${version}`.slice(0, MAX_TEXT),
    file,
    line: { find: name },
    locked: true,
  }));
}
