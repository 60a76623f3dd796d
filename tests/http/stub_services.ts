/**
 * The registry listener's services in memory, with real token checks.
 *
 * @module
 */
import { stubAccount } from "./account_cases.ts";
import { stubCapabilities } from "./capability_cases.ts";
import { stubConnections } from "./connection_cases.ts";
import { stubCodeHosts } from "./code_host_cases.ts";
import { stubKeys } from "./key_cases.ts";
import { now } from "../../src/clock.ts";
import type { Refusal } from "../../src/audit/refusals.ts";
import {
  AUDIT_EXAMPLE,
  DETAIL_EXAMPLE,
  HISTORY_EXAMPLE,
  LISTED_EXAMPLE,
  NEW_FINDING_EXAMPLE,
  PURCHASE_EXAMPLE,
  SALE_EXAMPLE,
  SCAN_EXAMPLE,
  SERVER_AUDIT_EXAMPLE,
  TOKEN_EXAMPLE,
} from "../../src/http/openapi/examples.ts";
import { CALL_EXAMPLE, STATUS_EXAMPLE } from "../../src/http/openapi/examples_operations.ts";
import { SERVICE_EXAMPLE } from "../../src/http/service_description.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import type { RequestQuota } from "../../src/limits/requests.ts";
import type { StartedScan } from "../../src/registry/scanning/scan_job.ts";
import type { Caller } from "../../src/identity/caller.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { checkToken } from "../../src/identity/tokens.ts";
import { tokenNotFound } from "../../src/identity/failures.ts";
import { authorTaken } from "../../src/names/failures.ts";
import {
  noReport,
  notYours,
  scanNotFound,
  serverExists,
  serverNotFound,
  serverStale,
} from "../../src/registry/failures.ts";
import type { KeptReport } from "../../src/registry/scanning/scan_reports.ts";
import type { ScanView } from "../../src/registry/scanning/scan_schema.ts";
import type { ServerDetail } from "../../src/registry/schema.ts";
import { recordingLogger } from "../helpers/log.ts";
import type { TokenIssuer } from "../helpers/token_issuer.ts";
import { COLLEAGUE, stubAccess, stubAuthors, stubTransfers } from "./stub_permissions.ts";

/** Owner of the server `weather` that every stub begins with. */
export const OWNER = "owner";
/** Subject of the administrator. */
export const ADMIN = "root";

/** A scan in its second stage. */
export const SCAN: ScanView = { ...SCAN_EXAMPLE, failure: null };

/** The services and what they wrote to the log. */
export interface Stub {
  services: RegistryAppServices;
  lines: Record<string, unknown>[];
  /** What the audit log was told of. */
  refusals: Refusal[];
  servers: Map<string, { owner: string; server: ServerDetail }>;
}

function identityOf(issuer: TokenIssuer | null, log: RegistryAppServices["log"]) {
  const provider = issuer && {
    findKey: createKeySet({ issuer: issuer.url, fetch, log }),
    rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
  };
  async function authenticate(authorization: string | undefined): Promise<Caller> {
    const facts = await checkToken({ provider, now }, authorization);
    return {
      userId: facts.subject,
      username: facts.subject,
      email: facts.email,
      emailVerified: facts.emailVerified,
      signInProvider: facts.signInProvider,
      isAdmin: facts.subject === ADMIN,
      authTime: facts.authTime,
      expiresAt: facts.expiresAt,
      tokenDigest: facts.digest,
      issuedAt: facts.issuedAt,
    };
  }
  return {
    authenticate,
    changeUsername(caller: Caller, username: string) {
      return Promise.resolve({ ...caller, username });
    },
  };
}

/** A quota that is not used up. */
export const PLENTY: RequestQuota = {
  policy: "public",
  max: 100,
  windowSeconds: 3600,
  allowed: true,
  remaining: 99,
  waitSeconds: 3600,
};

