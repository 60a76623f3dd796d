/**
 * What the web application needs. `src/services/web.ts` makes it.
 *
 * @module
 */
import type { Sql } from "../database/client.ts";
import type { RegistryAppServices } from "../http/services.ts";
import type { VisitorDeps } from "./session/visitor.ts";

/** How users sign in here; the reason where they cannot. */
export type SignInSetup =
  | { kind: "embedded" | "external" }
  /** An external provider, at which this application is not registered. */
  | { kind: "no_client"; issuer: string };

/** Everything that pages need. */
export interface WebServices extends VisitorDeps {
  /** The registry's use cases, as its API has them. */
  app: Omit<RegistryAppServices, "web">;
  sql: Sql;
  setup: SignInSetup;
  /** Public address of the execution listener. */
  workerUrl: string;
  /** Ends the browser's session at the embedded issuer; does nothing with an external one. */
  endIssuerSession: (refreshToken: string) => Promise<void>;
}
