/**
 * Icons of servers, by the digest of the image.
 *
 * @module
 */
import { findIcon } from "../../documents/icons.ts";
import { iconNotFound } from "../failures.ts";
import type { PageContext } from "../layout/context.ts";
import type { WebServices } from "../services.ts";

/** Answers with the image, which is the same for good. @throws {AppError} `not_found`. */
export function showIcon({ sql }: Pick<WebServices, "sql">) {
  return async (c: PageContext): Promise<Response> => {
    const png = await findIcon(sql, c.req.param("digest") ?? "");
    if (png === null) throw iconNotFound();
    return c.body(new Uint8Array(png), 200, {
      "Content-Type": "image/png",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  };
}
