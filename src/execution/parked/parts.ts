/**
 * What is sealed, in rows of a size that a message may have.
 *
 * @module
 */
import type { Queryable, Transaction } from "../../database/client.ts";

/** Tables of parts, each under the `id` of the row that they belong to. */
export type PartTable = "parked_session_parts" | "parked_image_parts";

/** Bytes in a part: large enough to be few, small enough for a message. */
const PART = 1024 * 1024;

/** Writes `sealed` as the parts of `id`, which has none yet. */
export async function insertParts(
  tx: Transaction,
  table: PartTable,
  id: string,
  sealed: Uint8Array,
): Promise<void> {
  for (let part = 0; part * PART < sealed.length; part++) {
    const bytes = sealed.subarray(part * PART, (part + 1) * PART);
    await tx`insert into ${tx(table)} (id, part, bytes) values (${id}, ${part}, ${bytes})`;
  }
}

/** The `size` bytes of `id`; what does not fit that is left out. */
export async function readParts(
  sql: Queryable,
  table: PartTable,
  id: string,
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = new Uint8Array(size);
  for (let part = 0; part * PART < size; part++) {
    const [row] = await sql<{ bytes: Uint8Array }[]>`
      select substring(bytes for ${PART}) as bytes from ${sql(table)}
      where id = ${id} and part = ${part}`;
    sealed.set((row?.bytes ?? sealed).subarray(0, Math.min(PART, size - part * PART)), part * PART);
  }
  return sealed;
}
