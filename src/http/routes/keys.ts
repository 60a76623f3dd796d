/**
 * Values that are kept for sessions of servers. No response has a value.
 *
 * @module
 */
import { z } from "zod";
import { Audience, KeepValue, KeptKey, ShownTerms } from "../../keys/schema.ts";
import { VariableName } from "../../keys/variables.ts";
import { requireCaller } from "../callers.ts";
import { type Operation, operation } from "../operation.ts";
import { KEY_EXAMPLE, TERMS_EXAMPLE } from "../openapi/examples_keys.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

const KeysResponse = z.object({
  status: z.literal("success"),
  total: z.int(),
  keys: z.array(KeptKey),
}).meta({ id: "KeyList" });

const ServerKeysResponse = KeysResponse.extend({
  terms: z.string().meta({
    description: "Changes with what the server does with values: its owner, hosts, delivery. " +
      "Send it with what you agree to",
  }),
}).meta({ id: "ServerKeyList" });

const ChangedResponse = z.object({
  status: z.literal("success"),
  message: z.string(),
  variables: z.array(z.string()).meta({ description: "Names of the variables it is about" }),
}).meta({ id: "KeysChanged" });

const VariableParameter = NameParameter.extend({ variable: VariableName });
const TermsQuery = z.strictObject({ terms: ShownTerms });
const COMMON = { tags: ["Keys"], security: BEARER };
const NO_STORE = { "Cache-Control": "no-store" };
const status = "success" as const;

const listed = json(KeysResponse, "Without the values", {
  example: { status, total: 1, keys: [KEY_EXAMPLE] },
});

const listedOfServer = json(ServerKeysResponse, "Without the values", {
  example: { status, total: 1, keys: [KEY_EXAMPLE], terms: TERMS_EXAMPLE },
});

function changed(description: string, message: string) {
  return json(ChangedResponse, description, {
    example: { status, message, variables: ["API_KEY"] },
  });
}

/** What the caller has seen, where they say so. */
function shown(terms: string | undefined): { shown?: string } {
  return terms === undefined ? {} : { shown: terms };
}

export function listKeys({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listKeys",
    summary: "List your kept values",
    description: "For all servers, with when each was last used. Never includes the values.",
    responses: { 200: listed, ...failures(400, 401, 500, 503) },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const found = await keys.list(c.get("caller"));
    return c.json({ status, total: found.length, keys: found }, 200, NO_STORE);
  });
}

export function listServerKeys({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listServerKeys",
    summary: "List the values that are kept for a server",
    description: "Yours, and those that its owner keeps for all its users.",
    request: { params: NameParameter },
    responses: { 200: listedOfServer, ...failures(400, 401, 404, 500, 503) },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const terms = await keys.terms(c.get("caller"), nameOf(c));
    const found = await keys.listOfServer(c.get("caller"), nameOf(c));
    return c.json({ status, total: found.length, keys: found, terms }, 200, NO_STORE);
  });
}

export function keepKey({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "keepKey",
    summary: "Keep a value for your sessions of a server",
    description: "Replaces an older one. You agree to what the server does with it: see its " +
      "`variables`. 409 where that is not what `terms` stands for, or where the operator keeps " +
      "no values (SECRETS_KEY).",
    request: {
      params: VariableParameter,
      query: TermsQuery,
      body: {
        required: true,
        content: { "application/json": { schema: KeepValue, example: { value: "s3cr3t-value" } } },
      },
    },
    responses: {
      200: changed("The value is kept", "Kept API_KEY for weather"),
      ...failures(400, 401, 403, 404, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), jsonBody()] as const,
  }, async (c) => {
    const { terms } = c.req.valid("query");
    const place = { server: nameOf(c), variable: c.req.valid("param").variable, ...shown(terms) };
    const context = { requestId: c.get("requestId") };
    await keys.keep(c.get("caller"), place, c.req.valid("json"), context);
    const message = `Kept ${place.variable} for ${place.server}`;
    return c.json({ status, message, variables: [place.variable] }, 200);
  });
}

export function removeKey({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeKey",
    summary: "Forget a value",
    description:
      "Sessions that run lose it: the broker sends it no more, and sessions whose code " +
      "has it end.",
    request: { params: VariableParameter, query: z.strictObject({ for: Audience }) },
    responses: {
      200: changed("The value is gone", "Forgot API_KEY"),
      ...failures(400, 401, 403, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const { variable } = c.req.valid("param");
    const which = { server: nameOf(c), variable, for: c.req.valid("query").for };
    const context = { requestId: c.get("requestId") };
    const variables = await keys.remove(c.get("caller"), which, context);
    return c.json({ status, message: `Forgot ${variable}`, variables }, 200);
  });
}

export function removeKeys({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "removeKeys",
    summary: "Forget all your values for a server",
    request: { params: NameParameter },
    responses: {
      200: changed("The values are gone", "Forgot 1 value"),
      ...failures(400, 401, 404, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const which = { server: nameOf(c), variable: null, for: "me" as const };
    const context = { requestId: c.get("requestId") };
    const variables = await keys.remove(c.get("caller"), which, context);
    const { length } = variables;
    const message = `Forgot ${length} value${length === 1 ? "" : "s"}`;
    return c.json({ status, message, variables }, 200);
  });
}

export function agreeKeys({ identity, keys }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "agreeKeys",
    summary: "Agree to what a server does with your values now",
    description: "For values in state `changed`: the server has another owner, declares more " +
      "hosts, or its code would get the value itself. 409 where it is not what `terms` stands for.",
    request: { params: NameParameter, query: TermsQuery },
    responses: {
      200: changed("The server gets the values again", "Agreed to 1 value"),
      ...failures(400, 401, 404, 409, 500, 503),
    },
    middleware: [requireCaller(identity)] as const,
  }, async (c) => {
    const context = { requestId: c.get("requestId") };
    const which = { server: nameOf(c), ...shown(c.req.valid("query").terms) };
    const variables = await keys.agree(c.get("caller"), which, context);
    const { length } = variables;
    const message = `Agreed to ${length} value${length === 1 ? "" : "s"}`;
    return c.json({ status, message, variables }, 200);
  });
}
