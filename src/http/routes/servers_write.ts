/**
 * Routes that change servers: create, update, delete, rescan.
 *
 * @module
 */
import { z } from "zod";
import { CreateServer, type ServerDetail, UpdateServer } from "../../registry/schema.ts";
import { requireAuthor, requireCaller, requireChange, requireCreate } from "../callers.ts";
import type { Links } from "../links.ts";
import { CREATE_EXAMPLE, DETAIL_EXAMPLE } from "../openapi/examples.ts";
import { BEARER, failures, header, json } from "../openapi/responses.ts";
import { jsonBody } from "../plumbing/json_body.ts";
import { prefersAsync } from "../preconditions.ts";
import { type Operation, operation } from "../operation.ts";
import type { RegistryAppServices } from "../services.ts";
import { IfMatch, nameOf, NameParameter, Prefer, SERVERS_TAG } from "./server_parameters.ts";
import { ServerResponse } from "./servers_read.ts";

const Accepted = z.object({
  status: z.literal("success"),
  message: z.string(),
  scan_id: z.string().meta({ description: "Id for /scans/{id}, the URL in Location" }),
}).meta({ id: "ScanStarted" });

const Removed = z.object({ status: z.literal("success"), message: z.string() })
  .meta({ id: "Removed" });

const accepted = json(Accepted, "The scan has started", {
  headers: { Location: header("URL of the scan", "/api/v1/scans/b3de4f0b") },
  example: { status: "success", message: 'Scanning "weather"', scan_id: "b3de4f0b" },
});

function body<T extends z.ZodType>(schema: T, example: unknown) {
  return { required: true, content: { "application/json": { schema, example } } };
}

/** `If-Match` as the use cases take it. */
function ifMatch(header: string | undefined): { ifMatch?: string } {
  return header === undefined ? {} : { ifMatch: header };
}

function started(links: Links, name: string, scanId: string) {
  return {
    body: { status: "success" as const, message: `Scanning "${name}"`, scan_id: scanId },
    headers: { Location: links.scan(scanId) },
  };
}

/** Said to who publishes from a private repository. */
function readers(visibility: ServerDetail["visibility"]): string {
  const who = {
    public: "everybody can read what was published",
    internal: "every signed-in user can read what was published",
    private: "so is the server, until you change who may read it",
  };
  return `Its repository is private: ${who[visibility]}`;
}

function told(what: string, server: ServerDetail): string {
  const done = `${what} "${server.name}"`;
  return server.repository_private ? `${done}. ${readers(server.visibility)}` : done;
}

function updated(server: ServerDetail) {
  return { status: "success" as const, message: told("Updated", server), server };
}

const APPLIED = { "Preference-Applied": "respond-async" };

export function createServer({ identity, registry }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "createServer",
    summary: "Register a server",
    description: "Fetches the repository and scans it. A failed scan is recorded and shown.",
    tags: SERVERS_TAG,
    security: BEARER,
    request: { headers: Prefer, body: body(CreateServer, CREATE_EXAMPLE) },
    responses: {
      201: json(ServerResponse, "The server was registered", {
        headers: { Location: header("URL of the server", "/api/v1/servers/weather") },
        example: {
          status: "success",
          message: 'Registered "weather"',
          server: DETAIL_EXAMPLE,
        },
      }),
      202: accepted,
      ...failures(400, 401, 403, 409, 413, 415, 429, 500, 503),
    },
    middleware: [requireCaller(identity), jsonBody(), requireCreate(registry)] as const,
  }, async (c) => {
    const caller = c.get("caller");
    const input = c.req.valid("json");
    const context = { requestId: c.get("requestId") };
    if (prefersAsync(c.req.valid("header").prefer)) {
      const { scanId } = await registry.startCreate(caller, input, context);
      const { body, headers } = started(links, input.name, scanId);
      return c.json(body, 202, { ...headers, ...APPLIED });
    }
    const server = await registry.create(caller, input, context);
    const message = told("Registered", server);
    return c.json({ status: "success" as const, message, server }, 201, {
      Location: links.server(server.name),
    });
  });
}

export function updateServer({ identity, registry }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "updateServer",
    summary: "Update a server",
    description: "Owner, other owners of its author name and administrators only. Accepts any " +
      "subset of the fields; only the owner and administrators can change `author`. " +
      "Changing `version`, `lang`, `entrypoint`, `repository` or `tools` starts a new " +
      "scan.",
    tags: SERVERS_TAG,
    security: BEARER,
    request: {
      params: NameParameter,
      headers: IfMatch.extend(Prefer.shape),
      body: body(UpdateServer, { version: "1.1.0", description: "Weather by city, worldwide" }),
    },
    responses: {
      200: json(ServerResponse, "The server was updated", {
        example: { status: "success", message: 'Updated "weather"', server: DETAIL_EXAMPLE },
      }),
      202: accepted,
      ...failures(400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503),
    },
    middleware: [
      requireCaller(identity),
      requireChange(registry),
      jsonBody(),
      requireAuthor(registry),
    ] as const,
  }, async (c) => {
    const [caller, name, input] = [c.get("caller"), nameOf(c), c.req.valid("json")];
    const headers = c.req.valid("header");
    const context = { requestId: c.get("requestId"), ...ifMatch(headers["if-match"]) };
    if (prefersAsync(headers.prefer)) {
      const update = await registry.startUpdate(caller, name, input, context);
      if (update.kind === "changed") return c.json(updated(update.server), 200);
      const { body, headers } = started(links, name, update.scanId);
      return c.json(body, 202, { ...headers, ...APPLIED });
    }
    return c.json(updated(await registry.update(caller, name, input, context)), 200);
  });
}

export function deleteServer({ identity, registry }: RegistryAppServices): Operation {
  return operation({
    operationId: "deleteServer",
    summary: "Delete a server",
    description: "Owner, other owners of its author name and administrators only. The name stays " +
      "reserved for 30 days.",
    tags: SERVERS_TAG,
    security: BEARER,
    request: { params: NameParameter, headers: IfMatch },
    responses: {
      200: json(Removed, "The server was deleted", {
        example: { status: "success", message: 'Deleted "weather"' },
      }),
      ...failures(400, 401, 403, 404, 409, 412, 500, 503),
    },
    middleware: [requireCaller(identity), requireChange(registry)] as const,
  }, async (c) => {
    const name = nameOf(c);
    const context = {
      requestId: c.get("requestId"),
      ...ifMatch(c.req.valid("header")["if-match"]),
    };
    await registry.remove(c.get("caller"), name, context);
    return c.json({ status: "success" as const, message: `Deleted "${name}"` }, 200);
  });
}

export function rescanServer({ identity, registry }: RegistryAppServices, links: Links): Operation {
  return operation({
    operationId: "rescanServer",
    summary: "Rescan a server",
    description: "Owner, other owners of its author name and administrators only.",
    tags: SERVERS_TAG,
    security: BEARER,
    request: { params: NameParameter },
    responses: { 202: accepted, ...failures(400, 401, 403, 404, 409, 429, 500, 503) },
    middleware: [requireCaller(identity), requireChange(registry)] as const,
  }, async (c) => {
    const name = nameOf(c);
    const context = { requestId: c.get("requestId") };
    const { scanId } = await registry.rescan(c.get("caller"), name, context);
    const { body, headers } = started(links, name, scanId);
    return c.json(body, 202, headers);
  });
}
