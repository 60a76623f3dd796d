/**
 * A request of the client, as all parts of a client session take it.
 *
 * @module
 */
import type { Params, RequestId } from "../../protocol/json_rpc.ts";

export interface ClientRequest {
  id: RequestId;
  method: string;
  params: Params;
}
