/**
 * What the registry listener needs of the features: their use cases with their dependencies bound,
 * which throw `AppError` for every refusal. `src/services.ts` makes the real ones.
 *
 * @module
 */
import type { deleteAccount } from "../account/delete.ts";
import type { exportAccount } from "../account/export.ts";
import type { previewDeletion } from "../account/preview.ts";
import type { Context, Hono } from "hono";
import type { exportCalls } from "../audit/calls/export.ts";
import type { listAudit, listServerAudit } from "../audit/list.ts";
import type { Refusal } from "../audit/refusals.ts";
import type { ServerAuditQuery } from "../audit/schema.ts";
import type { Bound } from "../bound.ts";
import type { AddressHost } from "../code_host_settings.ts";
import type { beginConnection } from "../connections/begin.ts";
import type { clientDocument } from "../connections/document.ts";
import type { finishConnection } from "../connections/finish.ts";
import type { removeClient, showClient, storeClient } from "../connections/owner_clients.ts";
import type { showConnectable } from "../connections/terms.ts";
import type { AppError } from "../errors.ts";
import type { authorizeToken, createToken, listToken } from "../identity/api_tokens/create.ts";
import type { listTokens } from "../identity/api_tokens/list.ts";
import type { revokeAllTokens, revokeToken } from "../identity/api_tokens/revoke.ts";
import type { Caller } from "../identity/caller.ts";
import type { renameUser } from "../identity/rename.ts";
import type { NodeStatus } from "../figures/status.ts";
import type { Issuer } from "../issuer/issuer.ts";
import type { IssuerRequest } from "../issuer/request.ts";
import type { agreeToServer } from "../keys/agree.ts";
import type { keepValue } from "../keys/keep.ts";
import type { listKeys, listServerKeys } from "../keys/list.ts";
import type { findTermsDigest } from "../keys/shown_terms.ts";
import type { removeValues } from "../keys/remove.ts";
import type { CountedRequest } from "../limits/requests.ts";
import type { listPurchases, listSales } from "../payments/list.ts";
import type { receiveNotification } from "../payments/receive.ts";
import type { ViewerReader } from "../access/public_view.ts";
import type { addReader, removeReader, showAccess } from "../registry/access/readers.ts";
import type { answerCapabilities } from "../registry/capabilities/answer.ts";
import type { countWaiting, listCapabilities } from "../registry/capabilities/list.ts";
import type {
  authorizeChange,
  authorizeCreate,
  authorizeOwner,
} from "../registry/ownership/access.ts";
import type {
  answerInvitation,
  inviteOwner,
  listAuthors,
  listOwners,
  removeOwner,
} from "../registry/ownership/owners.ts";
import type {
  acceptOffer,
  cancelOffer,
  declineOffer,
  listTransfers,
  offerServer,
} from "../registry/ownership/transfer.ts";
import type { rescanServer } from "../registry/scanning/rescan.ts";
import type { compareScan, getScanReport, listScans } from "../registry/scanning/scan_history.ts";
import type { getScan, watchScan } from "../registry/scanning/scan_watch.ts";
import type { changedSince } from "../registry/servers/catalogue.ts";
import type { correctQuestion } from "../registry/servers/correct.ts";
import type { createServer, startCreate } from "../registry/servers/create.ts";
import type { getArchive, getServer, ownedServers } from "../registry/servers/get.ts";
import type { listServers } from "../registry/servers/list.ts";
import type { removeServer } from "../registry/servers/remove.ts";
import type { startUpdate, updateServer } from "../registry/servers/update.ts";
import type { getUsage } from "../registry/usage/history.ts";
import type { AccountCode } from "../repository/app/right.ts";
import type { keepHostToken, removeHostToken } from "../repository/tokens/keep.ts";
import type { listHostTokens } from "../repository/tokens/list.ts";
import type { HttpEnv } from "./environment.ts";
import type { ListenerServices } from "./plumbing/install_plumbing.ts";
import type { ServiceDescription } from "./service_description.ts";

/** Records and their scans. */
export interface RegistryServices {
  /** As whom a list is read: null for those who see what everybody sees. */
  viewer: ViewerReader;
  list: Bound<typeof listServers>;
  correct: Bound<typeof correctQuestion>;
  get: Bound<typeof getServer>;
  archive: Bound<typeof getArchive>;
  authorizeCreate: Bound<typeof authorizeCreate>;
  authorizeChange: Bound<typeof authorizeChange>;
  create: Bound<typeof createServer>;
  startCreate: Bound<typeof startCreate>;
  update: Bound<typeof updateServer>;
  startUpdate: Bound<typeof startUpdate>;
  remove: Bound<typeof removeServer>;
  rescan: Bound<typeof rescanServer>;
  scan: Bound<typeof getScan>;
  scans: Bound<typeof listScans>;
  scanReport: Bound<typeof getScanReport>;
  compareScan: Bound<typeof compareScan>;
  watchScan: Bound<typeof watchScan>;
  ownedServers: Bound<typeof ownedServers>;
  usage: Bound<typeof getUsage>;
  changedSince: Bound<typeof changedSince>;
  capabilityCases: Bound<typeof listCapabilities>;
  countWaiting: Bound<typeof countWaiting>;
  answerCapabilities: Bound<typeof answerCapabilities>;
}

/** Offers of servers to other users. */
export interface TransferServices {
  authorizeOffer: Bound<typeof authorizeOwner>;
  offer: Bound<typeof offerServer>;
  list: Bound<typeof listTransfers>;
  cancel: Bound<typeof cancelOffer>;
  accept: Bound<typeof acceptOffer>;
  decline: Bound<typeof declineOffer>;
}

/** Who may read a server. */
export interface AccessServices {
  show: Bound<typeof showAccess>;
  add: Bound<typeof addReader>;
  remove: Bound<typeof removeReader>;
}

