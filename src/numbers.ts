/**
 * Numbers in addresses and in the environment, which come as texts.
 *
 * @module
 */
import { z } from "zod";

/** Enough for every bound here, and exact. */
const DIGITS_MAX = 9;

/** The number that `text` writes in plain digits; null for every other spelling of a number. */
export function readDigits(text: string): number | null {
  return text.length <= DIGITS_MAX && /^[0-9]+$/.test(text) ? Number(text) : null;
}

/**
 * A whole number from `min` to `max`, sent as plain digits: no sign, blank, fraction, exponent, nor
 * digits of other scripts, though they could be made a number. Documented as an integer.
 */
export function wholeNumber(bounds: { min: number; max: number }) {
  return z.string().transform((text, context) => {
    const value = readDigits(text);
    if (value !== null && value >= bounds.min && value <= bounds.max) return value;
    context.addIssue({
      code: "custom",
      message: `must be a whole number from ${bounds.min} to ${bounds.max}, in plain digits`,
    });
    return z.NEVER;
  }).meta({ type: "integer", minimum: bounds.min, maximum: bounds.max });
}

/** How many entries a page has, where the client may say so: `standard` of them when it does not. */
export function pageLimit({ max, standard }: { max: number; standard: number }) {
  return wholeNumber({ min: 1, max }).default(standard)
    .meta({ type: "integer", minimum: 1, maximum: max, default: standard });
}
