/**
 * What a client that opens addresses for its user gets when a session waits for values or sign-ins:
 * the error by which MCP 2025-11-25 asks for that ("URL elicitation required").
 *
 * @module
 */
import { z } from "zod";
import { abilitiesOf } from "../../protocol/abilities.ts";
import { CODES, type Message, type RpcError } from "../../protocol/json_rpc.ts";

const Missing = z.object({
  reason: z.literal("variables_missing"),
  missing_environment: z.array(z.string()),
  enter_at: z.string(),
  connect: z.array(z.object({ variable: z.string(), service: z.string(), url: z.string() }))
    .default([]),
});

/** Whether `message` begins a session of a client that opens addresses. */
function opensAddresses(message: Message): boolean {
  if (message.kind !== "request" || message.method !== "initialize") return false;
  return abilitiesOf(message.params.member("capabilities")?.value()).urls;
}

/** The error as the client of `message` is told it. */
export function forClientOf(message: Message, error: RpcError, newId: () => string): RpcError {
  const missing = Missing.safeParse(error.data);
  if (!missing.success || !opensAddresses(message)) return error;
  const { connect, enter_at, missing_environment } = missing.data;
  const pages = connect.map(({ service, url }) => ({ url, message: `Connect to ${service}` }));
  const others = missing_environment.filter((name) =>
    !connect.some(({ variable }) => variable === name)
  );
  if (others.length > 0) pages.push({ url: enter_at, message: `Enter ${others.join(", ")}` });
  const elicitations = pages.map(({ url, message }) => ({
    mode: "url",
    elicitationId: newId(),
    url,
    message,
  }));
  return {
    code: CODES.urlElicitation,
    message: error.message,
    data: { ...missing.data, elicitations },
  };
}
