/**
 * Characters that a reader does not see and a model does.
 *
 * @module
 */

/** Hidden characters of a text by kind. */
export interface Hidden {
  /** ASCII written in Unicode tag characters, decoded. */
  tags: string;
  bidi: number;
  zeroWidth: number;
  /** Runs of variation selectors, which can carry bytes. */
  selectors: number;
}

const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
/** Scripts that need joiners to be written. */
const JOINING = /[\u0600-\u08ff\u0900-\u0dff\u1780-\u17ff\u1800-\u18af]/;

/** Finds hidden characters; joiners inside emoji and scripts that need them are fine. */
export function hiddenIn(text: string): Hidden {
  const found: Hidden = { tags: "", bidi: 0, zeroWidth: 0, selectors: 0 };
  const all = [...text];
  let run = 0;
  for (let i = 0; i < all.length; i++) {
    const code = all[i]!.codePointAt(0)!;
    const before = all[i - 1] ?? "";
    const after = all[i + 1] ?? "";
    if (code >= 0xe0000 && code <= 0xe007f) {
      // The flags of England, Scotland and Wales are a black flag and tags.
      if (before === "\u{1f3f4}") {
        while (all[i + 1] !== undefined && all[i + 1]!.codePointAt(0)! >= 0xe0000) i++;
        continue;
      }
      found.tags += code >= 0xe0020 && code < 0xe007f ? String.fromCharCode(code - 0xe0000) : "";
      if (found.tags === "") found.tags = "?";
    } else if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
      found.bidi++;
    } else if (
      code === 0x200b || code === 0x2060 || code === 0xfeff || code === 0x180e || code === 0x00ad ||
      (code >= 0x2061 && code <= 0x2064)
    ) {
      found.zeroWidth++;
    } else if (code === 0x200c || code === 0x200d) {
      const fine = (EMOJI.test(before) && EMOJI.test(after)) || JOINING.test(before) ||
        JOINING.test(after);
      if (!fine) found.zeroWidth++;
    }
    const selector = (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef);
    run = selector ? run + 1 : 0;
    if (run === 2) found.selectors++;
  }
  return found;
}

export function anyHidden({ tags, bidi, zeroWidth, selectors }: Hidden): boolean {
  return tags !== "" || bidi + zeroWidth + selectors > 0;
}

/** Whether a name mixes Latin letters with look-alikes of other scripts. */
export function mixesScripts(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name);
}
