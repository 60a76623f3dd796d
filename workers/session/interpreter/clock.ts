/**
 * The monotonic clock of an interpreter, which goes on where that of its snapshot was taken: a
 * worker's own begins anew, and times that were noted before would be in the future.
 *
 * @module
 */

const plain = performance.now.bind(performance);
let shift = 0;
performance.now = () => plain() + shift;

/** Has the clock go on from `ms`, unless it is later already. */
export function continueClock(ms: number): void {
  shift = Math.max(shift, ms - plain());
}
