/**
 * Which image the next session will probably need: the one that the last ones needed. A warm session
 * goes on with it before there is a client.
 *
 * @module
 */

/** How many sessions are looked at, and of how many of them an image has to be. */
const LAST = 3;
const ENOUGH = 2;

/** The image of the next session, as the last ones tell. */
export interface LikelyImage {
  /** A session has begun with `image`; null: with none. */
  note(image: string | null): void;
  /** Null for none; undefined where nothing is likely. */
  now(): string | null | undefined;
}

/** @param isCommon Whether an image holds no code of strangers, which runs for its own servers alone. */
export function createLikelyImage(isCommon: (image: string) => boolean): LikelyImage {
  const last: (string | null)[] = [];
  return {
    note(image) {
      last.push(image);
      if (last.length > LAST) last.shift();
    },
    now() {
      const image = last.find((one) => last.filter((other) => other === one).length >= ENOUGH);
      return typeof image === "string" && !isCommon(image) ? undefined : image;
    },
  };
}
