/**
 * Every route of the execution listener.
 *
 * @module
 */
import type { Gate } from "../execution/nodes/gate.ts";
import { NODE_PATH } from "../execution/nodes/passport.ts";
import type { Transport } from "../execution/transport/transport.ts";
import type { Route } from "./operation.ts";
import type { ListenerServices } from "./plumbing/install_plumbing.ts";
import { alive, type Checks, ready } from "./routes/health.ts";
import { mcpEndpoint, nodeEndpoint } from "./routes/mcp.ts";
import { RESOURCE_METADATA_PATH, resourceMetadata } from "./routes/protected_resource.ts";

export interface ExecutionAppServices extends ListenerServices {
  /** What must work for this node to be ready, by name; a check throws when it does not. */
  checks: Checks;
  transport: Transport;
  /** Lets in what other nodes forward; absent where there are none. */
  gate?: Gate | undefined;
  /** Issuer of the tokens that count here; null without one. */
  issuer: string | null;
}

export function executionRoutes(services: ExecutionAppServices): readonly Route[] {
  const { issuer, gate } = services;
  return [
    ["all", "/mcp", mcpEndpoint(services)],
    ...issuer === null ? [] : [
      // At the root, and with the resource's path inserted (section 3.1): clients try either.
      ["get", RESOURCE_METADATA_PATH, resourceMetadata(services, issuer)],
      ["get", `${RESOURCE_METADATA_PATH}/mcp`, resourceMetadata(services, issuer)],
    ] satisfies Route[],
    ...gate === undefined
      ? []
      : [["all", NODE_PATH, nodeEndpoint(services, gate)]] satisfies Route[],
    ["get", "/healthz", alive()],
    ["get", "/readyz", ready(services.checks)],
  ];
}
