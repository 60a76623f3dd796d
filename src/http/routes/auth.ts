/**
 * The caller's profile.
 *
 * @module
 */
import { z } from "zod";
import type { Caller } from "../../identity/caller.ts";
import { profileOf } from "../../identity/profile.ts";
import { ChangeUsername, Profile } from "../../identity/schema.ts";
import { requireCaller } from "../callers.ts";
import { PROFILE_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";

const ProfileResponse = z.object({
  status: z.literal("success"),
  message: z.string().optional(),
  user: Profile,
}).meta({ id: "ProfileResponse" });

const TAG = ["Identity"];

async function profile({ registry }: RegistryAppServices, caller: Caller): Promise<Profile> {
  return profileOf(caller, await registry.ownedServers(caller.userId));
}

export function getProfile(services: RegistryAppServices): Operation {
  return operation({
    operationId: "getProfile",
    summary: "Get your profile",
    description: "Your username is assigned by your first request with a token.",
    tags: TAG,
    security: BEARER,
    responses: {
      200: json(ProfileResponse, "Your profile", {
        example: { status: "success", user: PROFILE_EXAMPLE },
      }),
      ...failures(400, 401, 500, 503),
    },
    middleware: [requireCaller(services.identity)] as const,
  }, async (c) => {
    return c.json(
      { status: "success" as const, user: await profile(services, c.get("caller")) },
      200,
    );
  });
}

export function changeUsername(services: RegistryAppServices): Operation {
  return operation({
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
      200: json(ProfileResponse, "Your profile with the new username", {
        example: {
          status: "success",
          message: 'Your username is "jane"',
          user: { ...PROFILE_EXAMPLE, username: "jane" },
        },
      }),
      ...failures(400, 401, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(services.identity), jsonBody()] as const,
  }, async (c) => {
    const { username } = c.req.valid("json");
    const context = { requestId: c.get("requestId") };
    const caller = await services.identity.changeUsername(c.get("caller"), username, context);
    const message = `Your username is "${username}"`;
    return c.json(
      { status: "success" as const, message, user: await profile(services, caller) },
      200,
    );
  });
}
