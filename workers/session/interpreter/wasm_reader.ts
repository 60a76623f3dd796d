/**
 * Reading of WebAssembly modules in their binary format, as far as setup and hosts change them.
 *
 * @module
 */

/** Bytes before the first section. */
export const HEADER_BYTES = 8;

/** Reads numbers and names one after the other. */
export class WasmReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new Error("The interpreter's module is cut short");
    return byte;
  }

  /** An unsigned LEB128 number. */
  number(): number {
    for (let value = 0, scale = 1;; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  take(length: number): Uint8Array {
    return this.#bytes.subarray(this.at, this.at += length);
  }

  name(): string {
    return new TextDecoder().decode(this.take(this.number()));
  }
}
