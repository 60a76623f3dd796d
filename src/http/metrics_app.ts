/**
 * The metrics listener's application: figures for Prometheus, on a port of their own.
 *
 * @module
 */
import { Hono } from "hono";
import { type Family, metricsText } from "../metrics.ts";
import type { HttpEnv } from "./environment.ts";
import { refuseOtherMethods } from "./plumbing/methods.ts";
import { installPlumbing, type PlumbingOptions } from "./plumbing/install_plumbing.ts";

export interface MetricsAppOptions
  extends Pick<PlumbingOptions, "log" | "now" | "newId" | "bindHost" | "publicUrl"> {
  /** The figures of now. */
  read: () => Family[] | Promise<Family[]>;
}

const FORMAT = "text/plain; version=0.0.4; charset=utf-8";

/** The application: `GET /metrics`. Pages of other origins may not read it. */
export function createMetricsApp(options: MetricsAppOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  installPlumbing(app, { ...options, cors: null, trustedProxies: [] });
  app.get("/metrics", async (c) => {
    return c.body(metricsText(await options.read()), 200, { "Content-Type": FORMAT });
  });
  refuseOtherMethods(app);
  return app;
}
