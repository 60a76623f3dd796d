/**
 * What a card says, and its size.
 *
 * @module
 */

/** Pixels of a card, as previews of links want it. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

/** Texts that are drawn, as they come from the main process. */
export interface CardView {
  title: string;
  /** What it does; several lines at most. */
  text: string;
  /** Short facts in one line. */
  facts: string[];
  badge: { text: string; color: string } | null;
}