/** Author names and their owners. */
export interface AuthorServices {
  list: Bound<typeof listAuthors>;
  owners: Bound<typeof listOwners>;
  invite: Bound<typeof inviteOwner>;
  answer: Bound<typeof answerInvitation>;
  remove: Bound<typeof removeOwner>;
}

export interface IdentityServices {
  /** The caller that an `Authorization` header names; throws `AppError` (401, 503). */
  authenticate(authorization: string | undefined): Promise<Caller>;
  changeUsername: Bound<typeof renameUser>;
}

/** Counts requests, of all nodes together. */
export interface LimitServices {
  /** Authenticates and counts for the caller; throws as {@link IdentityServices.authenticate}. */
  countCaller(authorization: string): Promise<{ caller: Caller; counted: CountedRequest }>;
  /** Counts for an address; null where the listener does not tell, which counts as one more. */
  countAddress(address: string | null): Promise<CountedRequest>;
}

/** API tokens of the caller. */
export interface TokenServices {
  authorizeCreate: Bound<typeof authorizeToken>;
  create: Bound<typeof createToken>;
  /** Lists a token that another provider issued for the caller. */
  register: Bound<typeof listToken>;
  list: Bound<typeof listTokens>;
  revoke: Bound<typeof revokeToken>;
  revokeAll: Bound<typeof revokeAllTokens>;
}

export interface AuditServices {
  list: Bound<typeof listAudit>;
  /** A page of what concerns a server that the caller may change; throws as a change does. */
  listOfServer(
    caller: Caller,
    name: string,
    query: ServerAuditQuery,
  ): ReturnType<typeof listServerAudit>;
  /** Takes note of a request that was refused by a policy. Bounded; never throws. */
  refused(refusal: Refusal): void;
}

/** What operators ask of the installation. */
export interface OperationsServices {
  /** How this node does. */
  status(): Promise<NodeStatus>;
  calls: Bound<typeof exportCalls>;
}

export interface IssuerServices {
  /** Largest request body, in bytes. */
  maxBodyBytes: number;
  /** Answers a request below `/oidc`. */
  handle(request: IssuerRequest): Promise<Response>;
}

/** The caller's account as a whole. */
export interface AccountServices {
  export: Bound<typeof exportAccount>;
  preview: Bound<typeof previewDeletion>;
  delete: Bound<typeof deleteAccount>;
}

/** Values that are kept for sessions. */
export interface KeysServices {
  /** Whether the operator keeps any. */
  isKept: boolean;
  list: Bound<typeof listKeys>;
  listOfServer: Bound<typeof listServerKeys>;
  terms: Bound<typeof findTermsDigest>;
  keep: Bound<typeof keepValue>;
  remove: Bound<typeof removeValues>;
  agree: Bound<typeof agreeToServer>;
}

/** Code hosts, and users' tokens for them. */
export interface CodeHostServices {
  /** With whether the operator's GitHub App reads there. */
  hosts: readonly (AddressHost & { app: boolean })[];
  /** By which repositories name an account. */
  codeOf: AccountCode;
  /** Whether the operator keeps tokens. */
  isKept: boolean;
  list: Bound<typeof listHostTokens>;
  keep: Bound<typeof keepHostToken>;
  remove: Bound<typeof removeHostToken>;
}

/** Sign-ins at other services, whose tokens sessions get. */
export interface ConnectionsServices {
  show: Bound<typeof showConnectable>;
  begin: Bound<typeof beginConnection>;
  finish: Bound<typeof finishConnection>;
  client: Bound<typeof showClient>;
  storeClient: Bound<typeof storeClient>;
  removeClient: Bound<typeof removeClient>;
  /** What Berth says of itself to services. */
  document: Bound<typeof clientDocument>;
}

/** What payment providers tell, and what buyers and sellers see of it. */
export interface PaymentsServices {
  receive: Bound<typeof receiveNotification>;
  purchases: Bound<typeof listPurchases>;
  authorizeSales: Bound<typeof authorizeOwner>;
  sales: Bound<typeof listSales>;
}

/** What comes of asking who looks at a page that only users may see. */
export type SignInFirst =
  | { kind: "signed_in" }
  | { kind: "page"; response: Response }
  /** To be answered as every request of a program. */
  | { kind: "program" };

export interface WebApplication {
  /** Adds the pages. */
  install(app: Hono<HttpEnv>): void;
  /** Whether somebody is signed in; else what is answered first. */
  signInFirst(c: Context<HttpEnv>): Promise<SignInFirst>;
  /** The page that tells of a failure; null where the request is a program's. */
  failurePage(error: AppError, c: Context<HttpEnv>): Promise<Response> | null;
}

export interface RegistryAppServices extends ListenerServices {
  identity: IdentityServices;
  limits: LimitServices;
  registry: RegistryServices;
  tokens: TokenServices;
  audit: AuditServices;
  operations: OperationsServices;
  /** The embedded issuer; null where another identity provider is configured. */
  issuer: IssuerServices | null;
  /** Makes a link that makes an account. */
  inviteUser: Issuer["invite"];
  transfers: TransferServices;
  access: AccessServices;
  authors: AuthorServices;
  account: AccountServices;
  payments: PaymentsServices;
  keys: KeysServices;
  codeHosts: CodeHostServices;
  connections: ConnectionsServices;
  /** Who may read anything here at all (`READ_POLICY`). */
  readPolicy: "public" | "signed-in";
  /** What clients need to know of this service. */
  description: ServiceDescription;
  /** Absent on a registry without pages. */
  web?: WebApplication;
  /** What must work for this node to be ready, by name; a check throws when it does not. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  /** Aborts when the process shuts down: event streams end then. */
  closing?: AbortSignal;
}
