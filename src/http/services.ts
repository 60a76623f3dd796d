/**
 * What the registry listener needs of the features, as plain functions with their dependencies
 * bound. `src/services.ts` makes the real ones.
 *
 * @module
 */
import type { HttpMetrics } from "./plumbing/count_requests.ts";
import type { Context, Hono } from "hono";
import type {
  AuditEntry,
  AuditPage,
  AuditQuery,
  ServerAuditEntry,
  ServerAuditQuery,
} from "../audit/schema.ts";
import type { AppError } from "../errors.ts";
import type { Refusal } from "../audit/refusals.ts";
import type { MadeToken } from "../identity/api_tokens/create.ts";
import type { ApiToken, CreateToken } from "../identity/api_tokens/schema.ts";
import type { Caller } from "../identity/caller.ts";
import type { IssuerRequest } from "../issuer/request.ts";
import type { Logger } from "../log.ts";
import type { Sales } from "../payments/list.ts";
import type { WebhookRequest } from "../payments/provider.ts";
import type { Outcome, PageQuery, Purchase } from "../payments/schema.ts";
import type { ServerPage } from "../registry/servers/list.ts";
import type { ListQuery, ServerDetail } from "../registry/schema.ts";
import type { CreateServer, UpdateServer } from "../registry/schema.ts";
import type { KeptReport } from "../registry/scanning/scan_reports.ts";
import type { HistoryEntry, HistoryQuery, ScanView } from "../registry/scanning/scan_schema.ts";
import type { Comparison } from "../scan/compare.ts";
import type { ChangeContext, RequestContext } from "../request.ts";
import type { HttpEnv } from "./environment.ts";
import type { AuthorServices, TransferServices } from "./permission_services.ts";
import type { ServiceDescription } from "./service_description.ts";

/** A scan that goes on after the response. */
export interface StartedScan {
  scanId: string;
}

/** The registry's use cases. They throw `AppError` for every refusal. */
export interface RegistryServices {
  list(
    query: ListQuery,
  ): Promise<ServerPage>;
  get(name: string): Promise<{ server: ServerDetail; etag: string }>;
  archive(name: string): Promise<{ bytes: Uint8Array; sha256: string }>;
  /** Throws `forbidden` when the author that `body` (any JSON) names is another user's. */
  authorizeCreate(caller: Caller, body: unknown): Promise<void>;
  /**
   * Throws `not_found` or `forbidden` when `caller` may not change the server, or not to the author
   * that `body` (any JSON) names.
   */
  authorizeChange(caller: Caller, name: string, body?: unknown): Promise<void>;
  create(caller: Caller, input: CreateServer, context: RequestContext): Promise<ServerDetail>;
  startCreate(caller: Caller, input: CreateServer, context: RequestContext): Promise<StartedScan>;
  update(
    caller: Caller,
    name: string,
    input: UpdateServer,
    context: ChangeContext,
  ): Promise<ServerDetail>;
  /** A change that needs no scan is done when this returns. */
  startUpdate(
    caller: Caller,
    name: string,
    input: UpdateServer,
    context: ChangeContext,
  ): Promise<({ kind: "scanning" } & StartedScan) | { kind: "changed"; server: ServerDetail }>;
  remove(caller: Caller, name: string, context: ChangeContext): Promise<void>;
  rescan(caller: Caller, name: string, context: RequestContext): Promise<StartedScan>;
  scan(id: string, caller: Caller | null): Promise<ScanView>;
  scans(
    name: string,
    query: HistoryQuery,
  ): Promise<{ scans: HistoryEntry[]; nextCursor: string | null }>;
  scanReport(id: string, caller: Caller | null): Promise<KeptReport>;
  compareScan(
    id: string,
    caller: Caller | null,
    against?: string,
  ): Promise<{ kept: KeptReport; with: string | null; comparison: Comparison }>;
  /** Every state of the scan from now on, the last one last. Ends when `signal` aborts. */
  watchScan(id: string, caller: Caller | null, signal: AbortSignal): AsyncIterable<ScanView>;
  /** Names of the servers that `userId` owns, in order. */
  ownedServers(userId: string): Promise<string[]>;
}

/** Who calls. */
export interface IdentityServices {
  /** The caller that an `Authorization` header names; throws `AppError` (401, 503). */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Gives the caller another username; throws `conflict`. */
  changeUsername(caller: Caller, username: string, context: RequestContext): Promise<Caller>;
}

