/**
 * Requests to a server's code of which Berth keeps something to itself.
 *
 * @module
 */
import { CODES, errorOf, type Params, type RpcResponse } from "../protocol/json_rpc.ts";
import { SubscribeParams } from "../protocol/mcp.ts";
import { SUBSCRIPTIONS_MAX } from "./limits.ts";
import type { Notifier } from "./notifier.ts";
import { invalidParams } from "./outcomes.ts";
import type { SessionRequest } from "./session.ts";

/** Answers `resources/subscribe` and `resources/unsubscribe`. */
export interface Subscribing {
  handles(method: string): boolean;
  answer(
    request: SessionRequest,
    ask: (request: SessionRequest) => Promise<RpcResponse>,
  ): Promise<RpcResponse>;
}

/** Keeps in `notifier` what the client watches. */
export function createSubscribing(notifier: Notifier): Subscribing {
  return {
    handles: (method) => method === "resources/subscribe" || method === "resources/unsubscribe",
    async answer(request, ask) {
      const parsed = SubscribeParams.safeParse(request.params);
      if (!parsed.success) return invalidParams(request.id, 'The parameter "uri" is not valid');
      const { uri } = parsed.data;
      const isBegin = request.method === "resources/subscribe";
      // Before the server's code runs: it may tell of the resource at once.
      if (isBegin && !notifier.subscribe(uri)) {
        const message = `A session may watch ${SUBSCRIPTIONS_MAX} resources`;
        return errorOf(request.id, { code: CODES.server, message });
      }
      const response = await ask(request);
      if (!isBegin || "error" in response) notifier.unsubscribe(uri);
      return response;
    },
  };
}

/** Most values of a completion. */
const COMPLETIONS_MAX = 100;

/** The response to `completion/complete` with no more values than MCP allows. */
export function boundCompletion(response: RpcResponse): RpcResponse {
  if (!("result" in response)) return response;
  const completion = (response.result as Params)["completion"] as Params | undefined;
  const values = completion?.["values"];
  if (!Array.isArray(values) || values.length <= COMPLETIONS_MAX) return response;
  const cut = { ...completion, values: values.slice(0, COMPLETIONS_MAX), hasMore: true };
  return { ...response, result: { ...(response.result as Params), completion: cut } };
}
