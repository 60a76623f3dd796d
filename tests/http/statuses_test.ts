import { assert, assertEquals, assertMatch } from "@std/assert";
import { AppError, forbidden, invalidCursor } from "../../src/errors.ts";
import { createApp } from "../../src/http/app.ts";
import { AuthenticationFailure, GeneralFailure } from "../../src/http/envelopes.ts";
import { CREATE_EXAMPLE, EVENT_EXAMPLE, SCAN_EXAMPLE } from "../../src/http/openapi/examples.ts";
import { WEBHOOK_PATH } from "../../src/http/links.ts";
import { isCounted } from "../../src/http/plumbing/rate_limit.ts";
import { MAX_WEBHOOK_BYTES } from "../../src/http/routes/payments.ts";
import type { RegistryAppServices } from "../../src/http/services.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { accountCases } from "./account_cases.ts";
import { capabilityCases } from "./capability_cases.ts";
import { invitationCases } from "./invitation_cases.ts";
import { connectionCases } from "./connection_cases.ts";
import { codeHostCases } from "./code_host_cases.ts";
import { keyCases } from "./key_cases.ts";
import { accessCases, authorCases, transferCases } from "./permission_cases.ts";
import { bodyCases, BROKEN, type Case, DOWN, endless, fail, tokenCases } from "./status_cases.ts";
import { ADMIN, OWNER, PLENTY, type Stub, stubServices } from "./stub_services.ts";

const SERVERS = "/api/v1/servers";
const SERVER = `${SERVERS}/weather`;
const ARCHIVE = `${SERVER}/archive`;
const RESCAN = `${SERVER}/rescan`;
const SCAN = `/api/v1/scans/${SCAN_EXAMPLE.id}`;
const ME = "/api/v1/auth/me";
const TOKENS = "/api/v1/auth/tokens";
const AUDIT = "/api/v1/audit";
const CALLS = "/api/v1/admin/calls";
const OPENAPI = "/api/v1/openapi.json";
const NEW = { ...CREATE_EXAMPLE, name: "new" };

function failingPayments(method: keyof RegistryAppServices["payments"], error: unknown) {
  return (stub: Stub) => {
    stub.services.payments[method] = fail(error) as never;
  };
}

function failing(method: keyof RegistryAppServices["registry"], error: unknown) {
  return (stub: Stub) => {
    stub.services.registry[method] = fail(error) as never;
  };
}

const BUSY = new AppError("rate_limited", "You already have 3 scans running or queued", {
  headers: { "Retry-After": "30" },
});

/** A caller with too many scans. */
function busyCase(
  operation: string,
  use: keyof RegistryAppServices["registry"],
  request: Pick<Case, "method" | "path" | "body">,
): Case {
  return {
    operation,
    status: 429,
    as: OWNER,
    ...request,
    arrange: failing(use, BUSY),
    check: (response) => assertEquals(response.headers.get("retry-after"), "30"),
  };
}

function changeCases(operation: string, method: string, body?: unknown): Case[] {
  const rest = operation === "rescanServer" ? "/rescan" : "";
  const base = { operation, method, as: OWNER, body };
  return [
    { ...base, status: 403, path: SERVER + rest, as: "somebody-else" },
    { ...base, status: 404, path: `${SERVERS}/nothing${rest}` },
    { ...base, status: 404, name: "no name", path: `${SERVERS}/NO_NAME${rest}` },
    {
      ...base,
      status: 409,
      path: SERVER + rest,
      arrange: failing(
        ({ updateServer: "update", deleteServer: "remove", rescanServer: "rescan" } as const)[
          operation as "updateServer"
        ],
        new AppError("conflict", "The server is being scanned"),
      ),
    },
  ];
}

function notModified(operation: string, path: string, tag: string): Case[] {
  return ["*", tag, `W/${tag}`, `"other", ${tag}`].map((value) => ({
    operation,
    status: 304,
    name: value,
    path,
    headers: { "if-none-match": value },
    check: (response, body) => {
      assertEquals(body, "");
      assertEquals(response.headers.get("etag"), tag);
    },
  }));
}

