/**
 * What a server tells the model of itself and its tools, where that is not stated in the source.
 *
 * @module
 */
import type { RawFinding } from "../../finding.ts";
import { report } from "../rule.ts";
import type { ObservedCall } from "./observed.ts";
import { FOREIGN_DESCRIPTION } from "./flow_rules.ts";

const DECLARES =
  /(^|\.)(tool|add_tool|prompt|add_prompt|resource|add_resource|from_function|Tool|Prompt|Resource|ResourceTemplate|FastMCP|Server|MCPServer)$/;
const SAYS = ["description", "instructions", "title"] as const;

/** A declaration whose description is decoded, or what a request answered. */
export function foreignDescription(call: ObservedCall): RawFinding | null {
  if (call.callee === null || !DECLARES.test(call.callee.name)) return null;
  for (const key of SAYS) {
    const value = call.given.keywords.get(key);
    const labels = value === undefined ? null : call.labels(value);
    const origin = labels?.has("network")
      ? "response data"
      : labels?.has("encoded")
      ? "decoded text"
      : null;
    if (origin === null) continue;
    const title = `The ${key} for the model is ${origin}`;
    return report(FOREIGN_DESCRIPTION, call.names.tree, call.node, title);
  }
  return null;
}
