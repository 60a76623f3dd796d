/**
 * What the routes below `/servers` share.
 *
 * @module
 */
import type { Context } from "hono";
import { z } from "zod";
import { serverNotFound } from "../../registry/failures.ts";
import { ServerName } from "../../registry/schema.ts";
import { API } from "../links.ts";

/** Address of the collection. */
export const SERVERS_PATH = `${API}/servers`;

/** Tag of these routes in the documentation. */
export const SERVERS_TAG = ["Servers"];

/** Path parameters. Any text is let through: a name that none can have is not found, not invalid. */
export const NameParameter = z.object({
  name: z.string().meta({ description: "Name of the server", example: "weather" }),
});

/** Request header of changes. */
export const IfMatch = z.object({
  "if-match": z.string().optional().meta({
    description: "Entity tag the record must have; otherwise 412",
    example: '"5f1d3c"',
  }),
});

/** Request header of changes that scan. */
export const Prefer = z.object({
  prefer: z.string().optional().meta({
    description: "`respond-async`: return 202 immediately and continue in the background",
    example: "respond-async",
  }),
});

/** The name in the address. @throws {AppError} `not_found` when no server can have it. */
export function nameOf(c: Context): string {
  const name = ServerName.safeParse(c.req.param("name"));
  if (name.success) return name.data;
  throw serverNotFound(c.req.param("name") ?? "");
}
