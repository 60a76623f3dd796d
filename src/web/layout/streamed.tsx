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

/** What is streamed into a page. */
export interface Streamed {
  /** How many slots the content has. */
  slots: number;
  /** The page without what comes later; each slot is to stand in it once, in order. */
  content: (slots: Child[]) => Child;
  parts: (signal: AbortSignal) => AsyncIterable<StreamedPart>;
  /** Called when the browser goes away before the end. */
  onLeft: () => Promise<void>;
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
  const left = new AbortController();
  const encoder = new TextEncoder();
  let ended = false;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (piece: string) => controller.enqueue(encoder.encode(piece));
      let next = 0;
      const writeTo = (slot: number) => {
        while (next <= slot) write(pieces[next++]!);
      };
      writeTo(0);
      for await (const { slot, content } of parts(left.signal)) {
        const shown = await (<>{content}</>).toString();
        if (left.signal.aborted) return;
        writeTo(slot);
        write(shown);
      }
      if (left.signal.aborted) return;
      writeTo(slots);
      ended = true;
      controller.close();
    },
    async cancel() {
      if (ended) return;
      await onLeft();
      left.abort();
    },
  });
  return request.c.body(stream, options.status ?? 200, {
    ...headersOf(options),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "private, no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
}
