/**
 * What every page is made with.
 *
 * @module
 */
import type { Context } from "hono";
import type { HttpEnv } from "../../http/environment.ts";
import { createLinks, type Links } from "../../http/links.ts";
import type { WebServices } from "../services.ts";
import { findVisitor, type Visitor } from "../session/visitor.ts";

/** The context of a request, as Hono has it. */
export type PageContext = Context<HttpEnv>;

export interface PageRequest {
  c: PageContext;
  visitor: Visitor;
  links: Links;
  services: WebServices;
  /** Whether a script asks for a part of the page. */
  isPart: boolean;
}

/** Answers a request for a page. */
export type PageHandler = (request: PageRequest) => Response | Promise<Response>;

/** Makes handlers for Hono. */
export type Page = (handler: PageHandler) => (c: PageContext) => Promise<Response>;

/** Handlers that know their visitor. */
export function pagesOf(services: WebServices): Page {
  const links = createLinks(services.app.publicUrl);
  return (handler) => async (c) => {
    const visitor = await findVisitor(c, services);
    const isPart = c.req.header("hx-request") === "true" &&
      c.req.header("hx-history-restore-request") !== "true";
    return await handler({ c, visitor, links, services, isPart });
  };
}
