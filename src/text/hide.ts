/**
 * Takes known texts out of others, also where these are written with escapes, in escapes again: each
 * search takes time that grows with the length of the text alone.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  type Edges,
  hasTags,
  isFramed,
  lettersOf,
  onlyLetters,
  type Seen,
  whole,
  widened,
} from "./apart.ts";
import { asItIs, type Decoded, unescaped } from "./escapes.ts";
import { eachEnd, type Pattern, patternOf } from "./pattern.ts";

/** What is looked for, and what takes its place. */
export interface Hidden {
  from: Uint8Array;
  to: Uint8Array;
  /** Whether it is a form of a text in which nothing is an escape, as in base64. */
  isEncoded?: boolean;
  /** Characters of base64 before and behind it that have a part of the text in them. */
  edges?: Edges;
  /** Which of several it is, for {@link Hiding.labelsIn}. */
  label?: string;
}

/** How texts are searched. */
export interface HideOptions {
  /** Makes bytes alike that count as the same; none by default. */
  fold?: Uint8Array;
  /**
   * The part of a text that is searched, at its place with zeros around. All its escapes are valid,
   * and none is cut.
   */
  onlyIn?: (bytes: Uint8Array) => Uint8Array;
  /**
   * Letters and digits of a text from which on it is found also where others stand between them:
   * line ends, commas, zeros, tags. By default only whole texts are.
   */
  apartFrom?: number;
}

/** Takes texts out of others. */
export interface Hiding {
  /** `bytes` without them at once; null when there are none. */
  now(bytes: Uint8Array): Uint8Array | null;
  /** The same, while others have their turn. */
  inTurns(bytes: Uint8Array): Promise<Uint8Array | null>;
  /** A short text without them. */
  text(text: string): string;
  /** Labels of those that are in `bytes`, while others have their turn. */
  labelsIn(bytes: Uint8Array): Promise<ReadonlySet<string>>;
}

/** Layers of escapes that are undone. */
const LAYERS_MAX = 4;
/** Bytes that are decoded at once, at least. */
const WINDOW_BYTES = 128 * 1024;
/** Bytes that a byte takes where it is escaped more than once. */
const ESCAPED_MAX = 24;
/** Bytes of the longest escape, at least. */
const UNIT_MAX = 16;
/** Bytes that are searched between two turns of others. */
const TURN_BYTES = 512 * 1024;

interface Sought {
  pattern: Pattern;
  to: Uint8Array;
  edges: Edges | null;
  /** Whether only its letters and digits are looked for. */
  isApart: boolean;
  label: string;
}

interface Place {
  from: number;
  end: number;
  to: Uint8Array;
  label: string;
}

/** `bytes` as they are searched. */
function folded(bytes: Uint8Array, fold: Uint8Array | undefined): Uint8Array {
  if (fold === undefined) return bytes;
  const alike = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) alike[at] = fold[bytes[at]!]!;
  return alike;
}

/** The text, and what it is without escapes: an answer may have more of them undone than it has. */
function layersOf(bytes: Uint8Array): Uint8Array[] {
  const layers = [bytes];
  let text: Decoded | null = asItIs(bytes);
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    text = unescaped(text);
    if (text === null) break;
    layers.push(text.bytes);
  }
  return layers;
}

function soughtOf(
  hidden: readonly Hidden[],
  minBytes: number,
  { fold, apartFrom = Infinity }: HideOptions,
): Sought[] {
  const seen = new Set<string>();
  const found: Sought[] = [];
  for (const { from, to, isEncoded, edges = null, label = "" } of hidden) {
    for (const layer of isEncoded ? [from] : layersOf(from)) {
      const all = folded(layer, fold);
      const letters = lettersOf(all);
      const isFound = letters.length >= apartFrom;
      const ways: [boolean, Uint8Array][] = isFound ? [[true, letters]] : [];
      // Whoever finds the letters has not found what stands around the first and the last.
      if (!isFound || !isFramed(all)) ways.push([false, all]);
      for (const [isApart, bytes] of ways) {
        const key = `${isApart} ${Buffer.from(bytes).toString("latin1")}`;
        if (bytes.length < minBytes || seen.has(key)) continue;
        seen.add(key);
        found.push({ pattern: patternOf(bytes), to, edges, isApart, label });
      }
    }
  }
  return found;
}

/** Part of a text that is decoded at once. */
interface Window {
  start: number;
  length: number;
  isLast: boolean;
}

