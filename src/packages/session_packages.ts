/**
 * What a session is given of its server's packages: which there are, and where on this node their
 * files are. A file that is not there yet comes from the database; the index is never asked.
 *
 * @module
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { SessionPackages } from "../../workers/session/bodies.ts";
import { concat } from "../bytes.ts";
import type { Queryable } from "../database/client.ts";
import { exists, writeWhole } from "../files.ts";
import type { Logger } from "../log.ts";
import type { ResolvedPackage } from "../scan/packages_schema.ts";
import { sha256Of } from "../repository/fetch.ts";
import { FORMAT, loadPackage } from "./store.ts";

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
const READABLE = 0o644;

/** Writes what is missing in `folder`, the interpreter's; null when not all of it is stored. */
async function ensureFile(sql: Queryable, folder: string, sha256: string): Promise<string | null> {
  const name = `package-${FORMAT}-${sha256}`;
  const path = `${folder}/${name}`;
  if (await exists(path)) return name;
  const stored = await loadPackage(sql, sha256);
  if (stored === null) return null;
  const content = await inflate(concat(stored.content), { maxOutputLength: stored.size })
    // A part is lost or damaged.
    .catch(() => null);
  if (content?.length !== stored.size) return null;
  await writeWhole(path, content, { mode: READABLE });
  return name;
}

/** What a session is given, by the name of all of it. */
export async function givenOf(
  told: SessionPackages,
  files: Record<string, string>,
): Promise<GivenPackages> {
  if (Object.keys(files).length === 0) return { told, files, set: null };
  const own = Object.entries(told.own).sort(([a], [b]) => a < b ? -1 : 1).map(([name, facts]) => [
    name,
    files[name],
    facts.version,
    facts.modules,
    facts.requires,
  ]);
  const all = JSON.stringify([told.installed.toSorted(), own]);
  return { told, files, set: await sha256Of(new TextEncoder().encode(all)) };
}

/**
 * The packages of a server as its sessions get them; `folder` is the interpreter's. A package that is
 * not stored any more is left out: the server may do without, and a rescan stores it again.
 */
export async function sessionPackages(
  { sql, folder, log }: { sql: Queryable; folder: string; log: Logger },
  resolved: readonly ResolvedPackage[],
): Promise<GivenPackages> {
  const told: SessionPackages = { installed: [], own: {} };
  const files: Record<string, string> = {};
  for (const { name, version, sha256, requires, modules } of resolved) {
    const file = sha256 === null ? undefined : await ensureFile(sql, folder, sha256);
    if (file === null) {
      log.warn("packages.not_stored", { name, version, sha256 });
      continue;
    }
    told.installed.push(name);
    if (file === undefined) continue;
    files[name] = file;
    told.own[name] = { version, modules, requires, place: `/lib/packages/${name}` };
  }
  return await givenOf(told, files);
}