/** Limits that let everything through. */
function limitsOf(stub: () => Stub): RegistryAppServices["limits"] {
  return {
    async countCaller(authorization) {
      const caller = await stub().services.identity.authenticate(authorization);
      const quota = { ...PLENTY, policy: "authenticated" as const };
      return { caller, counted: { quota, mark: null } };
    },
    countAddress: () => Promise.resolve({ quota: PLENTY, mark: null }),
  };
}

function stale(name: string, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && ifMatch !== `"${name}-1"`) {
    throw serverStale(name);
  }
}

function checkAuthor(body: unknown): void {
  if (typeof body === "object" && body !== null && "author" in body && body.author === "rival") {
    throw authorTaken("rival");
  }
}

function paymentsOf(
  found: (name: string) => { owner: string },
): RegistryAppServices["payments"] {
  return {
    async receive(request) {
      await request.body();
      return "granted";
    },
    purchases: () => Promise.resolve({ purchases: [PURCHASE_EXAMPLE], nextCursor: "next" }),
    authorizeSales: (caller, name) =>
      Promise.try(() => {
        if (![found(name).owner, ADMIN].includes(caller.userId)) throw notYours(name);
      }),
    sales: () => Promise.resolve({ totals: [], sales: [SALE_EXAMPLE], nextCursor: null }),
  };
}

function keptReport(scanId: string): KeptReport {
  if (scanId !== SCAN.id) throw noReport();
  const { security_report: report, version } = DETAIL_EXAMPLE;
  return { scanId, server: "weather", version, previous: null, report, visibility: "public" };
}

/** A scan that never ends. */
function started(scanId: string): StartedScan {
  return { scanId, done: new Promise(() => {}) };
}

