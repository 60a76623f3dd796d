/**
 * The caller's API tokens.
 *
 * @module
 */
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { ApiToken, CreateToken } from "../../../identity/api_tokens/schema.ts";
import { type CallerEnv, requireCaller } from "../../callers.ts";
import type { Links } from "../../links.ts";
import { TOKEN_EXAMPLE } from "../../openapi/examples.ts";
import { BEARER, failures, header, json } from "../../openapi/responses.ts";
import { jsonBody } from "../../plumbing/json_body.ts";
import { type Operation, operation } from "../../operation.ts";
import type { RegistryAppServices, TokenServices } from "../../services.ts";

const MadeResponse = z.object({
  status: z.literal("success"),
  message: z.string(),
  token: ApiToken,
  access_token: z.string().meta({ description: "Shown only once; not stored" }),
  token_type: z.literal("Bearer"),
  expires_in: z.int().meta({ description: "Seconds" }),
}).meta({ id: "CreatedToken" });

const ListResponse = z.object({
  status: z.literal("success"),
  total: z.int(),
  tokens: z.array(ApiToken),
}).meta({ id: "TokenList" });

const RevokedResponse = z.object({ status: z.literal("success"), message: z.string() })
  .meta({ id: "RevokedToken" });

const TAG = ["Tokens"];

/** Answers 403 to whoever may make no token, before the body is looked at. */
function requireToMake(tokens: TokenServices): MiddlewareHandler<CallerEnv> {
  return async function requireToMake(c, next) {
    tokens.authorizeCreate(c.get("caller"));
    await next();
  };
}

export function createToken({ identity, tokens }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "createToken",
    summary: "Create an API token",
    description: "A new access token from the registry's own issuer, valid for at most one hour. " +
      "403 if you signed in more than 30 days ago. 409 if you have 50 live tokens, or " +
      "if the registry's tokens come from another provider.",
    tags: TAG,
    security: BEARER,
    request: {
      body: {
        required: true,
        content: {
          "application/json": { schema: CreateToken, example: { name: "Build server" } },
        },
      },
    },
    responses: {
      201: json(MadeResponse, "The new token", {
        headers: {
          Location: header("URL of the token", `/api/v1/auth/tokens/${TOKEN_EXAMPLE.id}`),
        },
        example: {
          status: "success",
          message: 'Created the token "Build server". Copy it now: it will not be shown again',
          token: TOKEN_EXAMPLE,
          access_token: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1LTgxZjMifQ.c2lnbmF0dXJl",
          token_type: "Bearer",
          expires_in: 3600,
        },
      }),
      ...failures(400, 401, 403, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), requireToMake(tokens), jsonBody()] as const,
  }, async (c) => {
    const context = { requestId: c.get("requestId") };
    const made = await tokens.create(c.get("caller"), c.req.valid("json"), context);
    return c.json(
      {
        status: "success" as const,
        message: `Created the token "${made.token.name}". Copy it now: it will not be shown again`,
        token: made.token,
        access_token: made.accessToken,
        token_type: "Bearer" as const,
        expires_in: made.expiresIn,
      },
      201,
      { Location: links.token(made.token.id), "Cache-Control": "no-store" },
    );
  });
}

export function listTokens({ identity, tokens }: RegistryAppServices): Operation {
  return operation({
    operationId: "listTokens",
    summary: "List your API tokens",
    description:
      "Live tokens and those that expired or were revoked within a day, newest first. Never includes token values.",
    tags: TAG,
    security: BEARER,
    responses: {
      200: json(ListResponse, "Your tokens", {
        example: { status: "success", total: 1, tokens: [TOKEN_EXAMPLE] },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const found = await tokens.list(c.get("caller"));
    return c.json({ status: "success" as const, total: found.length, tokens: found }, 200);
  });
}

export function revokeToken({ identity, tokens }: RegistryAppServices): Operation {
  return operation({
    operationId: "revokeToken",
    summary: "Revoke an API token",
    description:
      "All nodes reject it within a second. Administrators can revoke any user's tokens.",
    tags: TAG,
    security: BEARER,
    request: {
      params: z.object({
        id: z.string().meta({
          description:
            "Id of the token, or `current` for the token used in this request, wherever it was issued",
          example: "current",
        }),
      }),
    },
    responses: {
      200: json(RevokedResponse, "The token was revoked", {
        example: { status: "success", message: "The token was revoked" },
      }),
      ...failures(400, 401, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const context = { requestId: c.get("requestId") };
    await tokens.revoke(c.get("caller"), c.req.valid("param").id, context);
    return c.json({ status: "success" as const, message: "The token was revoked" }, 200);
  });
}

export function revokeAllTokens({ identity, tokens }: RegistryAppServices): Operation {
  return operation({
    operationId: "revokeAllTokens",
    summary: "Sign out everywhere",
    description: "Revokes all tokens issued to you until now, and ends your sign-ins at the " +
      "registry's own issuer. Refresh tokens from another provider must be revoked " +
      "there.",
    tags: TAG,
    security: BEARER,
    responses: {
      200: json(RevokedResponse, "The tokens were revoked", {
        example: { status: "success", message: "All your tokens were revoked" },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    await tokens.revokeAll(c.get("caller"), { requestId: c.get("requestId") });
    return c.json({ status: "success" as const, message: "All your tokens were revoked" }, 200);
  });
}