/** What is left of a limit once a request has been counted. */
export interface Quota {
  /** Which limit: that of an address, or that of a user. */
  policy: "public" | "authenticated";
  max: number;
  windowSeconds: number;
  /** Whether the request is within the limit; what is not, was not counted. */
  allowed: boolean;
  remaining: number;
  /** Seconds until one more than now may be sent. */
  waitSeconds: number;
}

/** Counts requests, of all nodes together. */
export interface LimitServices {
  /** Authenticates and counts for the caller; throws as {@link IdentityServices.authenticate}. */
  countCaller(authorization: string): Promise<{ caller: Caller; quota: Quota }>;
  /** Counts for an address; null where the listener does not tell, which counts as one more. */
  countAddress(address: string | null): Promise<Quota>;
}

/** API tokens of the caller. */
export interface TokenServices {
  /** Throws `forbidden` when the caller may make none. */
  authorizeCreate(caller: Caller): void;
  /** Throws `conflict` where tokens come from elsewhere, and beyond the limit. */
  create(caller: Caller, input: CreateToken, context: RequestContext): Promise<MadeToken>;
  /** Lists a token that another provider issued for the caller; throws `conflict` as `create` does. */
  register(
    caller: Caller,
    input: { name: string; accessToken: string },
    context: RequestContext,
  ): Promise<MadeToken>;
  list(caller: Caller): Promise<ApiToken[]>;
  /** Revokes a token by its id, or the one of the request (`current`); throws `not_found`. */
  revoke(caller: Caller, id: string, context: RequestContext): Promise<void>;
  /** Refuses every token of the caller that was issued until now. */
  revokeAll(caller: Caller, context: RequestContext): Promise<void>;
}

/** The audit log. */
export interface AuditServices {
  /** A page of all entries; throws `invalid_request` for a cursor of another list. */
  list(query: AuditQuery): Promise<AuditPage<AuditEntry>>;
  /** A page of what concerns a server that the caller may change; throws as a change does. */
  listOfServer(
    caller: Caller,
    name: string,
    query: ServerAuditQuery,
  ): Promise<AuditPage<ServerAuditEntry>>;
  /** Takes note of a request that was refused by a policy. Bounded; never throws. */
  refused(refusal: Refusal): void;
}

/** The embedded issuer. */
export interface IssuerServices {
  /** Largest request body, in bytes. */
  maxBodyBytes: number;
  /** Answers a request below `/oidc`. */
  handle(request: IssuerRequest): Promise<Response>;
}

/** What payment providers tell, and what buyers and sellers see of it. */
export interface PaymentsServices {
  /** Takes a provider's notification; throws `not_found` while payments are off. */
  receive(request: WebhookRequest, context: RequestContext): Promise<Outcome>;
  purchases(
    caller: Caller,
    query: PageQuery,
  ): Promise<{ purchases: Purchase[]; nextCursor: string | null }>;
  /** Throws `not_found` or `forbidden` when `caller` may not see what the server brings. */
  authorizeSales(caller: Caller, name: string): Promise<void>;
  sales(caller: Caller, name: string, query: PageQuery): Promise<Sales>;
}

/** The pages. */
export interface WebApplication {
  /** Adds the pages. */
  install(app: Hono<HttpEnv>): void;
  /** The page that tells of a failure; null where the request is a program's. */
  failurePage(error: AppError, c: Context<HttpEnv>): Promise<Response> | null;
}

/** Everything that the registry listener needs. */
export interface RegistryAppServices {
  log: Logger;
  now: () => Date;
  newId: () => string;
  /** Address that the listener binds. */
  bindHost: string;
  /** Public address of the listener, without a trailing slash. */
  publicUrl: string;
  /** Addresses and blocks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Where requests are counted. */
  metrics?: HttpMetrics;
  identity: IdentityServices;
  limits: LimitServices;
  registry: RegistryServices;
  tokens: TokenServices;
  audit: AuditServices;
  /** The embedded issuer; null where another identity provider is configured. */
  issuer: IssuerServices | null;
  transfers: TransferServices;
  authors: AuthorServices;
  payments: PaymentsServices;
  /** What clients need to know of this service. */
  description: ServiceDescription;
  /** Absent on a registry without pages. */
  web?: WebApplication;
  /** What must work for this node to be ready, by name; a check throws when it does not. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  /** Aborts when the process shuts down: event streams end then. */
  closing?: AbortSignal;
}
