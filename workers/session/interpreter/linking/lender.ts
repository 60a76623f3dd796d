/**
 * Lets an interpreter lend functions that it does not export (setup only). They stand in a passive
 * segment of elements, which costs an instance nothing until one of them is asked for, and 0.4 MB
 * then; as exports they cost each instance 2.5 MB.
 *
 * @module
 */
import { addEntry, entriesIn, leb128, SECTION, type Section } from "./sections.ts";

const I32 = 0x7f;
const FUNCREF = 0x70;
const FUNCTION_TYPE = 0x60;
const PASSIVE = 1;
const FUNCTIONS = 0;
/** One place, and no more: a lent function is taken from it at once. */
const ONE_TO_ONE = [1, 1, 1];
const LOCAL_GET = 0x20;
const TABLE_GET = 0x25;
const I32_CONST = 0x41;
const TABLE_INIT = [0xfc, 12];
const END = 0x0b;

/**
 * Adds a function that gives the function at a place in `functions`.
 *
 * @param imported How many functions the module imports.
 * @returns The sections with it, and its number.
 */
export function addLender(
  sections: Section[],
  functions: readonly number[],
  imported: number,
): { sections: Section[]; lender: number } {
  const type = entriesIn(sections, SECTION.types);
  const lender = imported + entriesIn(sections, SECTION.functions);
  const table = entriesIn(sections, SECTION.tables);
  const segment = entriesIn(sections, SECTION.elements);
  const put = [I32_CONST, 0, LOCAL_GET, 0, I32_CONST, 1];
  put.push(...TABLE_INIT, ...leb128(segment), ...leb128(table));
  const code = [0, ...put, I32_CONST, 0, TABLE_GET, ...leb128(table), END];
  const added: [number, number[]][] = [
    [SECTION.types, [FUNCTION_TYPE, 1, I32, 1, FUNCREF]],
    [SECTION.functions, leb128(type)],
    [SECTION.tables, [FUNCREF, ...ONE_TO_ONE]],
    [
      SECTION.elements,
      [PASSIVE, FUNCTIONS, ...leb128(functions.length), ...functions.flatMap(leb128)],
    ],
    [SECTION.code, [...leb128(code.length), ...code]],
  ];
  return {
    sections: added.reduce((all, [id, entry]) => addEntry(all, id, entry), sections),
    lender,
  };
}
