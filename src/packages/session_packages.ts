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

/** Writes what is missing in `folder`, the interpreter's. Throws when the database lacks it too. */
async function ensureFile(sql: Queryable, folder: string, sha256: string): Promise<string> {
  const name = `package-${FORMAT}-${sha256}`;
  const path = `${folder}/${name}`;
  if (await exists(path)) return name;
  const stored = await loadPackage(sql, sha256);
  if (stored === null) throw new Error(`The package ${sha256} is not stored`);
  const content = await inflate(concat(stored.content), { maxOutputLength: stored.size });
  await writeWhole(path, content, { mode: READABLE });
  return name;
}

/** The packages of a server as its sessions get them; `folder` is the interpreter's. */
export async function sessionPackages(
  { sql, folder }: { sql: Queryable; folder: string },
  resolved: readonly ResolvedPackage[],
): Promise<GivenPackages> {
  const told: SessionPackages = { installed: resolved.map(({ name }) => name), own: {} };
  const files: Record<string, string> = {};
  for (const { name, version, sha256, requires, modules } of resolved) {
    if (sha256 === null) continue;
    files[name] = await ensureFile(sql, folder, sha256);
    told.own[name] = { version, modules, requires, place: `/lib/packages/${name}` };
  }
  return { told, files };
}
