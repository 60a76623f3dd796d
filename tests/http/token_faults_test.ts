import { assert, assertEquals, assertMatch } from "@std/assert";
import { callLimit } from "../../src/execution/admission/clients.ts";
import { systemClock } from "../../src/execution/clock.ts";
import { bodyRoom } from "../../src/execution/transport/content.ts";
import { createTransport } from "../../src/execution/transport/transport.ts";
import { createApp } from "../../src/http/app.ts";
import { AuthenticationFailure, failureEnvelope } from "../../src/http/envelopes.ts";
import { createExecutionApp } from "../../src/http/execution_app.ts";
import { createKeySet } from "../../src/identity/key_set.ts";
import { checkToken } from "../../src/identity/tokens.ts";
import { CODES } from "../../src/protocol/json_rpc.ts";
import { silentLogger } from "../helpers/log.ts";
import { DETAILS, NOW, TOKEN_FAULTS, type TokenFault } from "../helpers/token_faults.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { stubServices } from "./stub_services.ts";

const CHALLENGE =
  /^Bearer realm="berth"(?:, error="invalid_token", error_description="[ !#-[\]-~]+")?$/;

/** The envelope and the header that `fault` must get. */
function checkFailure(fault: TokenFault, envelope: unknown, response: Response): void {
  const { error, request_id } = AuthenticationFailure.strict().parse(envelope);
  assertEquals(error.code, fault.code.toUpperCase());
  assertEquals(Object.keys(error.details).sort(), [...DETAILS[fault.code]]);
  for (const text of Object.values(error.details)) assert(text.length > 0 && text.length < 300);
  if (fault.reason) assertMatch(error.details.reason ?? "", fault.reason);
  if (fault.code === "expired_token") {
    assertEquals(new Date(error.details.expiredAt!).toISOString(), error.details.expiredAt);
    assert(new Date(error.details.expiredAt!) <= NOW);
  }
  const challenge = response.headers.get("www-authenticate") ?? "";
  if (fault.code !== "missing_token") {
    assert(challenge.includes(`error="invalid_token"`), challenge);
    assert(challenge.includes(`error_description="${error.details.reason}"`), challenge);
  } else {
    assert(!challenge.includes("error"), challenge);
  }
  assertEquals(request_id, response.headers.get("x-request-id"));
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
}

function checksOf(issuer: TokenIssuer) {
  const now = () => NOW;
  const provider = {
    findKey: createKeySet({ issuer: issuer.url, fetch, log: silentLogger() }),
    rules: { issuer: issuer.url, audiences: [issuer.audience], providerClaim: "firebase" },
  };
  return (header: string | undefined) => checkToken({ provider, now }, header);
}

function headersOf(sent: string | null): Record<string, string> {
  return sent === null ? {} : { authorization: sent };
}

Deno.test("the registry listener answers every faulty token with its failure", async (t) => {
  assert(TOKEN_FAULTS.length >= 60);
  const issuer = await startTokenIssuer();
  const stub = stubServices(issuer);
  const check = checksOf(issuer);
  async function authenticate(header: string | undefined): Promise<never> {
    await check(header);
    throw new Error("Expected a refusal");
  }
  stub.services.identity.authenticate = authenticate;
  stub.services.limits.countCaller = authenticate;
  const app = createApp(stub.services);
  try {
    for (const fault of TOKEN_FAULTS) {
      await t.step(fault.name, async () => {
        const headers = headersOf(await fault.header(issuer));
        const response = await app.request("/api/v1/auth/me", { headers });
        assertEquals(response.status, 401, await response.clone().text());
        assertEquals(response.headers.get("content-type"), "application/json");
        assertMatch(response.headers.get("www-authenticate") ?? "", CHALLENGE);
        checkFailure(fault, await response.json(), response);
      });
    }
  } finally {
    await issuer.close();
  }
});

function unused(): Promise<never> {
  return Promise.reject(new Error("Expected a refusal"));
}

Deno.test("the execution listener answers every faulty token with its failure", async (t) => {
  const issuer = await startTokenIssuer();
  const check = checksOf(issuer);
  const log = silentLogger();
  const newId = () => crypto.randomUUID();
  const transport = createTransport({
    sessions: {
      use: unused,
      listen: unused,
      end: unused,
    },
    clock: systemClock,
    calls: callLimit(1000, () => 0),
    room: bodyRoom(1000),
    authenticate: async (header) => ({ userId: (await check(header)).subject }),
    authentication: "required",
    failureOf: failureEnvelope,
    newId,
    log,
  });
  const app = createExecutionApp({
    log,
    newId,
    now: () => NOW,
    bindHost: "127.0.0.1",
    publicUrl: "http://127.0.0.1:8001",
    trustedProxies: [],
    checks: {},
    transport,
    issuer: issuer.url,
  });
  try {
    for (const fault of TOKEN_FAULTS) {
      await t.step(fault.name, async () => {
        const headers = headersOf(await fault.header(issuer));
        const body = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';
        const request = { method: "POST", headers, body };
        const response = await app.request("/mcp?name=weather", request);
        assertEquals(response.status, 401, await response.clone().text());
        const { jsonrpc, error } = await response.json();
        assertEquals([jsonrpc, error.code], ["2.0", CODES.server]);
        checkFailure(fault, error.data, response);
      });
    }
  } finally {
    await issuer.close();
  }
});
