/**
 * The last call, to be copied.
 *
 * @module
 */
import { neededVariables } from "../../keys/variables.ts";
import type { ServerDetail } from "../../registry/schema.ts";
import type { PageRequest } from "../layout/context.ts";
import { Copy } from "../layout/parts.tsx";
import { endpointOf } from "../server/endpoint.ts";
import { callSnippets, type CopiedCall } from "./snippets.ts";

/** The call of a tool of `server`, with what callers from elsewhere have to send. */
export function copiedCall(
  { services }: PageRequest,
  server: ServerDetail,
  { tool, args }: Pick<CopiedCall, "tool" | "args">,
): CopiedCall {
  return {
    server: server.name,
    url: endpointOf(services.workerUrl, server.name),
    tool,
    args,
    needsToken: services.needsToken || server.payment_required,
    variables: neededVariables(server.variables).map(({ name }) => name),
  };
}

/** The call in each form, to be opened; nothing where its arguments are long. */
export function CallSnippets({ call }: { call: CopiedCall }) {
  const snippets = callSnippets(call);
  if (snippets.length === 0) return null;
  return (
    <details class="more copied-call">
      <summary>Copy this call</summary>
      {snippets.map(({ id, label, text }) => (
        <>
          <h4>{label}</h4>
          <Copy id={`call-${id}`} text={text} label={`the call for ${label}`} />
        </>
      ))}
    </details>
  );
}
