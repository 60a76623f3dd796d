/**
 * Lists of a session's server, page by page.
 *
 * @module
 */
import type { RpcResponse } from "../../protocol/json_rpc.ts";
import { withoutMember } from "../../protocol/lists.ts";
import { pageOf, pageRequest } from "../../protocol/pages.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import { invalidParams } from "./outcomes.ts";
import type { ClientRequest } from "./request.ts";

/** Answers a request for a list: whole lists are cut, servers that page themselves are let. */
export interface Paging {
  answer(
    request: ClientRequest,
    ask: (request: ClientRequest) => Promise<RpcResponse>,
  ): Promise<RpcResponse>;
  /** Methods of which the server has given a cursor of its own. */
  readonly own: Set<string>;
}

/** Paging of one session. @param size Most entries of a page. */
export function createPaging(size?: number): Paging {
  const own = new Set<string>();
  return {
    own,
    async answer(request, ask) {
      const { id, method, params } = request;
      const page = pageRequest(method, params);
      if (page.kind === "bad" || page.kind === "foreign" && !own.has(method)) {
        return invalidParams(id, "Invalid cursor");
      }
      const isForeign = page.kind === "foreign";
      const asked = isForeign ? request : { ...request, params: withoutMember(params, "cursor") };
      const response = await ask(asked);
      if (isForeign || !("result" in response) || !(response.result instanceof RawJson)) {
        return response;
      }
      if (response.result.member("nextCursor")?.isString) {
        own.add(method);
        return response;
      }
      return { ...response, result: pageOf(method, response.result, page, size) };
    },
  };
}
