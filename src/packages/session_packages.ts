/**
 * What a session is given of its server's packages: which there are, and where on this node their
 * files are. A file that is not there yet comes from the database; the index is never asked.
 *
 * @module
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SessionPackages } from "../../workers/session/bodies.ts";
import { eachAtOnce } from "../at_once.ts";
import { concat, sha256Of } from "../bytes.ts";
import type { Queryable } from "../database/client.ts";
import type { Logger } from "../log.ts";
import type { ResolvedPackage } from "../scan/packages_schema.ts";
import { type PackageFiles, plainName, type Unpacked } from "./files.ts";
import { loadPackage } from "./store.ts";

/** Packages for a session, and by package the file in the interpreter's folder that holds it. */
export interface GivenPackages {
  /** What Python is told. */
  told: SessionPackages;
  /** What its host is told. */
  files: Record<string, string>;
  /**
   * Names all of it: the same for servers with the same files by digest, which see the same of each
   * other; null where none has a file of its own.
   */
  set: string | null;
}

const inflate = promisify(gunzip);
/** Packages that are looked for at once. */
export const AT_ONCE = 8;

/** What is stored of a package; null when not all of it is there. */
async function contentOf(sql: Queryable, sha256: string): Promise<Unpacked | null> {
  const stored = await loadPackage(sql, sha256);
  if (stored === null) return null;
  const content = await inflate(concat(stored.content), { maxOutputLength: stored.size })
    // A part is lost or damaged.
    .catch(() => null);
  return content?.length === stored.size ? { format: stored.format, content } : null;
}

/** What a session is given, by the name of all of it. */
export async function givenOf(
  told: SessionPackages,
  files: Record<string, string>,
): Promise<GivenPackages> {
  if (Object.keys(files).length === 0) return { told, files, set: null };
  const own = Object.entries(told.own).sort(([a], [b]) => a < b ? -1 : 1).map(([name, facts]) => [
    name,
    plainName(files[name]!),
    facts.version,
    facts.modules,
    facts.requires,
  ]);
  const all = JSON.stringify([told.installed.toSorted(), own]);
  return { told, files, set: await sha256Of(new TextEncoder().encode(all)) };
}

interface FileDeps {
  sql: Queryable;
  packageFiles: Pick<PackageFiles, "ensure">;
}

/** The file of a stored package on this node; null when it is not stored. */
export async function packageFile(
  { sql, packageFiles }: FileDeps,
  sha256: string,
): Promise<string | null> {
  return await packageFiles.ensure(sha256, () => contentOf(sql, sha256));
}

/**
 * Names of what was installed for a server: what only packages of the installation require of each
 * other comes with them.
 */
function installedFor(resolved: readonly ResolvedPackage[]): ReadonlySet<string> {
  return new Set(resolved.flatMap(({ name, source, direct, requires }) => {
    const isOwn = source !== "installation";
    return [...isOwn || direct ? [name] : [], ...isOwn ? requires : []];
  }));
}

/**
 * The packages of a server as its sessions get them, in `packageFiles`. A package that is
 * not stored any more is left out: the server may do without, and a rescan stores it again.
 */
export async function sessionPackages(
  deps: FileDeps & { log: Logger },
  resolved: readonly ResolvedPackage[],
): Promise<GivenPackages> {
  const told: SessionPackages = { installed: [], own: {}, sdks: {} };
  const files: Record<string, string> = {};
  const found = new Map<string, string | null>();
  const digests = resolved.flatMap(({ sha256 }) => sha256 ?? []);
  await eachAtOnce(digests, AT_ONCE, async (sha256) => {
    found.set(sha256, await packageFile(deps, sha256));
  });
  const installed = installedFor(resolved);
  for (const { name, version, source, sha256, requires, modules } of resolved) {
    if (source === "runtime") {
      told.sdks[name] = version;
      continue;
    }
    const file = sha256 === null ? undefined : found.get(sha256)!;
    if (file === null) {
      deps.log.warn("packages.not_stored", { name, version, sha256 });
      continue;
    }
    if (installed.has(name)) told.installed.push(name);
    if (file === undefined) continue;
    files[name] = file;
    told.own[name] = { version, modules, requires, place: `/lib/packages/${name}` };
  }
  return await givenOf(told, files);
}
