/**
 * Rows of nodes in memory, and the way that each node has to them.
 *
 * @module
 */
import type { NodeStore } from "../../../src/execution/nodes/store.ts";
import type { Peer } from "../../../src/execution/nodes/types.ts";

export interface MemoryNodes {
  rows: Map<string, Peer>;
  /** The store as a node reaches it; not at all while it is cut off. */
  through(network: { isCut: boolean }): NodeStore;
}

export function memoryNodes(): MemoryNodes {
  const rows: MemoryNodes["rows"] = new Map();
  return {
    rows,
    through(network) {
      function ask<T>(answer: () => T): Promise<T> {
        return network.isCut
          ? Promise.reject(new Error("The database is away"))
          : Promise.resolve(answer());
      }
      return {
        join: (node, former) =>
          ask(() => {
            if (former !== null) rows.delete(former);
            rows.set(node.id, { ...node, beat: 0 });
          }),
        raiseBeat: (id) =>
          ask(() => {
            const row = rows.get(id);
            return row === undefined ? null : ++row.beat;
          }),
        list: () => ask(() => [...rows.values()].map((row) => ({ ...row }))),
        find: (id) => ask(() => rows.get(id) ?? null),
        removeLost: ({ id, beat }) => ask(() => rows.get(id)?.beat === beat && rows.delete(id)),
        leave: (id) => ask(() => void rows.delete(id)),
        close: () => Promise.resolve(),
      };
    },
  };
}