/** Puts the places of one pattern in one layer behind `places`; those that overlap are one. */
function searchOf(layer: Decoded, { start, length, isLast }: Window, places: Place[]) {
  // An escape may be cut at the end, where the next window has it whole.
  const most = isLast ? length : length - UNIT_MAX;
  return (seen: Seen, { pattern, to, edges, label }: Sought) => {
    let last: Place | null = null;
    eachEnd(seen.text, pattern, (found) => {
      let [first, final] = [seen.placeOf(found - pattern.bytes.length), seen.placeOf(found - 1)];
      if (layer.to[final]! > most) return;
      if (edges !== null) [first, final] = widened(layer.bytes, [first, final], edges);
      const [from, end] = [start + layer.from[first]!, start + layer.to[final]!];
      if (last !== null && from < last.end) last.end = end;
      else places.push(last = { from, end, to, label });
    });
  };
}

/** Where the first byte at or behind `least` begins: never inside of an escape. */
function boundary({ from }: Decoded, least: number): number {
  let at = Math.min(least, from.length - 1);
  while (at > 0 && from[at - 1]! >= least) at--;
  while (at < from.length - 1 && from[at]! < least) at++;
  return from[at]!;
}

/** From the first to the last; those that overlap are one, and the longest says what comes there. */
function merged(places: Place[]): Place[] {
  places.sort((a, b) => a.from - b.from || b.end - a.end);
  const kept: Place[] = [];
  for (const place of places) {
    const last = kept.at(-1);
    if (last === undefined || place.from >= last.end) kept.push(place);
    else last.end = Math.max(last.end, place.end);
  }
  return kept;
}

function replaced(bytes: Uint8Array, places: readonly Place[]): Uint8Array | null {
  if (places.length === 0) return null;
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { from, end, to } of places) {
    parts.push(bytes.subarray(done, from), to);
    done = end;
  }
  parts.push(bytes.subarray(done));
  return new Uint8Array(Buffer.concat(parts));
}

/** Small letters count as capitals. */
export const ANY_CASE = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
);

/** Runs work; wherever it yields, others have their turn. */
async function inTurns<T>(running: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = running.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** What takes `hidden` out of texts. @param minBytes Shorter ones are not looked for. */
export function createHiding(
  hidden: readonly Hidden[],
  minBytes: number,
  options: HideOptions = {},
): Hiding {
  const { fold, onlyIn } = options;
  const sought = soughtOf(hidden, minBytes, options);
  const isApart = sought.some((one) => one.isApart);
  const longest = sought.reduce((most, { pattern }) => Math.max(most, pattern.bytes.length), 0);
  // A place that begins in one window, and what stands before it, are whole in that or the next.
  const overlap = 1024 + longest * ESCAPED_MAX;
  const step = Math.max(WINDOW_BYTES, overlap);

  /** Searches; yields wherever others may have their turn. */
  function* work(bytes: Uint8Array): Generator<void, Place[]> {
    const places: Place[] = [];
    const searched = onlyIn === undefined ? bytes : onlyIn(bytes);
    let since = 0;
    for (let start = 0; start < bytes.length;) {
      const part = searched.subarray(start, start + step + overlap);
      const isLast = start + part.length === bytes.length;
      let layer: Decoded | null = asItIs(part);
      let next = unescaped(layer);
      const follows = isLast ? bytes.length : start + boundary(next ?? layer, step);
      for (let count = 0; layer !== null && count <= LAYERS_MAX; count++) {
        if (count > 0 || onlyIn === undefined || next === null) {
          const bytes = folded(layer.bytes, fold);
          const all = whole(bytes);
          const letters = isApart ? onlyLetters(bytes) : all;
          const find = searchOf(layer, { start, length: part.length, isLast }, places);
          const marked = isApart && hasTags(bytes)
            ? [onlyLetters(bytes, { outsideTags: true })]
            : [];
          for (const one of sought) {
            for (const seen of one.isApart ? [letters, ...marked] : [all]) {
              find(seen, one);
              since += seen.text.bytes.length;
              if (since < TURN_BYTES) continue;
              yield;
              since = 0;
            }
          }
        }
        layer = next;
        next = layer === null ? null : unescaped(layer);
      }
      start = follows;
    }
    return places;
  }

  function now(bytes: Uint8Array): Uint8Array | null {
    const running = work(bytes);
    for (;;) {
      const { done, value } = running.next();
      if (done) return replaced(bytes, merged(value));
    }
  }

  return {
    now,
    text(text) {
      const without = now(Buffer.from(text));
      return without === null ? text : new TextDecoder().decode(without);
    },
    async inTurns(bytes) {
      return replaced(bytes, merged(await inTurns(work(bytes))));
    },
    async labelsIn(bytes) {
      return new Set((await inTurns(work(bytes))).map(({ label }) => label));
    },
  };
}
