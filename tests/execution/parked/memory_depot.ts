/**
 * Stored sessions in memory, for nodes that share them.
 *
 * @module
 */
import { createDepot, type Depot, type NodeRuntime } from "../../../src/execution/parked/depot.ts";
import type { SharedImages } from "../../../src/execution/parked/images.ts";
import { createSealer, type Sealer } from "../../../src/execution/parked/sealer.ts";
import type { ParkedStore, StoredRow } from "../../../src/execution/parked/store.ts";
import { recordingLogger } from "../../helpers/log.ts";
import type { MemoryStore } from "../harness.ts";

/** What a test may look at and change as who has the database could. */
export interface Kept {
  row: StoredRow;
  sealed: Uint8Array<ArrayBuffer>;
}

export interface MemoryParkedStore extends ParkedStore {
  kept: Map<string, Kept>;
  /** Throws as a database that is away does. */
  isAway: boolean;
}

/** Rows that go with those of `sessions`. */
export function memoryParkedStore(sessions: MemoryStore): MemoryParkedStore {
  const kept = new Map<string, Kept>();
  const isCurrent = ({ id, instance }: Pick<StoredRow, "id" | "instance">) => {
    const found = sessions.rows.get(id);
    return found?.instance === instance && found.reason === null;
  };
  const store: MemoryParkedStore = {
    kept,
    isAway: false,
    find(id, now) {
      const row = kept.get(id)?.row;
      return Promise.resolve(row !== undefined && row.expiresAt > now ? row : null);
    },
    put(row, sealed, { maxBytes }) {
      if (store.isAway) return Promise.reject(new Error("The database is away"));
      if (!isCurrent(row)) return Promise.resolve("superseded");
      const sum = [...kept.values()].reduce((sum, each) => sum + each.sealed.length, 0);
      if (sum + sealed.length > maxBytes) return Promise.resolve("full");
      kept.set(row.id, { row, sealed: sealed.slice() });
      return Promise.resolve("stored");
    },
    take(row, { instance }) {
      const found = kept.get(row.id);
      if (found === undefined || found.row.instance !== row.instance) {
        return Promise.resolve({ kind: "gone" });
      }
      kept.delete(row.id);
      if (!isCurrent(row)) return Promise.resolve({ kind: "gone" });
      sessions.rows.get(row.id)!.instance = instance;
      return Promise.resolve({ kind: "taken", sealed: found.sealed });
    },
    drop({ id, instance }) {
      if (kept.get(id)?.row.instance === instance) kept.delete(id);
      return Promise.resolve();
    },
    dropServer(server, archiveSha256) {
      for (const [id, { row }] of kept) {
        if (row.server === server && row.archiveSha256 !== archiveSha256) kept.delete(id);
      }
      return Promise.resolve();
    },
    prune: () => Promise.resolve(),
  };
  return store;
}

/** A sealer whose key is `byte` over and over. */
export function testSealer(byte: number): Promise<Sealer> {
  return createSealer([new Uint8Array(32).fill(byte)]);
}

export const RUNTIME: NodeRuntime = {
  id: "runtime-1",
  digestOf: (image) => `digest of ${image}`,
  imageWith: (digest) => digest.replace("digest of ", ""),
  isMade: () => false,
  made: null,
};

/** A node's depot over what nodes share. */
export async function memoryDepot(
  store: ParkedStore,
  {
    key = 1,
    maxBytes = 64 * 1024 * 1024,
    runtime = RUNTIME,
    images = null as SharedImages | null,
    log = recordingLogger().log,
  } = {},
): Promise<Depot> {
  return createDepot({ store, sealer: await testSealer(key), runtime, images, maxBytes, log });
}
