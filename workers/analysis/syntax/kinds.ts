/**
 * Kinds of syntax nodes, and the numbers that flat trees have for them.
 *
 * @module
 */

/** What a node is: shared by all that are the same, since there are millions of nodes. */
export interface Kind {
  type: string;
  field: string | null;
  named: boolean;
}

/** The kinds of a grammar, by the number that flat trees have for them. */
export type Kinds = (kind: number) => Kind;

/** A kind's number has that of the field in its lowest bits; grammars have far fewer. */
export const FIELD_BITS = 12;

/** The number of the type that is in the number of a kind. */
export function typeOfKind(kind: number): number {
  return kind >>> FIELD_BITS;
}

/** The number of the field that is in the number of a kind. */
export function fieldOfKind(kind: number): number {
  return kind & (1 << FIELD_BITS) - 1;
}
