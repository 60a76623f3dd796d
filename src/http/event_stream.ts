/**
 * Server-sent events of a sequence of values.
 *
 * @module
 */

const HEARTBEAT_MS = 15_000;

export interface StreamEvent {
  event: string;
  data: unknown;
}

function encode({ event, data }: StreamEvent): Uint8Array {
  return new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** Whether the client asks for events. */
export function acceptsEvents(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((range) => {
    const [type, ...parameters] = range.toLowerCase().split(";").map((part) => part.trim());
    return type === "text/event-stream" && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}

/**
 * A response that sends what `open` yields until it ends or the client leaves, with a comment now
 * and then so that proxies keep the connection. A failure after the first event ends the stream:
 * the client connects again and is told then.
 *
 * @param open Gets a signal that aborts when the client has left or `closing` has aborted.
 */
export function eventStream(
  open: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  options: { onFailure: (error: unknown) => void; closing?: AbortSignal | undefined },
): Response {
  const left = new AbortController();
  const { onFailure, closing } = options;
  const signal = closing ? AbortSignal.any([left.signal, closing]) : left.signal;
  let heartbeat: ReturnType<typeof setInterval> | undefined;

  function stop() {
    clearInterval(heartbeat);
    left.abort();
  }

  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(
        () => controller.enqueue(new TextEncoder().encode(":\n\n")),
        HEARTBEAT_MS,
      );
      (async () => {
        try {
          for await (const event of open(signal)) {
            if (signal.aborted) return;
            controller.enqueue(encode(event));
          }
        } catch (error) {
          if (!signal.aborted) onFailure(error);
        } finally {
          if (!left.signal.aborted) controller.close();
          stop();
        }
      })();
    },
    cancel: stop,
  });
  return new Response(stream, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      // nginx would collect events otherwise.
      "X-Accel-Buffering": "no",
    },
  });
}
