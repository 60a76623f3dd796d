/**
 * Decisions on servers that run what their callers write (`CAPABILITY_POLICY=ask`).
 *
 * @module
 */
import { z } from "zod";
import {
  AnswerCapabilities,
  CapabilityCase,
  CapabilityQuery,
} from "../../registry/capabilities/schema.ts";
import { CapabilityDecision } from "../../scan/capabilities_schema.ts";
import { requireAdministrator, requireCaller } from "../callers.ts";
import { CASE_EXAMPLE } from "../openapi/examples_capabilities.ts";
import { BEARER, failures, json } from "../openapi/responses.ts";
import { type Operation, operation } from "../operation.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import type { RegistryAppServices } from "../services.ts";
import { nameOf, NameParameter } from "./server_parameters.ts";

const CaseList = z.object({
  status: z.literal("success"),
  total: z.int().meta({ description: "Number of servers in this response" }),
  next_cursor: z.string().optional().meta({ description: "Present when there are more servers" }),
  servers: z.array(CapabilityCase),
}).meta({ id: "CapabilityList" });

const Answered = z.object({
  status: z.literal("success"),
  message: z.string(),
  capability_decision: CapabilityDecision,
}).meta({ id: "CapabilityAnswered" });

const COMMON = { tags: ["Capabilities"], security: BEARER };
const status = "success" as const;

export function listCapabilities({ identity, registry }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "listCapabilities",
    summary: "List servers with capabilities that wait, or that were answered",
    description: "Administrators only. Servers whose tools run SQL, commands or code of their " +
      "callers, with the evidence: tools, files and lines. By name; pass `next_cursor` as " +
      "`cursor` to get the next page. Under CAPABILITY_POLICY=ask, servers that wait and servers " +
      "that were refused do not run.",
    request: { query: CapabilityQuery },
    responses: {
      200: json(CaseList, "Matching servers", {
        example: { status, total: 1, servers: [CASE_EXAMPLE] },
      }),
      ...failures(400, 401, 403, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator()] as const,
  }, async (c) => {
    const { cases, nextCursor } = await registry.capabilityCases(c.req.valid("query"));
    return c.json({
      status,
      total: cases.length,
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      servers: cases,
    }, 200);
  });
}

export function answerCapabilities({ identity, registry }: RegistryAppServices): Operation {
  return operation({
    ...COMMON,
    operationId: "answerCapabilities",
    summary: "Allow or refuse a server's capabilities",
    description: "Administrators only. The answer replaces the one before. Later versions with " +
      "the same or fewer capabilities stay allowed, and those with more wait again; a refusal " +
      "holds for the same or more. It ends when the server gets another owner. Refusing ends the " +
      "server's sessions.",
    request: {
      params: NameParameter,
      body: {
        required: true,
        content: {
          "application/json": {
            schema: AnswerCapabilities,
            example: {
              answer: "allow",
              capabilities: ["sql"],
              reason: "Reads a database of public figures only",
            },
          },
        },
      },
    },
    responses: {
      200: json(Answered, "The answer is stored", {
        example: {
          status,
          message: 'Allowed "weather" to run here',
          capability_decision: {
            state: "allowed",
            reason: "Reads a database of public figures only",
            decided_at: "2026-05-01T12:00:07.000Z",
          },
        },
      }),
      ...failures(400, 401, 403, 404, 409, 413, 415, 500, 503),
    },
    middleware: [requireCaller(identity), requireAdministrator(), jsonBody()] as const,
  }, async (c) => {
    const [name, input] = [nameOf(c), c.req.valid("json")];
    const context = { requestId: c.get("requestId") };
    const decision = await registry.answerCapabilities(c.get("caller"), name, input, context);
    const message = input.answer === "allow"
      ? `Allowed "${name}" to run here`
      : `Refused to run "${name}" here`;
    return c.json({ status, message, capability_decision: decision }, 200);
  });
}
