/**
 * Tools of a session beside those that the scan of its server saw (`TOOLS_POLICY`): what was not
 * scanned is not served, or is served with a mark.
 *
 * @module
 */
import { CODES, errorOf, type RpcResponse } from "../../protocol/json_rpc.ts";
import { entriesOf, nameOf, withEntries, withMembers } from "../../protocol/lists.ts";
import { RawJson } from "../../protocol/raw_json.ts";
import type { ClientRequest } from "./request.ts";
import type { ScannedTools, ToolsPolicy } from "../types.ts";

export interface ToolGateDeps {
  policy: ToolsPolicy;
  /** What the scan saw; null when it could not tell. */
  scanned: ScannedTools | null;
  /** Told once of each listed tool that is not served, up to a number per session. */
  onRefused(tool: string): void;
}

/** Decides which tools of one session are served. */
export interface ToolGate {
  /** The error for a call of a tool that is not served; null for everything else. */
  refusal(request: ClientRequest): RpcResponse | null;
  /** The response to `tools/list` with what is served. */
  served(response: RpcResponse): RpcResponse;
}

/** In `_meta` of a tool that the scan did not see. */
const UNSCANNED_META = "berth/unscanned";

const TOLD_MAX = 20;
/** Characters of a name that reports hold. */
const NAME_MAX = 500;
const LIST = "tools/list";

function marked(entry: RawJson): RawJson {
  const given = entry.member("_meta");
  const meta = withMembers(given?.isObject ? given : RawJson.EMPTY, {
    [UNSCANNED_META]: RawJson.of(true),
  });
  return withMembers(entry, { _meta: meta });
}

export function createToolGate({ policy, scanned, onRefused }: ToolGateDeps): ToolGate {
  const names = new Set(scanned?.names);
  // Listed when the server was built, but nowhere in its source: accepted, and marked.
  const built = new Set(scanned?.built);
  // Where the scan could not tell, only an operator who runs whatever there is gets here.
  const refuses = policy === "scanned" && scanned !== null && !scanned.atRunTime;
  const told = new Set<string>();

  function isScanned(name: string | null): boolean {
    return name !== null && names.has(name.slice(0, NAME_MAX));
  }

  function isAccepted(name: string | null): boolean {
    return isScanned(name) || name !== null && built.has(name.slice(0, NAME_MAX));
  }

  function tell(name: string | null): void {
    const shown = (name ?? "").slice(0, NAME_MAX);
    if (told.size >= TOLD_MAX || told.has(shown)) return;
    told.add(shown);
    onRefused(shown);
  }

  function admitted(entry: RawJson): RawJson[] {
    const name = nameOf(LIST, entry);
    if (isScanned(name)) return [entry];
    if (!refuses || isAccepted(name)) return entry.isObject ? [marked(entry)] : [entry];
    tell(name);
    return [];
  }

  return {
    refusal({ id, method, params }) {
      if (!refuses || method !== "tools/call") return null;
      const name = params.member("name")?.string() ?? null;
      if (isAccepted(name)) return null;
      if (name === null) {
        return errorOf(id, {
          code: CODES.invalidParams,
          message: "tools/call requires the tool's name as a string in params.name",
        });
      }
      return errorOf(id, {
        code: CODES.invalidParams,
        message:
          `Unknown tool ${JSON.stringify(name.slice(0, NAME_MAX))}. The scan of this server ` +
          "did not find it, and Berth serves only scanned tools (TOOLS_POLICY). See tools/list " +
          "for the available tools",
        data: { reason: "tool_not_scanned" },
      });
    },
    served(response) {
      if (!("result" in response) || !(response.result instanceof RawJson)) return response;
      const entries = entriesOf(LIST, response.result, Infinity);
      if (!Array.isArray(entries)) return response;
      const shown = entries.flatMap(admitted);
      const isSame = shown.length === entries.length &&
        shown.every((one, at) => one === entries[at]);
      return isSame ? response : { ...response, result: withEntries(LIST, response.result, shown) };
    },
  };
}
