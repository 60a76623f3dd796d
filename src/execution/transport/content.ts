/**
 * What a client sends and accepts: media types, and the body within its limit.
 *
 * @module
 */
import { AppError } from "../../errors.ts";
import { BODY_MAX_BYTES, BODY_TIMEOUT_MS } from "../limits.ts";

/** How the client takes its answer; at least one is true. */
export interface Accepts {
  json: boolean;
  /** Named, not by the wildcard: what takes anything may not be able to read a stream. */
  stream: boolean;
}

const JSON_RANGES = ["application/json", "application/*", "*/*"];
const STREAM_RANGES = ["text/event-stream", "text/*"];

/** Whether an `Accept` header takes what any of these ranges, most specific first, stand for. */
function createMatcher(accept: string): (wanted: string[]) => boolean {
  const ranges = accept.toLowerCase().split(",").map((part) => {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    return { range, refused: parameters.some((text) => /^q=0(\.0*)?$/.test(text)) };
  });
  return (wanted) => {
    const found = wanted.map((range) => ranges.find((given) => given.range === range))
      .find((given) => given !== undefined);
    return found !== undefined && !found.refused;
  };
}

/**
 * What a client with this `Accept` header takes in answer to a POST; one without takes JSON.
 *
 * @throws {AppError} `not_acceptable` when it names neither JSON, event streams nor a wildcard.
 */
export function acceptedAnswers(accept: string | null): Accepts {
  if (accept === null || accept.trim() === "") return { json: true, stream: false };
  const accepts = createMatcher(accept);
  const answers = { json: accepts(JSON_RANGES), stream: accepts(STREAM_RANGES) };
  if (answers.json || answers.stream) return answers;
  if (accepts([...STREAM_RANGES, "*/*"])) return { json: false, stream: true };
  throw new AppError("not_acceptable", "Accept must allow application/json or text/event-stream");
}

/** @throws {AppError} `not_acceptable` when a GET does not take an event stream. */
export function checkTakesStream(accept: string | null): void {
  if (accept === null || accept.trim() === "") return;
  if (createMatcher(accept)([...STREAM_RANGES, "*/*"])) return;
  throw new AppError("not_acceptable", "Accept must allow text/event-stream");
}

/** @throws {AppError} `unsupported_media_type` unless the body is announced as plain JSON. */
export function checkContentType(headers: Headers): void {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new AppError("unsupported_media_type", "Content-Type must be application/json");
  }
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new AppError("unsupported_media_type", "The body must not be compressed");
  }
}

/** Room for the bodies of requests that are not answered yet. */
export interface BodyRoom {
  /** Takes room. @throws {AppError} `unavailable` when there is none. */
  take(bytes: number): void;
  /** Gives room back. */
  give(bytes: number): void;
}

/** Room for `most` bytes. */
export function bodyRoom(most: number): BodyRoom {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > most) {
        throw new AppError(
          "unavailable",
          "Too many large requests at once. Try again in a moment",
          {
            headers: { "Retry-After": "5" },
          },
        );
      }
      taken += bytes;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}

/** Largest body that is read in one piece, in bytes. */
const WHOLE_MAX_BYTES = 64 * 1024;

/** A body, and the room it takes until {@link ReadBody.release} is called. */
export interface ReadBody {
  bytes: Uint8Array;
  release(): void;
}

/**
 * The body of `request`.
 *
 * @throws {AppError} `too_large` beyond the limit, which is not read; `invalid_request` when it
 * does not arrive in time; `unavailable` when there is no room for it.
 */
export async function readBody(
  request: Request,
  room: BodyRoom,
  timeoutMs: number = BODY_TIMEOUT_MS,
): Promise<ReadBody> {
  const announced = Number(request.headers.get("content-length") ?? NaN);
  if (announced > BODY_MAX_BYTES) throw tooLarge();
  const isAnnounced = announced <= WHOLE_MAX_BYTES && !request.headers.has("transfer-encoding");
  return isAnnounced
    ? await readWhole(request, announced, room, timeoutMs)
    : await readParts(request, room, timeoutMs);
}

/** Reads a body of known size without making a stream of it, which costs more than the rest. */
async function readWhole(
  request: Request,
  size: number,
  room: BodyRoom,
  timeoutMs: number,
): Promise<ReadBody> {
  room.take(size);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(timeoutMs)), timeoutMs);
  const release = once(() => room.give(size));
  const reading = request.bytes();
  try {
    const bytes = await Promise.race([reading, late.promise]);
    return { bytes, release };
  } catch (error) {
    // What goes on coming takes its room until the connection ends.
    reading.then(release, release);
    throw readFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

async function readParts(
  request: Request,
  room: BodyRoom,
  timeoutMs: number,
): Promise<ReadBody> {
  const reader = request.body?.getReader();
  if (reader === undefined) return { bytes: new Uint8Array(), release() {} };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(timeoutMs)), timeoutMs);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) {
        return {
          bytes: await joined(parts),
          release: once(() => room.give(size)),
        };
      }
      if (size + value.byteLength > BODY_MAX_BYTES) throw tooLarge();
      room.take(value.byteLength);
      size += value.byteLength;
      parts.push(value);
    }
  } catch (error) {
    room.give(size);
    reader.cancel().catch(() => {});
    throw readFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Most bodies come in one piece, which need not be copied. */
async function joined(parts: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  return parts.length === 1 ? parts[0]! : await new Blob(parts).bytes();
}

/** A client that goes away while it sends is no fault of Berth's. */
function readFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("invalid_request", "The body could not be read", { cause: error });
}

function once(body: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) body();
    isDone = true;
  };
}

function tooLarge(): AppError {
  return new AppError("too_large", `The body is larger than the limit of ${BODY_MAX_BYTES} bytes`);
}

function tooSlow(timeoutMs: number): AppError {
  const message = `The body did not arrive within the limit of ${timeoutMs / 1000} s`;
  return new AppError("invalid_request", message);
}
