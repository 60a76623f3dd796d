/**
 * Bytes that nobody else can change or make longer: memory may be shared with a thread that runs
 * hostile code, and a view of memory that grows has another length whenever it is asked.
 *
 * @module
 */

/** Whether the memory of `bytes` belongs to this thread alone and keeps its size. */
export function isFixed(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof ArrayBuffer && !bytes.buffer.resizable;
}

/** `bytes` themselves when they are {@link isFixed}, else a copy, whose length is asked for once. */
export function fixedBytes(bytes: Uint8Array): Uint8Array {
  if (isFixed(bytes)) return bytes;
  const { length } = bytes;
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(0, length));
  return copy;
}
