/**
 * What every handler of both listeners finds in its context.
 *
 * @module
 */
import type { AppError } from "../errors.ts";
import type { Caller } from "../identity/caller.ts";
import type { Logger } from "../log.ts";

/** Hono's environment: `Deno.serve`'s handler information as bindings, and the variables set here. */
export interface HttpEnv {
  Bindings: Partial<Deno.ServeHandlerInfo<Deno.NetAddr>>;
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
  };
}
