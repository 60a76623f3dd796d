/**
 * How much of this worker's Python is suspended: waits on a stack of its own for a promise. The engine
 * has such stacks, so no other worker can go on with them.
 *
 * To be imported before Pyodide, which makes its one way of suspending when it starts.
 *
 * @module
 */

type Suspending = new (body: (...args: unknown[]) => Promise<unknown>) => object;

const scope = WebAssembly as unknown as { Suspending: Suspending };
const Plain = scope.Suspending;

/** Where each stack ended when it was suspended. */
const open = new Set<{ stack: number }>();
/** Those of earlier workers, which never go on. */
let lost: Omit<Suspended, "here"> = { count: 0, stack: Infinity };
let stackSave: () => number = () => Infinity;

scope.Suspending = function (body: (...args: unknown[]) => Promise<unknown>) {
  return new Plain(async (...args) => {
    const entry = { stack: stackSave() };
    open.add(entry);
    try {
      return await body(...args);
    } finally {
      open.delete(entry);
    }
  });
} as unknown as Suspending;

/** Stacks that are suspended, and below which address nothing of them is. */
export interface Suspended {
  count: number;
  stack: number;
  /** Those of this worker. */
  here: number;
}

/** Begins to look where stacks end; `before`: what was suspended when this interpreter was parked. */
export function watchSuspended(module: { stackSave(): number }, before: Suspended | null): void {
  stackSave = () => module.stackSave();
  if (before !== null) lost = before;
}

/** What is suspended now, with what was when this interpreter was parked. */
export function suspendedNow(): Suspended {
  const stacks = [...open].map(({ stack }) => stack);
  const stack = Math.min(lost.stack, ...stacks, stackSave());
  return { count: lost.count + open.size, stack, here: open.size };
}
