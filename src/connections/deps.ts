/**
 * What connections need: sign-ins at other services, whose tokens sessions of servers get.
 *
 * @module
 */
import type { KeysDeps } from "../keys/deps.ts";
import type { Attempts } from "../limits/attempts.ts";
import type { Logger } from "../log.ts";
import type { FindMetadata } from "./metadata.ts";
import type { AskService } from "./request.ts";

/** A client of the operator's at a service, for servers of all owners. */
export interface OperatorClient {
  /** {@link serviceId} of the service. */
  service: string;
  clientId: string;
  clientSecret: string | null;
  /** Where its tokens may be sent: servers that declare other hosts do not get any. */
  hosts: readonly string[];
  /** What servers may ask for; null: anything. */
  scopes: readonly string[] | null;
}

export interface ConnectionsDeps extends KeysDeps {
  log: Logger;
  ask: AskService;
  metadata: FindMetadata;
  attempts: Attempts;
  operatorClients: readonly OperatorClient[];
  /** Public address of the registry, without a trailing slash. */
  publicUrl: string;
  /** Under `signed-in` services can read nothing here. */
  readPolicy?: "public" | "signed-in";
  sleep: (ms: number) => Promise<void>;
}
