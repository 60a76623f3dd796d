/**
 * Frames between the service and an analysis host: two big-endian 32-bit lengths, a JSON header
 * and raw bytes. Nothing but frames travels on their file descriptor, so what a package prints
 * cannot mix with them.
 *
 * @module
 */

/** One message: parsed JSON and the bytes that belong to it. */
export interface Frame {
  header: unknown;
  body: Uint8Array;
}

/** Largest parts that a reader accepts, in bytes. */
export interface FrameLimits {
  header: number;
  body: number;
}

const PREFIX = 8;

/** Largest header of a request or a reply, in bytes. A reply's header holds the result. */
export const MAX_HEADER_BYTES = 64 * 1024 * 1024;

/** The pieces to write, in order, for one message. Bodies are not copied. */
export function encodeFrame(header: unknown, body: readonly Uint8Array[] = []): Uint8Array[] {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const first = new Uint8Array(PREFIX + json.length);
  const view = new DataView(first.buffer);
  view.setUint32(0, json.length);
  view.setUint32(4, body.reduce((sum, part) => sum + part.length, 0));
  first.set(json, PREFIX);
  return [first, ...body];
}

/**
 * A function that takes chunks as they arrive and gives the frames that they complete. It throws a
 * RangeError on a length over its limit and a SyntaxError on a header that is not JSON; the stream
 * is useless after that.
 */
export function createFrameReader(limits: FrameLimits): (chunk: Uint8Array) => Frame[] {
  let chunks: Uint8Array[] = [];
  let held = 0;
  // Bytes that must be there before anything can be read: keeps joining linear in the input.
  let wanted = PREFIX;

  function join(): Uint8Array {
    const all = new Uint8Array(held);
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return [];
    let rest = join();
    const frames: Frame[] = [];
    wanted = PREFIX;
    while (rest.length >= PREFIX) {
      const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
      const header = view.getUint32(0);
      const body = view.getUint32(4);
      if (header > limits.header || body > limits.body) {
        throw new RangeError(
          `Cannot read a frame of ${header} and ${body} bytes: at most ${limits.header} and ${limits.body}`,
        );
      }
      const end = PREFIX + header + body;
      if (rest.length < end) {
        wanted = end;
        break;
      }
      const json = new TextDecoder().decode(rest.subarray(PREFIX, PREFIX + header));
      frames.push({
        header: JSON.parse(json),
        // A copy of its own, so that a receiver can pass the memory on.
        body: rest.slice(PREFIX + header, end),
      });
      rest = rest.subarray(end);
    }
    chunks = [rest];
    held = rest.length;
    return frames;
  };
}
