/**
 * Requests to a server's code of which Berth keeps something to itself.
 *
 * @module
 */
import { CODES, errorOf, type RpcResponse } from "../../protocol/json_rpc.ts";
import { withMembers } from "../../protocol/lists.ts";
import { SUBSCRIBED_URI_MAX } from "../../protocol/mcp.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import { SUBSCRIPTIONS_MAX } from "../limits.ts";
import type { Notifier } from "./notifier.ts";
import { invalidParams } from "./outcomes.ts";
import type { ClientRequest } from "./request.ts";

/** Answers `resources/subscribe` and `resources/unsubscribe`. */
export interface Subscribing {
  handles(method: string): boolean;
  answer(
    request: ClientRequest,
    ask: (request: ClientRequest) => Promise<RpcResponse>,
  ): Promise<RpcResponse>;
}

/** Keeps in `notifier` what the client watches. */
export function createSubscribing(notifier: Notifier): Subscribing {
  return {
    handles: (method) => method === "resources/subscribe" || method === "resources/unsubscribe",
    async answer(request, ask) {
      const uri = request.params.member("uri")?.string() ?? null;
      if (uri === null || uri.length > SUBSCRIBED_URI_MAX) {
        return invalidParams(request.id, 'The parameter "uri" is invalid');
      }
      const isBegin = request.method === "resources/subscribe";
      // Before the server's code runs: it may tell of the resource at once.
      if (isBegin && !notifier.subscribe(uri)) {
        const message = `Too many subscriptions: a session may have ${SUBSCRIPTIONS_MAX}`;
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
  if (!("result" in response) || !(response.result instanceof RawJson)) return response;
  const completion = response.result.member("completion");
  const given = completion?.member("values");
  if (completion === undefined || given === undefined) return response;
  const values = [...given.items().take(COMPLETIONS_MAX + 1)];
  if (values.length <= COMPLETIONS_MAX) return response;
  const cut = withMembers(completion, {
    values: RawJson.of(values.slice(0, COMPLETIONS_MAX)),
    hasMore: RawJson.of(true),
  });
  return { ...response, result: withMembers(response.result, { completion: cut }) };
}
