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
import { FORMAT, loadPackage } from "./store.ts";

/** Packages for a session, and by package the file in the interpreter's folder that holds it. */
export interface GivenPackages {
  /** What Python is told. */
  told: SessionPackages;
  /** What its host is told. */
  files: Record<string, string>;
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

/**
 * The packages of a server as its sessions get them; `folder` is the interpreter's. A package that is
 * not stored any more is left out: the server may do without, and a rescan stores it again.
 */
export async function sessionPackages(
  { sql, folder, log }: { sql: Queryable; folder: string; log: Logger },
  resolved: readonly ResolvedPackage[],
): Promise<GivenPackages> {
  const told: SessionPackages = { installed: [], own: {}, sdks: {} };
  const files: Record<string, string> = {};
  for (const { name, version, source, sha256, requires, modules } of resolved) {
    if (source === "runtime") {
      told.sdks[name] = version;
      continue;
    }
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
  return { told, files };
}
