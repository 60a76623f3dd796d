/**
 * What the transport needs, and what it keeps of a request on its way.
 *
 * @module
 */
import type { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { RequestId } from "../../protocol/json_rpc.ts";
import type { RequestContext } from "../../request.ts";
import type { CallLimit, Client } from "../admission/clients.ts";
import type { Clock } from "../clock.ts";
import type { Checked, Forward } from "../nodes/forward.ts";
import type { Forwarded } from "../nodes/gate.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { BodyRoom } from "./content.ts";
import type { FailureOf, Respond } from "./responses.ts";

export interface TransportDeps {
  sessions: Pick<Sessions, "use" | "listen" | "end">;
  clock: Clock;
  calls: CallLimit;
  room: BodyRoom;
  /** The user of an `Authorization` header. @throws {AppError} With status 401. */
  authenticate: (authorization: string) => Promise<{ userId: string; isAdmin?: boolean }>;
  /** `required`: a request without a token is refused. */
  authentication: "optional" | "required";
  failureOf: FailureOf;
  newId: () => string;
  log: Logger;
  /** Hands requests to other nodes; absent where there are none. */
  forward?: Forward | undefined;
  /** Told of each request that was refused by policy (403). */
  onRefused?: (refusal: RefusedExecution) => void;
}

/** A request that the scan policy refused. */
export interface RefusedExecution {
  server: string;
  /** Token subject; null without a token. */
  userId: string | null;
  requestId: string;
  /** As in the failure. */
  details: Record<string, string>;
}

/** What the HTTP side knows of a request. */
export interface TransportContext extends RequestContext {
  /** Makes responses that are answered as a whole; absent: as any other. */
  respond?: Respond;
  /** Told of a failure that the request is answered with. */
  onFailure?: (error: AppError) => void;
  /** Address of the client, behind trusted proxies the one they name. */
  clientAddress: string;
  /** What the node says of it that forwards it; absent: it is a client's. */
  forwarded?: Forwarded;
}

/** A request on its way: `id` is set as soon as it is known, for the failure's answer. */
export interface Exchange extends Checked {
  respond: Respond;
  client: Client;
  id: RequestId | null;
  /** Null: it is a client's own. */
  forwarded: Forwarded | null;
}
