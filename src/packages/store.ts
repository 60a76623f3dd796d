/**
 * The store of packages: what was packed from a wheel, under the digest of the wheel. Sessions are
 * served from here, never from an index.
 *
 * @module
 */
import type { Queryable, Sql, Transaction } from "../database/client.ts";

/** Rises when what `workers/analysis/packages/pack.ts` makes, or refuses, changes. */
export const FORMAT = 3;

const PART = 1024 * 1024;
/** How long what no server needs is kept: another may be published with it. */
const KEPT_MS = 24 * 60 * 60_000;

/** What is known of a package beside its content. */
export interface StoredPackage {
  sha256: string;
  name: string;
  version: string;
  modules: string[];
  /** Bytes without the compression. */
  size: number;
}

/** The packages among `digests` that are there; their time is renewed. */
export async function findPackages(
  sql: Queryable,
  digests: readonly string[],
  now: Date,
): Promise<Map<string, StoredPackage>> {
  if (digests.length === 0) return new Map();
  const rows = await sql<StoredPackage[]>`
    update packages set used_at = ${now}
    where sha256 in ${sql([...digests])} and format = ${FORMAT}
    returning sha256, name, version, modules, size::float8 as size`;
  return new Map(rows.map((row) => [row.sha256, row]));
}

/** Stores a package, once; `content` is compressed. */
export async function storePackage(
  sql: Sql,
  { sha256, name, version, modules, size }: StoredPackage,
  content: Uint8Array,
  now: Date,
): Promise<void> {
  await sql.begin(async (tx) => {
    const added = await tx`
      insert into packages (sha256, format, name, version, modules, size, used_at)
      values (${sha256}, ${FORMAT}, ${name}, ${version}, ${tx.json(modules)}, ${size}, ${now})
      on conflict do nothing`;
    if (added.count === 0) return;
    for (let part = 0; part * PART < content.length; part++) {
      const bytes = content.subarray(part * PART, (part + 1) * PART);
      await tx`
        insert into package_parts (sha256, format, part, bytes)
        values (${sha256}, ${FORMAT}, ${part}, ${bytes})`;
    }
  });
}

/**
 * The compressed content of a package; null when it is not there. One that an earlier version of Berth
 * has packed will do until it is packed anew, with the next scan that needs it.
 */
export async function loadPackage(
  sql: Queryable,
  sha256: string,
): Promise<{ format: number; content: Uint8Array[]; size: number } | null> {
  const [row] = await sql<{ format: number; size: number; parts: number }[]>`
    select format, size::float8 as size, (select count(*)::int from package_parts p
      where p.sha256 = a.sha256 and p.format = a.format) as parts
    from packages a where sha256 = ${sha256} and format <= ${FORMAT}
    order by format desc limit 1`;
  if (row === undefined) return null;
  const content: Uint8Array[] = [];
  for (let part = 0; part < row.parts; part++) {
    const [found] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from package_parts
      where sha256 = ${sha256} and format = ${row.format} and part = ${part}`;
    if (found === undefined) return null;
    content.push(found.bytes);
  }
  return { format: row.format, content, size: row.size };
}

/** Notes which wheels a server's sessions need. */
export async function keepServerPackages(
  sql: Transaction,
  server: string,
  digests: readonly string[],
): Promise<void> {
  await sql`delete from server_packages where server = ${server}`;
  const rows = [...new Set(digests)].map((sha256) => ({ server, sha256 }));
  if (rows.length > 0) await sql`insert into server_packages ${sql(rows)}`;
}

/**
 * Removes the packages that no server has needed for a day, and those that were packed anew a day ago.
 * @returns How many.
 */
export async function removeUnusedPackages(sql: Queryable, now: Date): Promise<number> {
  await sql`
    delete from package_readings r
    where not exists (select 1 from packages p where p.sha256 = r.sha256)`;
  const removed = await sql`
    delete from packages p where used_at < ${new Date(now.getTime() - KEPT_MS)}
      and (not exists (select 1 from server_packages s where s.sha256 = p.sha256)
        or exists (select 1 from packages n where n.sha256 = p.sha256
          and n.format > p.format and n.format <= ${FORMAT}))`;
  return removed.count;
}
