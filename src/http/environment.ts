/**
 * What every handler of both listeners finds in its context.
 *
 * @module
 */
import type { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Logger } from "../log.ts";

/** What a listener tells of a request beside the request. */
export interface HandlerInfo extends Pick<Deno.ServeHandlerInfo<Deno.NetAddr>, "remoteAddr"> {
  /** Whether it may be answered with a `ByteResponse`. */
  takesBytes?: boolean;
}

/** Hono's environment: what the listener tells as bindings, and the variables set here. */
export interface HttpEnv {
  Bindings: Partial<HandlerInfo>;
  Variables: {
    /** In the response's `X-Request-Id`, in failures' `request_id`, in every log line. */
    requestId: string;
    /** Adds the request id to every event. */
    log: Logger;
    /** Address of the client; null where the listener does not tell. */
    client: string | null;
    /** Set once the token was checked; null where none was sent, or a bad one to a public route. */
    caller: Caller | null;
    /** Why the token that was sent is not accepted, once it was checked. */
    tokenFailure?: AppError;
    /** What the registry shows when the request is counted; see `CountedHit.mark`. */
    mark?: string | null;
    /** The fields that tell of the caller's limit, once the request was counted. */
    limit?: readonly (readonly [name: string, value: string])[];
    /** The server that a kept response is about, where the route's handler alone knows. */
    about?: string;
  };
}
