/**
 * Sign-in through other providers, as an addition to the issuer.
 *
 * @module
 */
import type { UpstreamSettings } from "../../provider_settings.ts";
import type { Sql } from "../../database/client.ts";
import type { IssuerExtensions } from "../deps.ts";
import { gitHubUpstream } from "./github.ts";
import { openIdUpstream, type UpstreamDeps } from "./openid.ts";
import { upstreamRoutes } from "./routes.ts";
import { sweepSignIns } from "./sign_ins.ts";

/** A button and the routes for each of `settings`. */
export function upstreamExtension(
  deps: UpstreamDeps & { sql: Sql },
  settings: readonly UpstreamSettings[],
): Required<Pick<IssuerExtensions, "upstream" | "routes" | "sweep">> {
  const providers = settings.map((one) =>
    one.issuer === "github" ? gitHubUpstream(deps.fetch, one) : openIdUpstream(deps, one)
  );
  return {
    upstream: providers.map(({ name, label }) => ({ id: name, label })),
    routes: (issuer, current) => upstreamRoutes(issuer, current, providers),
    sweep: (now) => sweepSignIns(deps.sql, now),
  };
}
