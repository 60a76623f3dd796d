/**
 * The caller's profile.
 *
 * @module
 */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import type { Caller } from "../../identity/caller.ts";
import { profileOf } from "../../identity/profile.ts";
import { ChangeUsername, Profile } from "../../identity/schema.ts";
import { requireCaller } from "../callers.ts";
import type { HttpEnv } from "../environment.ts";
import { API } from "../links.ts";
import { PROFILE_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";

const ProfileResponse = z.object({
  status: z.literal("success"),
  message: z.string().optional(),
  user: Profile,
}).meta({ id: "ProfileResponse" });

const PATH = `${API}/auth/me`;
const TAG = ["Identity"];

function routesOf({ identity }: RegistryAppServices) {
  const caller = requireCaller(identity);
  const get = createRoute({
    method: "get",
    path: PATH,
    operationId: "getProfile",
    summary: "Get your profile",
    description: "The first request with a token fixes the username.",
    tags: TAG,
    security: BEARER,
    responses: {
      200: json(ProfileResponse, "The caller", {
        example: { status: "success", user: PROFILE_EXAMPLE },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [caller] as const,
  });
  const put = createRoute({
    method: "put",
    path: PATH,
    operationId: "changeUsername",
    summary: "Change your username, once",
    tags: TAG,
    security: BEARER,
    request: {
      body: {
        required: true,
        content: { "application/json": { schema: ChangeUsername, example: { username: "jane" } } },
      },
    },
    responses: {
      200: json(ProfileResponse, "The caller under the new username", {
        example: {
          status: "success",
          message: 'Your username is "jane"',
          user: { ...PROFILE_EXAMPLE, username: "jane" },
        },
      }),
      ...failures(400, 401, 409, 413, 415, 500, 503),
    },
    middleware: [caller, jsonBody()] as const,
  });
  return { get, put };
}

/** Adds the routes to `app`. */
export function addAuth(app: OpenAPIHono<HttpEnv>, services: RegistryAppServices): void {
  const { identity, registry } = services;
  const routes = routesOf(services);

  async function profile(caller: Caller): Promise<Profile> {
    return profileOf(caller, await registry.ownedServers(caller.userId));
  }

  app.openapi(routes.get, async (c) => {
    return c.json({ status: "success" as const, user: await profile(c.get("caller")) }, 200);
  });

  app.openapi(routes.put, async (c) => {
    const { username } = c.req.valid("json");
    const context = { requestId: c.get("requestId") };
    const caller = await identity.changeUsername(c.get("caller"), username, context);
    const message = `Your username is "${username}"`;
    return c.json({ status: "success" as const, message, user: await profile(caller) }, 200);
  });
}
