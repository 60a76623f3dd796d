/**
 * Which callers see no more than everybody: what they are answered is kept for all.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import { readable, type Viewer } from "./rule.ts";

/** Users that are remembered, and for how long: who joins a group sees it in lists after that. */
const KEPT = 10_000;
const KEPT_MS = 60_000;

/** Whether `viewer` may read a server that not everybody may. */
async function seesMore(sql: Sql, viewer: Viewer): Promise<boolean> {
  if (viewer === null) return false;
  const [row] = await sql<[{ more: boolean }]>`
    select exists (
      select from servers where visibility <> 'public' and ${readable(sql, viewer)}) as more`;
  return row.more;
}

/**
 * Reads the viewer as whom a list is to be read: null for those who see what everybody sees.
 *
 * @param mark What the registry shows, where that is known: the answer is kept as long as it holds.
 */
export type ViewerReader = (viewer: Viewer, mark?: string | null) => Promise<Viewer>;

/** A reader with a memory of its own. Being remembered as everybody shows nobody more. */
export function createViewerReader(sql: Sql): ViewerReader {
  let current: string | null = null;
  const known = new Map<string, { sees: boolean; until: number }>();

  async function remembered(viewer: NonNullable<Viewer>, mark: string): Promise<boolean> {
    if (mark !== current) known.clear();
    current = mark;
    const key = `${viewer.isAdmin} ${viewer.userId}`;
    const found = known.get(key);
    const at = performance.now();
    if (found !== undefined && found.until > at) return found.sees;
    const sees = await seesMore(sql, viewer);
    if (mark === current) {
      known.delete(key);
      known.set(key, { sees, until: at + KEPT_MS });
      if (known.size > KEPT) known.delete(known.keys().next().value!);
    }
    return sees;
  }

  return async (viewer, mark = null) => {
    if (viewer === null) return null;
    const sees = mark === null ? await seesMore(sql, viewer) : await remembered(viewer, mark);
    return sees ? viewer : null;
  };
}