/** Services with one server, `weather`. Without `issuer` there is no identity provider. */
export function stubServices(issuer: TokenIssuer | null = null): Stub {
  const { log, lines } = recordingLogger();
  const servers = new Map([["weather", { owner: OWNER, server: DETAIL_EXAMPLE }]]);

  function found(name: string) {
    const entry = servers.get(name);
    if (entry === undefined) throw serverNotFound(name);
    return entry;
  }

  const registry: RegistryAppServices["registry"] = {
    viewer: (viewer) => Promise.resolve(viewer),
    list() {
      return Promise.resolve({
        servers: [LISTED_EXAMPLE],
        nextCursor: null,
        previousCursor: null,
        totalMatching: 1,
      });
    },
    correct: () => Promise.resolve(null),
    usage(name) {
      return Promise.try(() => {
        found(name);
        return { total: 0, days: [] };
      });
    },
    get(name) {
      return Promise.try(() => ({ server: found(name).server, etag: `"${name}-1"` }));
    },
    archive(name) {
      return Promise.try(() => {
        found(name);
        return { bytes: new Uint8Array([1, 2, 3]), sha256: "a".repeat(64), visibility: "public" };
      });
    },
    authorizeCreate(_caller, body) {
      return Promise.try(() => checkAuthor(body));
    },
    authorizeChange(caller, name, body) {
      return Promise.try(() => {
        const may = [found(name).owner, COLLEAGUE, ADMIN];
        if (!may.includes(caller.userId)) {
          throw notYours("weather");
        }
        checkAuthor(body);
      });
    },
    create(caller, input) {
      return Promise.try(() => {
        if (servers.has(input.name)) {
          throw serverExists(input.name);
        }
        const server = { ...DETAIL_EXAMPLE, name: input.name };
        servers.set(input.name, { owner: caller.userId, server });
        return server;
      });
    },
    startCreate: () => Promise.resolve(started("scan-1")),
    update(_caller, name, _input, { ifMatch }) {
      return Promise.try(() => {
        stale(name, ifMatch);
        return found(name).server;
      });
    },
    startUpdate(_caller, name, input) {
      return Promise.try(() =>
        input.version === undefined
          ? { kind: "changed", server: found(name).server }
          : { kind: "scanning", ...started("scan-2") }
      );
    },
    remove(_caller, name, { ifMatch }) {
      return Promise.try(() => {
        stale(name, ifMatch);
        servers.delete(name);
      });
    },
    rescan: () => Promise.resolve(started("scan-3")),
    scan(id) {
      return id === SCAN.id ? Promise.resolve(SCAN) : Promise.reject(scanNotFound());
    },
    scans(name) {
      return Promise.try(() => {
        found(name);
        return { scans: [HISTORY_EXAMPLE], nextCursor: HISTORY_EXAMPLE.id };
      });
    },
    scanReport: (id) => Promise.try(() => keptReport(id)),
    compareScan: (id) =>
      Promise.try(() => ({
        kept: keptReport(id),
        with: null,
        comparison: { new: [NEW_FINDING_EXAMPLE], fixed: [], unchanged: 0 },
      })),
    async *watchScan() {
      yield SCAN;
      const ended: ScanView = { ...SCAN, state: "stored" };
      yield await Promise.resolve(ended);
    },
    ...stubCapabilities(),
    changedSince: () => Promise.resolve(null),
    ownedServers(userId) {
      return Promise.resolve(
        [...servers].filter(([, { owner }]) => owner === userId).map(([name]) => name),
      );
    },
  };

  const refusals: Refusal[] = [];
  const tokens: RegistryAppServices["tokens"] = {
    authorizeCreate() {},
    create(_caller, { name, expires_in }) {
      const token = { ...TOKEN_EXAMPLE, name };
      return Promise.resolve({ token, accessToken: "a.b.c", expiresIn: expires_in });
    },
    register: (_caller, { name, accessToken }) =>
      Promise.resolve({ token: { ...TOKEN_EXAMPLE, name }, accessToken, expiresIn: 3600 }),
    list: () => Promise.resolve([TOKEN_EXAMPLE]),
    revoke(_caller, id) {
      return id === "current" || id === TOKEN_EXAMPLE.id
        ? Promise.resolve()
        : Promise.reject(tokenNotFound());
    },
    revokeAll: () => Promise.resolve(),
  };
  const audit: RegistryAppServices["audit"] = {
    list: () => Promise.resolve({ entries: [AUDIT_EXAMPLE], nextCursor: null }),
    listOfServer: () => Promise.resolve({ entries: [SERVER_AUDIT_EXAMPLE], nextCursor: "abc" }),
    refused: (refusal) => void refusals.push(refusal),
  };

  const stub: Stub = {
    lines,
    refusals,
    servers,
    services: {
      log,
      now,
      newId: () => crypto.randomUUID(),
      bindHost: "127.0.0.1",
      publicUrl: "http://127.0.0.1:8000",
      trustedProxies: [],
      identity: identityOf(issuer, log),
      limits: limitsOf(() => stub),
      registry,
      tokens,
      audit,
      operations: {
        status: () => Promise.resolve(STATUS_EXAMPLE),
        calls: () => Promise.resolve([CALL_EXAMPLE, { ...CALL_EXAMPLE, id: "104202" }]),
      },
      issuer: null,
      inviteUser: (_actor, email) =>
        Promise.resolve({
          email,
          url: "http://127.0.0.1:8000/oidc/invitation?token=4nVx0pGq",
          expires_at: "2026-05-08T12:00:00.000Z",
        }),
      transfers: stubTransfers(OWNER, ADMIN),
      access: stubAccess(OWNER, ADMIN),
      authors: stubAuthors(OWNER, ADMIN),
      readPolicy: "public",
      payments: paymentsOf(found),
      keys: stubKeys(),
      codeHosts: stubCodeHosts(),
      connections: stubConnections(OWNER, ADMIN),
      account: stubAccount(),
      description: SERVICE_EXAMPLE,
      checks: { database: () => Promise.resolve() },
    },
  };
  return stub;
}
