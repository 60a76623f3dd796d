/**
 * Swagger UI, which only the page that sends requests loads.
 *
 * @module
 */
import type { Hono } from "hono";
import swaggerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "text" };
import swagger from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import type { HttpEnv } from "../../http/environment.ts";
import ownStyle from "../assets/try-api.css" with { type: "text" };
import ownScript from "../assets/try-api.js" with { type: "text" };
import { addAsset, asset } from "../layout/assets.ts";

/** What the page loads, by addresses that hold a digest. */
export const COMPONENT = {
  swaggerStyle: asset("swagger-ui", "css", swaggerStyle),
  style: asset("try-api", "css", ownStyle),
  swagger: asset("swagger-ui", "js", swagger),
  script: asset("try-api", "js", ownScript),
} as const;

/** Adds the component's files. */
export function addComponent(app: Hono<HttpEnv>): void {
  for (const one of Object.values(COMPONENT)) addAsset(app, one);
}
