/**
 * Tells the audit log of requests that were refused by a policy.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import type { Refusal } from "../../audit/refusals.ts";
import { AppError } from "../../errors.ts";
import type { HttpEnv } from "../environment.ts";
import type { AuditServices } from "../services.ts";

/** The author in the address, or that the body asks for, which was parsed before the refusal. */
async function authorOf(c: Context<HttpEnv>): Promise<string> {
  const named = c.req.param("author");
  if (named !== undefined) return named;
  try {
    const body: unknown = await c.req.json();
    const author = typeof body === "object" && body !== null && "author" in body && body.author;
    return typeof author === "string" ? author.trim() : "";
  } catch {
    return "";
  }
}

async function refusalOf(c: Context<HttpEnv>, error: AppError): Promise<Refusal> {
  const { required = "", current = "" } = error.details;
  const base = {
    actor: c.get("caller")?.userId ?? null,
    requestId: c.get("requestId"),
    details: { required, current, method: c.req.method },
  };
  if (required === "namespace owner") {
    return { ...base, action: "author.refuse", subject: await authorOf(c) };
  }
  const server = c.req.param("name");
  if (required === "owner" && server !== undefined) {
    return { ...base, action: "server.refuse", subject: server };
  }
  return { ...base, action: "access.refuse", subject: c.req.path };
}

/** Takes note of every 403 that a caller with a valid token gets. */
export function recordRefusals(audit: Pick<AuditServices, "refused">): MiddlewareHandler<HttpEnv> {
  return async function recordRefusals(c, next) {
    await next();
    const { error } = c;
    if (!(error instanceof AppError) || error.code !== "forbidden" || !c.get("caller")) return;
    audit.refused(await refusalOf(c, error));
  };
}
