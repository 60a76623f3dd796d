/**
 * Pages that go on while something runs, without scripts: what is there is sent at once, and the
 * rest as it comes, each part into its slot.
 *
 * @module
 */
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { PageRequest } from "./context.ts";
import type { PageHead } from "./document.tsx";
import { headersOf, pageText, type RespondOptions } from "./respond.tsx";

/** A part of the page, and the number of the slot it belongs into; slots fill one after the other. */
export interface StreamedPart {
  slot: number;
  content: Child;
}

/** Content with empty slots, and the parts that fill them while the response is still open. */
export interface Streamed {
  /** How many slots the content has. */
  slots: number;
  /** The page without what comes later; each slot is to stand in it once, in order. */
  content: (slots: Child[]) => Child;
  parts: (signal: AbortSignal) => AsyncIterable<StreamedPart>;
  /** Called when the browser goes away before the end. */
  onLeft: () => Promise<void>;
}

/**
 * A body of pieces as they come. When the browser goes away before the last one, `onLeft` is called
 * and then the signal aborts.
 */
export function streamOf(
  pieces: (signal: AbortSignal) => AsyncIterable<string>,
  onLeft: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const encoder = new TextEncoder();
  let ended = false;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const piece of pieces(left.signal)) {
        if (left.signal.aborted) return;
        controller.enqueue(encoder.encode(piece));
      }
      if (left.signal.aborted) return;
      ended = true;
      controller.close();
    },
    async cancel() {
      if (ended) return;
      await onLeft();
      left.abort();
    },
  });
}

/** The page, whose response ends with the last part. */
export async function showStreamed(
  request: PageRequest,
  head: PageHead,
  { slots, content, parts, onLeft }: Streamed,
  options: RespondOptions = {},
): Promise<Response> {
  // Random, so that nothing a stranger wrote can stand for one.
  const marks = Array.from({ length: slots }, () => `<!--${crypto.randomUUID()}-->`);
  const text = await pageText(request, head, content(marks.map((mark) => raw(mark))));
  const pieces = text.split(new RegExp(marks.join("|")));
  async function* filled(signal: AbortSignal): AsyncIterable<string> {
    yield pieces[0]!;
    let next = 1;
    for await (const { slot, content } of parts(signal)) {
      while (next <= slot) yield pieces[next++]!;
      yield await (<>{content}</>).toString();
    }
    yield* pieces.slice(next);
  }
  return request.c.body(streamOf(filled, onLeft), options.status ?? 200, {
    ...headersOf(options),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "private, no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
}
