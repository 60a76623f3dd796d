/**
 * Collects an answer's body. A server may send it byte by byte: what is kept is whole blocks, not
 * an object for each piece.
 *
 * @module
 */
import { concat } from "../bytes.ts";

const BLOCK_BYTES = 64 * 1024;

export interface AnswerBody {
  /** Bytes so far. */
  readonly size: number;
  /** Pieces so far. */
  readonly pieces: number;
  /** Takes a copy of the next piece. */
  add(piece: Uint8Array): void;
  /** The whole. */
  join(): Uint8Array;
}

export function collectBody(): AnswerBody {
  const blocks: Uint8Array[] = [];
  let block = new Uint8Array(0);
  let used = 0;
  let size = 0;
  let pieces = 0;

  function close() {
    if (used > 0) blocks.push(block.subarray(0, used));
    used = 0;
  }

  return {
    get size() {
      return size;
    },
    get pieces() {
      return pieces;
    },
    add(piece) {
      if (piece.byteLength > block.byteLength - used) {
        close();
        block = new Uint8Array(Math.max(BLOCK_BYTES, piece.byteLength));
      }
      block.set(piece, used);
      used += piece.byteLength;
      size += piece.byteLength;
      pieces += 1;
    },
    join() {
      close();
      return concat(blocks);
    },
  };
}
