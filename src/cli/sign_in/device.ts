/**
 * The device flow (RFC 8628): the user confirms a short code in a browser, on any machine.
 *
 * @module
 */
import { z } from "zod";
import { readJson, send } from "../client/http.ts";
import type { CliContext } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { type GrantOutcome, requestTokens, type Tokens } from "./grant.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const DEFAULT_INTERVAL_S = 5;
const SLOW_DOWN_S = 5;
/** Seconds between attempts never get longer than this, whatever fails. */
const MAX_INTERVAL_S = 60;

const DeviceCode = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.url({ protocol: /^https?$/ }),
  verification_uri_complete: z.url({ protocol: /^https?$/ }).optional(),
  expires_in: z.coerce.number().positive(),
  interval: z.coerce.number().min(0).optional(),
});
/** What the user has to open and enter. */
export type DeviceCode = z.infer<typeof DeviceCode>;

/** A device authorization request (RFC 8628). */
export interface DeviceRequest {
  deviceEndpoint: string;
  tokenEndpoint: string;
  clientId: string;
  scope: string;
  /** Some providers need to be told which API a token is for. */
  audience: string | null;
}

async function begin(context: CliContext, request: DeviceRequest): Promise<DeviceCode> {
  const response = await send(context, request.deviceEndpoint, {
    what: "The identity provider",
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams({
      client_id: request.clientId,
      scope: request.scope,
      ...(request.audience === null ? {} : { audience: request.audience }),
    }),
  });
  const body = await readJson(response);
  const parsed = DeviceCode.safeParse(body);
  if (response.ok && parsed.success) return parsed.data;
  const fault = z.object({ error: z.string() }).safeParse(body);
  const busy = response.status === 429 || response.status >= 500;
  throw new CliError(
    busy ? EXIT.unreachable : EXIT.failure,
    `The identity provider does not let the client "${request.clientId}" sign in with a code` +
      (fault.success ? ` (${fault.data.error.slice(0, 60)})` : ` (status ${response.status})`),
    {
      hint: busy
        ? "Try again in a moment"
        : "Its operator must allow the device flow for that client. Or use berth login --token-stdin",
    },
  );
}

function ended(code: string, description: string | null): CliError {
  if (code === "access_denied") {
    return new CliError(EXIT.failure, "The sign-in was refused in the browser");
  }
  if (code === "expired_token") {
    return new CliError(EXIT.failure, "The code was not confirmed in time", {
      hint: "Start again and confirm the code in the browser",
    });
  }
  const detail = description === null ? code : `${code}: ${description}`;
  return new CliError(EXIT.failure, `The identity provider refused the sign-in (${detail})`);
}

/**
 * Signs in by a code.
 *
 * @param show Tells the user what to open and enter.
 * @throws {CliError} When the user refuses, or lets the code expire.
 */
export async function signInByDevice(
  context: CliContext,
  request: DeviceRequest,
  show: (code: DeviceCode) => Promise<void>,
): Promise<Tokens> {
  const code = await begin(context, request);
  const deadline = context.now() + code.expires_in * 1000;
  let interval = code.interval ?? DEFAULT_INTERVAL_S;
  await show(code);
  const signal = context.interrupted();
  for (;;) {
    await context.sleep(interval * 1000, signal);
    if (context.now() >= deadline) throw ended("expired_token", null);
    let outcome: GrantOutcome;
    try {
      outcome = await requestTokens(context, request.tokenEndpoint, {
        grant_type: GRANT,
        device_code: code.device_code,
        client_id: request.clientId,
      });
    } catch (error) {
      // A network that is away for a moment (section 3.5); the code's life bounds it.
      if (!(error instanceof CliError) || error.exit !== EXIT.unreachable) throw error;
      interval = Math.min(Math.max(interval, 1) * 2, MAX_INTERVAL_S);
      continue;
    }
    if (outcome.kind === "tokens") return outcome.tokens;
    if (outcome.code === "slow_down") interval += SLOW_DOWN_S;
    else if (outcome.code !== "authorization_pending") {
      throw ended(outcome.code, outcome.description);
    }
  }
}
