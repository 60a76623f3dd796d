/**
 * Who may read a server, for those who may change it.
 *
 * @module
 */
import type { Context } from "hono";
import { z } from "zod";
import { GroupName, ServerAccess } from "../../access/schema.ts";
import type { Reader } from "../../registry/access/readers.ts";
import { type CallerEnv, requireCaller } from "../callers.ts";
import { ACCESS_EXAMPLE } from "../openapi/examples_users.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import type { AccessServices, RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

const AccessResponse = z.object({
  status: z.literal("success"),
  message: z.string().optional(),
  access: ServerAccess,
}).meta({ id: "AccessResponse" });

const UserParameters = NameParameter.extend({
  username: z.string().meta({ example: "joan" }),
});
const GroupParameters = NameParameter.extend({ group: GroupName });

const COMMON = { tags: ["Access"], security: BEARER };
const WHO = "For those who may change the server.";
const status = "success" as const;

function answer(description: string, message?: string) {
  const example = { status, ...(message === undefined ? {} : { message }), access: ACCESS_EXAMPLE };
  return json(AccessResponse, description, { example });
}

export function getAccess({ identity, access }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "getServerAccess",
    summary: "See who may read a server",
    description: `${WHO} Its visibility is changed with the server: PUT /api/v1/servers/{name}.`,
    request: { params: NameParameter },
    responses: {
      200: answer("Who may read the server"),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    return c.json({ status, access: await access.show(c.get("caller"), nameOf(c)) }, 200);
  });
}

/** Names a reader, or names one no more; what is answered. */
async function change(
  access: AccessServices,
  action: "add" | "remove",
  [c, reader]: [Context<CallerEnv>, Reader],
) {
  const [caller, server] = [c.get("caller"), nameOf(c)];
  const context = { requestId: c.get("requestId") };
  const label = "user" in reader ? reader.user : reader.group;
  const message = action === "add"
    ? `"${label}" may read "${server}"`
    : `"${label}" is no longer named for "${server}"`;
  return { status, message, access: await access[action](caller, server, reader, context) };
}

export function addUser({ identity, access }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "addServerUser",
    summary: "Let a user read a private server",
    description: WHO,
    request: { params: UserParameters },
    responses: {
      200: answer("The user may read it", '"joan" may read "weather"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { username: user } = c.req.valid("param");
    return c.json(await change(access, "add", [c, { user }]), 200);
  });
}

export function removeUser({ identity, access }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeServerUser",
    summary: "Stop naming a user as a reader of a server",
    description: `${WHO} While it is private, sessions that the user runs of it end.`,
    request: { params: UserParameters },
    responses: {
      200: answer("The user is not named any more", '"joan" is no longer named for "weather"'),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { username: user } = c.req.valid("param");
    return c.json(await change(access, "remove", [c, { user }]), 200);
  });
}

export function addGroup({ identity, access }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "addServerGroup",
    summary: "Let a group read a private server",
    description: `${WHO} Groups are those of the identity provider (SIGN_IN_GROUPS_CLAIM).`,
    request: { params: GroupParameters },
    responses: {
      200: answer("The group may read it", '"weather-team" may read "weather"'),
      ...failures(400, 401, 403, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { group } = c.req.valid("param");
    return c.json(await change(access, "add", [c, { group }]), 200);
  });
}

export function removeGroup({ identity, access }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeServerGroup",
    summary: "Stop naming a group as readers of a server",
    description: `${WHO} While it is private, sessions that its members run of it end.`,
    request: { params: GroupParameters },
    responses: {
      200: answer("The group is not named any more", '"ops" is no longer named for "weather"'),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { group } = c.req.valid("param");
    return c.json(await change(access, "remove", [c, { group }]), 200);
  });
}
