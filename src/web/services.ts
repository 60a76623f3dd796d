/**
 * What the web application needs. `src/services/web.ts` makes it.
 *
 * @module
 */
import type { CapabilityPolicy } from "../scan/capabilities_schema.ts";
import type { Sql } from "../database/client.ts";
import type { Cards } from "../documents/cards.ts";
import type { Facts } from "../documents/facts.ts";
import type { Readmes } from "../documents/readmes.ts";
import type { ExecutionPolicy, InterpreterProfile } from "../execution/admission/runnable.ts";
import type { Sessions } from "../execution/sessions/sessions.ts";
import type { Health } from "../figures/health.ts";
import type { ArchiveObjects } from "../repository/objects.ts";
import type { RegistryAppServices } from "../http/services.ts";
import type { Attempts } from "../limits/attempts.ts";
import type { FetchedRepository, RepositoryRequest } from "../repository/fetch.ts";
import type { VisitorDeps } from "./session/visitor.ts";

/** How users sign in here; the reason where they cannot. */
export type SignInSetup =
  | { kind: "embedded" | "external" }
  /** An external provider, at which this application is not registered. */
  | { kind: "no_client"; issuer: string };

/** What administrators see of the execution side of this node. */
export interface Operations {
  live: Pick<Sessions, "list" | "endInstance">;
  usage(): Promise<{
    /** Booted sessions of no server, and sessions of servers in demand, that wait. */
    warm: number;
    spare: number;
    hosts: { pid: number; memory: number; processorMs: number }[];
  }>;
}

/** Everything that pages need. */
export interface WebServices extends VisitorDeps {
  /** The registry's use cases, as its API has them. */
  app: Omit<RegistryAppServices, "web">;
  sql: Sql;
  /** Where archives are that are not in the database; null or absent: nowhere. */
  objects?: ArchiveObjects | null;
  setup: SignInSetup;
  /** Public address of the execution listener. */
  workerUrl: string;
  /** Sends a request to the execution endpoint, for the browser at the address `client`. */
  execute: (request: Request, client: string | null) => Promise<Response>;
  /** Null on a node that runs no servers. */
  operations: Operations | null;
  /** How the parts do that this node depends on. */
  health: Pick<Health, "read">;
  /** The limits that are set, for administrators: names and values. */
  limits: readonly (readonly [string, string])[];
  /** Whether running any server takes a token. */
  needsToken: boolean;
  /** What decides whether a server runs at all. */
  rules: {
    policy: ExecutionPolicy;
    profile: InterpreterProfile;
    capabilities?: CapabilityPolicy;
  };
  /** Counts what costs. */
  attempts: Attempts;
  /** READMEs, as they are shown. */
  readmes: Pick<Readmes, "show">;
  /** Pictures for previews of links. */
  cards: Cards;
  /** Fetches a repository to look at it, and what it tells of itself. */
  inspect: (
    request: RepositoryRequest,
  ) => Promise<{ repository: FetchedRepository; facts: Facts }>;
  /** Ends the browser's session at the embedded issuer; does nothing with an external one. */
  endIssuerSession: (refreshToken: string) => Promise<void>;
}