const JSON_EVENTS = { accept: "text/event-stream" };

const WEBHOOK = { operation: "receivePayment", method: "POST", path: WEBHOOK_PATH };
const PURCHASES = `${ME}/purchases`;
const SALES = `${SERVER}/sales`;
const BAD_CURSOR = failingPayments(
  "sales",
  invalidCursor("must be another"),
);

const CASES: Case[] = [
  { operation: "listServers", status: 200, path: SERVERS },
  { operation: "listServers", status: 200, name: "a bad token", path: SERVERS, as: "expired" },
  { operation: "listServers", status: 304, path: SERVERS, headers: { "if-none-match": "*" } },
  { operation: "listServers", status: 400, path: `${SERVERS}?limit=0` },
  { operation: "listServers", status: 400, name: "NUL", path: `${SERVERS}?author=%00` },
  {
    operation: "listServers",
    status: 400,
    name: "twice",
    path: `${SERVERS}?author=a&author=b&limit=1&limit=2&q=x`,
    check: (_response, body) =>
      assertEquals(JSON.parse(body).errors, [
        { path: "author", message: "must not be repeated" },
        { path: "limit", message: "must not be repeated" },
      ]),
  },
  {
    operation: "listServers",
    status: 400,
    name: "an unknown parameter",
    path: `${SERVERS}?autor=acme&size=3`,
    check: (_response, body) =>
      assertEquals(JSON.parse(body).errors, [
        { path: "autor", message: "is unknown" },
        { path: "size", message: "is unknown" },
      ]),
  },
  { operation: "listServers", status: 500, path: SERVERS, arrange: failing("list", BROKEN) },

  { operation: "getServer", status: 200, path: SERVER },
  ...notModified("getServer", SERVER, '"weather-1"'),
  { operation: "getServer", status: 200, path: SERVER, headers: { "if-none-match": '"other"' } },
  { operation: "getServer", status: 400, path: `${SERVERS}/a%00b` },
  { operation: "getServer", status: 404, path: `${SERVERS}/nothing` },
  { operation: "getServer", status: 404, name: "upper case", path: `${SERVERS}/WEATHER` },
  { operation: "getServer", status: 404, name: "bad escapes", path: `${SERVERS}/%zz%ff` },
  { operation: "getServer", status: 404, name: "a path", path: `${SERVERS}/..%2f..%2fetc` },
  { operation: "getServer", status: 500, path: SERVER, arrange: failing("get", BROKEN) },

  { operation: "getServerUsage", status: 200, path: `${SERVER}/usage` },
  { operation: "getServerUsage", status: 400, path: `${SERVERS}/a%00/usage` },
  { operation: "getServerUsage", status: 404, path: `${SERVERS}/nothing/usage` },
  {
    operation: "getServerUsage",
    status: 500,
    path: `${SERVER}/usage`,
    arrange: failing("usage", BROKEN),
  },

  {
    operation: "getServerArchive",
    status: 200,
    path: ARCHIVE,
    check: (response) => {
      assertEquals(response.headers.get("etag"), `"${"a".repeat(64)}"`);
      assertEquals(response.headers.get("content-type"), "application/gzip");
    },
  },
  ...notModified("getServerArchive", ARCHIVE, `"${"a".repeat(64)}"`),
  { operation: "getServerArchive", status: 400, path: `${SERVERS}/a%00/archive` },
  { operation: "getServerArchive", status: 404, path: `${SERVERS}/nothing/archive` },
  {
    operation: "getServerArchive",
    status: 500,
    path: ARCHIVE,
    arrange: failing("archive", BROKEN),
  },

  {
    operation: "createServer",
    status: 201,
    path: SERVERS,
    method: "POST",
    as: "u",
    body: NEW,
    check: (response) => assertEquals(response.headers.get("location"), `${SERVERS}/new`),
  },
  {
    operation: "createServer",
    status: 201,
    name: "repeated keys",
    path: SERVERS,
    method: "POST",
    as: "u",
    headers: { "content-type": "application/json; charset=UTF-8" },
    raw: JSON.stringify(NEW).replace("{", '{"name":"weather",'),
  },
  {
    operation: "createServer",
    status: 202,
    path: SERVERS,
    method: "POST",
    as: "u",
    body: NEW,
    headers: { prefer: "wait=1, Respond-Async" },
    check: (response) => {
      assertEquals(response.headers.get("location"), "/api/v1/scans/scan-1");
      assertEquals(response.headers.get("preference-applied"), "respond-async");
    },
  },
  {
    operation: "createServer",
    status: 403,
    path: SERVERS,
    method: "POST",
    as: "u",
    body: { author: "rival", nonsense: true },
    check: (_response, body) =>
      assertEquals(JSON.parse(body).error.details.required, "namespace owner"),
  },
  {
    operation: "createServer",
    status: 409,
    path: SERVERS,
    method: "POST",
    as: "u",
    body: CREATE_EXAMPLE,
  },
  ...tokenCases("createServer", "POST", SERVERS, NEW),
  ...bodyCases("createServer", "POST", SERVERS),
  busyCase("createServer", "create", { method: "POST", path: SERVERS, body: NEW }),

  {
    operation: "updateServer",
    status: 200,
    path: SERVER,
    method: "PUT",
    as: OWNER,
    body: { description: "Changed" },
    headers: { "if-match": '"weather-1"' },
  },
  {
    operation: "updateServer",
    status: 202,
    path: SERVER,
    method: "PUT",
    as: OWNER,
    body: { version: "2.0.0" },
    headers: { prefer: "respond-async" },
  },
  {
    operation: "updateServer",
    status: 200,
    name: "at once, though it need not",
    path: SERVER,
    method: "PUT",
    as: OWNER,
    body: { description: "Changed" },
    headers: { prefer: "respond-async" },
  },
  {
    operation: "updateServer",
    status: 403,
    name: "another's author",
    path: SERVER,
    method: "PUT",
    as: OWNER,
    body: { author: "rival", nonsense: true },
  },
  {
    operation: "updateServer",
    status: 412,
    path: SERVER,
    method: "PUT",
    as: OWNER,
    body: { version: "2.0.0" },
    headers: { "if-match": '"weather-0"' },
  },
  ...tokenCases("updateServer", "PUT", SERVER, {}),
  ...bodyCases("updateServer", "PUT", SERVER),
  busyCase("updateServer", "update", { method: "PUT", path: SERVER, body: {} }),
  ...changeCases("updateServer", "PUT", {}),

  { operation: "deleteServer", status: 200, path: SERVER, method: "DELETE", as: OWNER },
  {
    operation: "deleteServer",
    status: 412,
    path: SERVER,
    method: "DELETE",
    as: OWNER,
    headers: { "if-match": '"weather-0"' },
  },
  ...tokenCases("deleteServer", "DELETE", SERVER),
  ...changeCases("deleteServer", "DELETE"),

  {
    operation: "rescanServer",
    status: 202,
    path: RESCAN,
    method: "POST",
    as: OWNER,
    check: (response) => assertEquals(response.headers.get("location"), "/api/v1/scans/scan-3"),
  },
  ...tokenCases("rescanServer", "POST", RESCAN),
  busyCase("rescanServer", "rescan", { method: "POST", path: RESCAN }),
  ...changeCases("rescanServer", "POST"),

  { operation: "getScan", status: 200, path: SCAN },
  {
    operation: "getScan",
    status: 200,
    name: "as events",
    path: SCAN,
    headers: JSON_EVENTS,
    check: (response, body) => {
      assertEquals(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
      assertEquals(body.match(/^event: .*$/gm), ["event: scan", "event: end"]);
    },
  },
  { operation: "getScan", status: 400, path: "/api/v1/scans/%00" },
  { operation: "getScan", status: 404, path: "/api/v1/scans/nothing" },
  { operation: "getScan", status: 404, name: "no id", path: "/api/v1/scans/a%20b" },
  {
    operation: "getScan",
    status: 404,
    name: "events of nothing",
    path: "/api/v1/scans/nothing",
    headers: JSON_EVENTS,
  },
  { operation: "getScan", status: 500, path: SCAN, arrange: failing("scan", BROKEN) },
  {
    operation: "getScan",
    status: 200,
    name: "as SARIF",
    path: SCAN,
    headers: { accept: "application/sarif+json" },
    check(response, body) {
      assertEquals(response.headers.get("content-type"), "application/sarif+json");
      assertEquals(JSON.parse(body).version, "2.1.0");
    },
  },
  {
    operation: "getScan",
    status: 200,
    name: "as CycloneDX",
    path: SCAN,
    headers: { accept: "application/json;q=0, application/vnd.cyclonedx+json" },
    check(response, body) {
      assertEquals(response.headers.get("content-type"), "application/vnd.cyclonedx+json");
      assertEquals(JSON.parse(body).bomFormat, "CycloneDX");
    },
  },

  {
    operation: "listServerScans",
    status: 200,
    path: `${SERVER}/scans?limit=1`,
    check(response, body) {
      const next = `/api/v1/servers/weather/scans?limit=1&cursor=${SCAN_EXAMPLE.id}`;
      assertEquals(response.headers.get("link"), `<${next}>; rel="next"`);
      assertEquals(JSON.parse(body).total, 1);
    },
  },
  { operation: "listServerScans", status: 400, path: `${SERVER}/scans?limit=0` },
  { operation: "listServerScans", status: 404, path: "/api/v1/servers/nothing/scans" },
  {
    operation: "listServerScans",
    status: 500,
    path: `${SERVER}/scans`,
    arrange: failing("scans", BROKEN),
  },

  { operation: "getScanReport", status: 200, path: `${SCAN}/report` },
  {
    operation: "getScanReport",
    status: 304,
    path: `${SCAN}/report`,
    headers: { "if-none-match": "*" },
  },
  { operation: "getScanReport", status: 400, path: `${SCAN}/report?compare=a%20b` },
  { operation: "getScanReport", status: 404, path: "/api/v1/scans/nothing/report" },
  { operation: "getScanReport", status: 404, name: "no id", path: "/api/v1/scans/a%20b/report" },
  {
    operation: "getScanReport",
    status: 500,
    path: `${SCAN}/report`,
    arrange: failing("compareScan", BROKEN),
  },

  { operation: "getProfile", status: 200, path: ME, as: OWNER },
  ...tokenCases("getProfile", "GET", ME),

  {
    operation: "changeUsername",
    status: 200,
    path: ME,
    method: "PUT",
    as: "u",
    body: { username: "jane" },
  },
  {
    operation: "changeUsername",
    status: 409,
    path: ME,
    method: "PUT",
    as: "u",
    body: { username: "taken" },
    arrange: (stub) => {
      stub.services.identity.changeUsername = fail(new AppError("conflict", "It is taken"));
    },
  },
  ...tokenCases("changeUsername", "PUT", ME, { username: "jane" }),
  ...bodyCases("changeUsername", "PUT", ME),

  {
    operation: "createToken",
    status: 201,
    path: TOKENS,
    method: "POST",
    as: "u",
    body: { name: "  Build server ", expires_in: 60 },
    check: (response, body) => {
      const made = JSON.parse(body);
      assertEquals([made.token.name, made.expires_in], ["Build server", 60]);
      assertEquals(response.headers.get("location"), `${TOKENS}/${made.token.id}`);
      assertEquals(response.headers.get("cache-control"), "no-store");
    },
  },
  ...[
    { name: "" },
    { name: "   " },
    { name: "x".repeat(101) },
    { name: "a\nb" },
    { name: "a\u202eb" },
    { name: 7 },
    { name: "a", expires_in: 59 },
    { name: "a", expires_in: 3601 },
    { name: "a", expires_in: 90.5 },
    { name: "a", owner: "root" },
  ].map((body): Case => ({
    operation: "createToken",
    status: 400,
    name: JSON.stringify(body),
    path: TOKENS,
    method: "POST",
    as: "u",
    body,
  })),
  {
    operation: "createToken",
    status: 403,
    path: TOKENS,
    method: "POST",
    as: "u",
    arrange: (stub) => {
      stub.services.tokens.authorizeCreate = () => {
        throw forbidden("recent sign-in", "Sign in again");
      };
    },
  },
  {
    operation: "createToken",
    status: 409,
    path: TOKENS,
    method: "POST",
    as: "u",
    body: { name: "a" },
    arrange: (stub) => {
      stub.services.tokens.create = fail(new AppError("conflict", "Get one elsewhere"));
    },
  },
  ...tokenCases("createToken", "POST", TOKENS, { name: "a" }),
  ...bodyCases("createToken", "POST", TOKENS),

  { operation: "listTokens", status: 200, path: TOKENS, as: "u" },
  ...tokenCases("listTokens", "GET", TOKENS),

  { operation: "revokeToken", status: 200, path: `${TOKENS}/current`, method: "DELETE", as: "u" },
  { operation: "revokeToken", status: 404, path: `${TOKENS}/nothing`, method: "DELETE", as: "u" },
  ...tokenCases("revokeToken", "DELETE", `${TOKENS}/current`),

  { operation: "revokeAllTokens", status: 200, path: TOKENS, method: "DELETE", as: "u" },
  ...tokenCases("revokeAllTokens", "DELETE", TOKENS),

  { operation: "listAudit", status: 200, path: `${AUDIT}?actor=jane&limit=3`, as: ADMIN },
  ...[
    "limit=0",
    "limit=201",
    "since=yesterday",
    "until=2026-13-01T00:00:00Z",
    "action=Drop%20table",
    "actor=%00",
    "who=jane",
    "actor=a&actor=b",
  ].map((query): Case => ({
    operation: "listAudit",
    status: 400,
    name: query,
    path: `${AUDIT}?${query}`,
    as: ADMIN,
  })),
  {
    operation: "listAudit",
    status: 403,
    path: `${AUDIT}?limit=0`,
    as: OWNER,
    check: (_response, body) =>
      assertEquals(JSON.parse(body).error.details, { required: "administrator", current: "user" }),
  },
  ...tokenCases("listAudit", "GET", AUDIT),

  { operation: "getStatus", status: 200, path: "/api/v1/admin/status", as: ADMIN },
  { operation: "getStatus", status: 403, path: "/api/v1/admin/status", as: OWNER },
  ...tokenCases("getStatus", "GET", "/api/v1/admin/status"),

  {
    operation: "exportCalls",
    status: 200,
    path: `${CALLS}?after=7&since=2026-05-01T00:00:00Z&limit=2`,
    as: ADMIN,
    check: (response, body) => {
      assertEquals(response.headers.get("content-type"), "application/x-ndjson");
      const lines = body.split("\n");
      assertEquals(lines.map((line) => line && JSON.parse(line).id), ["104201", "104202", ""]);
    },
  },
  ...["after=x", "after=-1", "limit=10001", "since=now", "user=jane"].map((query): Case => ({
    operation: "exportCalls",
    status: 400,
    name: query,
    path: `${CALLS}?${query}`,
    as: ADMIN,
  })),
  { operation: "exportCalls", status: 403, path: CALLS, as: OWNER },
  ...tokenCases("exportCalls", "GET", CALLS),

  {
    operation: "listServerAudit",
    status: 200,
    path: `${SERVER}/audit?limit=1`,
    as: OWNER,
    check: (response, body) => {
      assertEquals(JSON.parse(body).next_cursor, "abc");
      assertEquals(
        response.headers.get("link"),
        `<${SERVER}/audit?limit=1&cursor=abc>; rel="next"`,
      );
    },
  },
  {
    operation: "listServerAudit",
    status: 400,
    name: "an administrator's filter",
    path: `${SERVER}/audit?actor=u`,
    as: OWNER,
  },
  {
    operation: "listServerAudit",
    status: 403,
    path: `${SERVER}/audit?actor=u`,
    as: "somebody-else",
  },
  { operation: "listServerAudit", status: 404, path: `${SERVERS}/nothing/audit`, as: "u" },
  ...tokenCases("listServerAudit", "GET", `${SERVER}/audit`),
  { ...WEBHOOK, status: 200, body: EVENT_EXAMPLE },
  { ...WEBHOOK, status: 200, name: "with a token", body: EVENT_EXAMPLE, as: "expired" },
  {
    ...WEBHOOK,
    status: 400,
    body: EVENT_EXAMPLE,
    arrange: failingPayments("receive", new AppError("invalid_request", "No valid signature")),
  },
  {
    ...WEBHOOK,
    status: 404,
    body: EVENT_EXAMPLE,
    arrange: failingPayments("receive", new AppError("not_found", "Payments are off")),
  },
  {
    ...WEBHOOK,
    status: 409,
    body: EVENT_EXAMPLE,
    arrange: failingPayments("receive", new AppError("conflict", "Other content")),
  },
  { ...WEBHOOK, status: 413, body: { x: "x".repeat(MAX_WEBHOOK_BYTES) } },
  {
    ...WEBHOOK,
    status: 413,
    name: "of unknown length",
    headers: { "content-type": "application/json" },
    raw: () => ReadableStream.from(endless(40)) as ReadableStream<Uint8Array>,
  },
  { ...WEBHOOK, status: 415, raw: "{}", headers: { "content-type": "text/plain" } },
  { ...WEBHOOK, status: 500, body: {}, arrange: failingPayments("receive", BROKEN) },
  { ...WEBHOOK, status: 503, body: {}, arrange: failingPayments("receive", DOWN) },

  {
    operation: "listPurchases",
    status: 200,
    path: `${PURCHASES}?limit=1`,
    as: "u",
    check: (response, body) => {
      assertEquals(JSON.parse(body).next_cursor, "next");
      const next = `<${PURCHASES}?limit=1&cursor=next>; rel="next"`;
      assertEquals(response.headers.get("link"), next);
    },
  },
  { operation: "listPurchases", status: 400, path: `${PURCHASES}?limit=0`, as: "u" },
  { operation: "listPurchases", status: 400, name: "unknown", path: `${PURCHASES}?a=1`, as: "u" },
  ...tokenCases("listPurchases", "GET", PURCHASES),

  { operation: "listSales", status: 200, path: SALES, as: OWNER },
  { operation: "listSales", status: 400, path: `${SALES}?cursor=`, as: OWNER, arrange: BAD_CURSOR },
  { operation: "listSales", status: 403, path: `${SALES}?limit=0`, as: "somebody-else" },
  { operation: "listSales", status: 404, path: `${SERVERS}/nothing/sales?limit=0`, as: OWNER },
  ...tokenCases("listSales", "GET", SALES),

  ...transferCases(),
  ...accessCases(),
  ...authorCases(),
  ...accountCases(),
  ...keyCases(),
  ...codeHostCases(),
  ...capabilityCases(),
  ...invitationCases(),
  ...connectionCases(),

  { operation: "describeService", status: 200, path: "/.well-known/berth" },
  { operation: "describeService", status: 400, path: "/.well-known/berth?%00" },
  { operation: "healthz", status: 200, path: "/healthz" },
  { operation: "healthz", status: 400, path: "/healthz?%00" },
  { operation: "readyz", status: 200, path: "/readyz" },
  { operation: "readyz", status: 400, path: "/readyz?%00" },
  {
    operation: "readyz",
    status: 503,
    path: "/readyz",
    arrange: (stub) => {
      stub.services.checks = { database: fail(BROKEN), disk: () => Promise.resolve() };
    },
    check: (_response, body) => assertEquals(JSON.parse(body).detail, "Not ready: database"),
  },
  { operation: "getOpenApi", status: 200, path: OPENAPI },
  { operation: "getOpenApi", status: 304, path: OPENAPI, headers: { "if-none-match": "*" } },
  { operation: "getOpenApi", status: 400, path: `${OPENAPI}?%00` },
];

/** What the limits of requests answer, on every operation that is counted. */
function limitCases(): Case[] {
  const first = new Map(CASES.toReversed().map((one) => [one.operation, one] as const));
  return [...first.values()].filter(({ path }) => isCounted(path)).flatMap((one) =>
    [
      {
        ...one,
        status: 429,
        name: "over the limit",
        arrange: (stub) => {
          const quota = { ...PLENTY, allowed: false, remaining: 0, waitSeconds: 7 };
          stub.services.limits = {
            countCaller: (authorization) =>
              stub.services.identity.authenticate(authorization)
                .then((caller) => ({
                  caller,
                  counted: { quota: { ...quota, policy: "authenticated" }, mark: null },
                })),
            countAddress: () => Promise.resolve({ quota, mark: null }),
          };
        },
        check: (response) => {
          assertEquals(response.headers.get("retry-after"), "7");
          assertMatch(
            response.headers.get("ratelimit") ?? "",
            /^"(public|authenticated)";r=0;t=7$/,
          );
        },
      },
      {
        ...one,
        status: 503,
        name: "without the database",
        arrange: (stub) => {
          const gone = fail(Object.assign(new Error("write to hunter2"), { code: "ECONNREFUSED" }));
          stub.services.limits = { countCaller: gone, countAddress: gone };
        },
        check: (response) => assertEquals(response.headers.get("retry-after"), "5"),
      },
    ] satisfies Case[]
  );
}
const ALL_CASES = [...CASES, ...limitCases()];

async function send(app: ReturnType<typeof createApp>, one: Case, issuer: TokenIssuer) {
  const headers = new Headers(one.headers);
  if (one.as !== undefined) {
    const claims = one.as === "expired" ? { exp: 1 } : { sub: one.as };
    headers.set("authorization", `Bearer ${await issuer.mint(claims)}`);
  }
  if (one.body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  const raw = typeof one.raw === "function" ? one.raw() : one.raw;
  const body = raw ?? (one.body === undefined ? undefined : JSON.stringify(one.body));
  return await app.request(one.path, {
    method: one.method ?? "GET",
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** What holds of every response. */
function checkCommon(one: Case, response: Response, body: string): void {
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  assert(response.headers.get("x-request-id"));
  assert(!body.includes("hunter2"), "Internals must not be shown");
  // A request that cannot be counted has no quota to tell of.
  const counted = isCounted(one.path.split("?")[0]!);
  if (response.status < 500) assertEquals(response.headers.has("ratelimit-policy"), counted);
  if (response.status < 400) return;
  assertEquals(response.headers.get("content-type"), "application/json");
  const envelope = [401, 403].includes(response.status) ? AuthenticationFailure : GeneralFailure;
  const failure = envelope.strict().parse(JSON.parse(body));
  assertEquals(failure.request_id, response.headers.get("x-request-id"));
}

Deno.test("createApp() answers every documented status as documented", async (t) => {
  const issuer = await startTokenIssuer();
  try {
    for (const one of ALL_CASES) {
      const name = `${one.operation} ${one.status} ${one.name ?? ""}`.trim();
      await t.step(name, async () => {
        const stub = stubServices(issuer);
        one.arrange?.(stub);
        const response = await send(createApp(stub.services), one, issuer);
        const body = await response.text();
        assertEquals(response.status, one.status, body);
        checkCommon(one, response, body);
        one.check?.(response, body);
      });
    }
  } finally {
    await issuer.close();
  }
});

Deno.test("createApp() documents no status that the cases leave out, and the reverse", async () => {
  const response = await createApp(stubServices().services).request(OPENAPI);
  const { paths } = await response.json();
  const documented = new Set<string>();
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations as object)) {
      for (const status of Object.keys(operation.responses)) {
        documented.add(`${operation.operationId} ${status}`);
      }
    }
  }
  const tested = new Set(ALL_CASES.map(({ operation, status }) => `${operation} ${status}`));
  assertEquals([...tested].sort(), [...documented].sort());
});
