/**
 * The sections of a WebAssembly module, taken apart and put together again
 * by setup.
 *
 * @module
 */
import { HEADER_BYTES, WasmReader } from "../wasm_reader.ts";

/** Numbers of the sections that setup changes. */
export const SECTION = {
  types: 1,
  functions: 3,
  tables: 4,
  globals: 6,
  exports: 7,
  elements: 9,
  code: 10,
} as const;

/** A section: its number, and what stands behind its length. */
export interface Section {
  id: number;
  body: Uint8Array;
}

/** A number as WebAssembly writes it, unsigned. */
export function leb128(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** Bytes one after the other. */
export function joined(pieces: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The sections of a module, in their order; nothing is copied. */
export function sectionsOf(module: Uint8Array): Section[] {
  const sections: Section[] = [];
  const reader = new WasmReader(module, HEADER_BYTES);
  while (reader.at < module.length) {
    const id = reader.byte();
    sections.push({ id, body: reader.take(reader.number()) });
  }
  return sections;
}

/** The body of the section of this number. */
export function bodyOf(sections: readonly Section[], id: number): Uint8Array {
  const found = sections.find((section) => section.id === id);
  if (found === undefined) throw new Error(`The interpreter's module has no section ${id}`);
  return found.body;
}

/** Something that a module exports. */
export interface Export {
  name: string;
  kind: number;
  index: number;
}

/** Reads the body of the section of exports. */
export function exportsOf(body: Uint8Array): Export[] {
  const reader = new WasmReader(body);
  return Array.from({ length: reader.number() }, () => ({
    name: reader.name(),
    kind: reader.byte(),
    index: reader.number(),
  }));
}

/** The same sections with another body at this number. */
export function changeSection(sections: Section[], id: number, body: Uint8Array): Section[] {
  return sections.map((section) => section.id === id ? { id, body } : section);
}

/** How many entries a section has. */
export function entriesIn(sections: readonly Section[], id: number): number {
  return new WasmReader(bodyOf(sections, id)).number();
}

/** Adds an entry to the end of a section. */
export function addEntry(sections: Section[], id: number, entry: readonly number[]): Section[] {
  const body = bodyOf(sections, id);
  const reader = new WasmReader(body);
  const count = reader.number();
  return changeSection(sections, id, joined([leb128(count + 1), body.subarray(reader.at), entry]));
}

/** The module of these sections, with the header of `module`. */
export function moduleOf(module: Uint8Array, sections: readonly Section[]): Uint8Array {
  const pieces = sections.flatMap(({ id, body }) => [[id, ...leb128(body.length)], body]);
  return joined([module.subarray(0, HEADER_BYTES), ...pieces]);
}
