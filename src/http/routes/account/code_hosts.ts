/**
 * Code hosts, and the caller's tokens for them. No response has a token.
 *
 * @module
 */
import { z } from "zod";
import {
  HostName,
  HostToken,
  KeepHostToken,
  ServedHost,
  TokenPath,
} from "../../../repository/tokens/schema.ts";
import { requireCaller } from "../../callers.ts";
import { type Operation, operation } from "../../operation.ts";
import { HOST_TOKEN_EXAMPLE } from "../../openapi/examples_keys.ts";
import { BEARER, failures, json } from "../../openapi/responses.ts";
import { jsonBody } from "../../plumbing/json_body.ts";
import type { RegistryAppServices } from "../../services.ts";

const HostsResponse = z.object({
  status: z.literal("success"),
  hosts: z.array(ServedHost).meta({ description: "Hosts that repositories may come from" }),
  tokens: z.array(HostToken).meta({ description: "Yours, without what they are" }),
  publisher_code: z.uuid().nullable().meta({
    description: "By which repositories name your account, in berth-publisher.txt",
  }),
}).meta({ id: "CodeHostList" });

const HostParameter = z.object({ host: HostName });
const Changed = z.object({ status: z.literal("success"), message: z.string() })
  .meta({ id: "HostTokenChanged" });
const COMMON = { tags: ["Code hosts"], security: BEARER };
const NO_STORE = { "Cache-Control": "no-store" };
const status = "success" as const;

function changed(description: string, message: string) {
  return json(Changed, description, { example: { status, message } });
}

export function listCodeHosts({ identity, codeHosts }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listCodeHosts",
    summary: "List code hosts and your tokens for them",
    description: "Tokens with when each was last used. Never includes the tokens themselves.",
    responses: {
      200: json(HostsResponse, "Without the tokens themselves", {
        example: {
          status,
          hosts: [{ host: "gitlab.com", kind: "gitlab", app: false }],
          tokens: [HOST_TOKEN_EXAMPLE],
          publisher_code: "0c6f1c1e-9d1a-4b7e-8a52-2f6f0f3b1a77",
        },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const caller = c.get("caller");
    const [tokens, code] = await Promise.all([
      codeHosts.list(caller),
      codeHosts.codeOf(caller.userId),
    ]);
    const body = { status, hosts: [...codeHosts.hosts], tokens, publisher_code: code };
    return c.json(body, 200, NO_STORE);
  });
}

export function keepHostToken({ identity, codeHosts }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "keepHostToken",
    summary: "Keep a token for a code host",
    description: "Replaces an older one for the same. With it you can publish from private " +
      "repositories: it is sent to this host only, and only for repositories that nobody may " +
      "read without one. 409 where the operator keeps no values (SECRETS_KEY).",
    request: {
      params: HostParameter,
      body: {
        required: true,
        content: {
          "application/json": {
            schema: KeepHostToken,
            example: { token: "glpat-s3cr3t", path: "acme/weather" },
          },
        },
      },
    },
    responses: {
      200: changed("The token is kept", "Kept the token for gitlab.com"),
      ...failures(400, 401, 404, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), jsonBody()] as const,
  }, async (c) => {
    const { host } = c.req.valid("param");
    const context = { requestId: c.get("requestId") };
    await codeHosts.keep(c.get("caller"), host, c.req.valid("json"), context);
    return c.json({ status, message: `Kept the token for ${host}` }, 200);
  });
}

export function removeHostToken({ identity, codeHosts }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeHostToken",
    summary: "Forget a token for a code host",
    description: "What was published with it stays, and runs. Revoke the token at the host too.",
    request: { params: HostParameter, query: z.strictObject({ path: TokenPath }) },
    responses: {
      200: changed("The token is gone", "Forgot the token for gitlab.com"),
      ...failures(400, 401, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const place = { host: c.req.valid("param").host, path: c.req.valid("query").path };
    await codeHosts.remove(c.get("caller"), place, { requestId: c.get("requestId") });
    return c.json({ status, message: `Forgot the token for ${place.host}` }, 200);
  });
}
