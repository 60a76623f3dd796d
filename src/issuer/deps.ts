/**
 * What the issuer needs, and where other sign-ins and clients are put in.
 *
 * @module
 */
import type { ClientMetadata, Configuration } from "oidc-provider";
import type { Refusal } from "../audit/refusals.ts";
import type { Sql } from "../database/client.ts";
import type { Attempts } from "../limits/attempts.ts";
import type { Logger } from "../log.ts";
import type { IssuerAddress } from "./address.ts";
import type { Background } from "./background.ts";
import type { CurrentProvider } from "./library.ts";
import type { Keys } from "./keys/keys.ts";
import type { Mailer } from "./mail.ts";
import type { IssuerRoute } from "./route.ts";

/** A button on the sign-in page that leads to another provider. */
export interface UpstreamButton {
  /** In the address: `/interaction/{uid}/upstream/{id}`. */
  id: string;
  /** Name for people. */
  label: string;
}

/** Clients beyond Berth's own. */
export interface ClientSource {
  /** The client with this id, or undefined; asked when the id is not among those known here. */
  find(id: string): Promise<ClientMetadata | undefined>;
}

/** Additions to the issuer; each is optional. */
export interface IssuerExtensions {
  /** Sign-in through other providers. */
  upstream?: readonly UpstreamButton[];
  /** Pages of their own, tried before the issuer's. */
  routes?: (deps: IssuerDeps, current: CurrentProvider) => readonly IssuerRoute[];
  /** Clients beyond Berth's own. */
  clients?: ClientSource;
  /** Changes the provider's configuration, such as its features. */
  configure?: (configuration: Configuration) => Configuration;
  /** Deletes what has expired; called every few minutes. */
  sweep?: (now: Date) => Promise<void>;
}

/** What every part of the issuer shares. */
export interface IssuerDeps {
  sql: Sql;
  log: Logger;
  now: () => Date;
  newId: () => string;
  address: IssuerAddress;
  /** Address of the execution listener, whose tokens these are too. */
  workerUrl: string;
  /** Audience of access tokens. */
  audience: string;
  /** Name of the claim with `identities` and `sign_in_provider`. */
  providerClaim: string;
  keys: Keys;
  attempts: Attempts;
  /** How links reach their owners; null: no way, so nobody can sign up. */
  mailer: Mailer | null;
  /** Writes a line on the operator's terminal, past the log: it may hold a secret. */
  announce: (line: string) => void;
  /** Whether administrators are named by configuration: then none is offered. */
  adminsConfigured: boolean;
  /** Takes note of a refused sign-in for the audit log. */
  noteRefusal: (refusal: Refusal) => void;
  background: Background;
  extensions: IssuerExtensions;
}
