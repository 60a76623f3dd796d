/**
 * Icons of servers, by the digest of the image, and the marks of those without.
 *
 * @module
 */
import { findIcon } from "../../documents/icons.ts";
import { ServerName } from "../../registry/schema.ts";
import { PRIVATE } from "../../http/preconditions.ts";
import { iconNotFound } from "../failures.ts";
import type { PageContext } from "../layout/context.ts";
import { markSvg } from "../layout/mark.tsx";
import type { WebServices } from "../services.ts";
import { findVisitor, type VisitorDeps } from "../session/visitor.ts";

/** Answers with the mark of a server's name. @throws {AppError} `not_found`. */
export async function showMark(c: PageContext): Promise<Response> {
  const name = ServerName.safeParse(c.req.param("name"));
  if (!name.success) throw iconNotFound();
  return await c.body(markSvg(name.data), 200, {
    "Content-Type": "image/svg+xml",
    "Cache-Control": "public, max-age=86400",
  });
}

/** Answers with the image, which is the same for good, where a server has it that the visitor may read. @throws {AppError} `not_found`. */
export function showIcon(services: Pick<WebServices, "sql" | keyof VisitorDeps>) {
  return async (c: PageContext): Promise<Response> => {
    const { caller } = await findVisitor(c, services);
    const icon = await findIcon(services.sql, c.req.param("digest") ?? "", caller);
    if (icon === null) throw iconNotFound();
    return c.body(new Uint8Array(icon.png), 200, {
      "Content-Type": "image/png",
      "Cache-Control": icon.isPublic ? "public, max-age=31536000, immutable" : PRIVATE,
      "Vary": "Cookie",
    });
  };
}
