/**
 * The security cases that every protected route has to pass.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";
import type { TokenIssuer } from "./token_issuer.ts";

/** A route that needs a token. */
export interface ProtectedRoute {
  /** Operation of the API description. */
  operation: string;
  method: string;
  path: string;
  /** JSON body of a request that succeeds. */
  body?: unknown;
  /** Who may: anyone with a token, the server's owner and administrators, administrators only. */
  allowed: "anyone" | "owner" | "administrator";
  /** Status of success. */
  status: number;
}

/** A running application. */
export interface AuthBench {
  request(path: string, init: RequestInit): Response | Promise<Response>;
  issuer: TokenIssuer;
  /** Leaves nothing but the server `weather` of the subject `owner`. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const NOBODY_CASES: {
  name: string;
  header: (issuer: TokenIssuer) => Promise<string> | string | null;
  code: string;
  details: string[];
}[] = [
  { name: "no token", header: () => null, code: "MISSING_TOKEN", details: ["hint"] },
  {
    name: "a malformed token",
    header: () => "Bearer not-a-token",
    code: "INVALID_TOKEN",
    details: ["reason"],
  },
  {
    name: "an expired token",
    header: async (issuer) =>
      `Bearer ${await issuer.mint({ sub: "owner", exp: Math.floor(Date.now() / 1000) - 1 })}`,
    code: "EXPIRED_TOKEN",
    details: ["expiredAt", "hint", "reason"],
  },
  {
    name: "a token for another audience",
    header: async (issuer) => `Bearer ${await issuer.mint({ sub: "owner", aud: "another" })}`,
    code: "INVALID_TOKEN",
    details: ["reason"],
  },
];

const MAY: Record<ProtectedRoute["allowed"], string[]> = {
  anyone: ["owner", "root", "somebody-else"],
  owner: ["owner", "root"],
  administrator: ["root"],
};

function requestOf(route: ProtectedRoute, header: string | null): RequestInit {
  return {
    method: route.method,
    headers: {
      ...(header === null ? {} : { authorization: header }),
      ...(route.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(route.body === undefined ? {} : { body: JSON.stringify(route.body) }),
  };
}

async function assertAuthenticationFailure(
  response: Response,
  status: number,
  code: string,
  details: string[],
): Promise<void> {
  const body = await response.json();
  assertEquals([response.status, body.error?.code], [status, code]);
  assertEquals(Object.keys(body).sort(), ["error", "request_id", "success"]);
  assertEquals(body.success, false);
  assertEquals(Object.keys(body.error).sort(), ["code", "details", "message"]);
  assertEquals(Object.keys(body.error.details).sort(), details);
  assertEquals(body.request_id, response.headers.get("x-request-id"));
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  if (status === 401) assertMatch(response.headers.get("www-authenticate") ?? "", /^Bearer /);
}

async function checkRoute(
  t: Deno.TestContext,
  bench: AuthBench,
  route: ProtectedRoute,
): Promise<void> {
  async function send(subject: string): Promise<Response> {
    const token = await bench.issuer.mint({ sub: subject });
    return await bench.request(route.path, requestOf(route, `Bearer ${token}`));
  }

  await bench.reset();
  for (const { name, header, code, details } of NOBODY_CASES) {
    await t.step(name, async () => {
      const init = requestOf(route, await header(bench.issuer));
      const response = await bench.request(route.path, init);
      await assertAuthenticationFailure(response, 401, code, details);
    });
  }
  const others = { owner: "the owner", root: "an administrator", "somebody-else": "another user" };
  for (const [subject, who] of Object.entries(others)) {
    await t.step(who, async () => {
      await bench.reset();
      const response = await send(subject);
      if (!MAY[route.allowed].includes(subject)) {
        await assertAuthenticationFailure(response, 403, "FORBIDDEN", ["current", "required"]);
      } else {
        assertEquals(response.status, route.status, await response.text());
      }
    });
  }
}

/** Registers the cases for `routes` over the application that `open` starts. */
export function describeAuth(
  name: string,
  routes: readonly ProtectedRoute[],
  open: () => Promise<AuthBench>,
): void {
  Deno.test(`protected routes let in who may, and nobody else (${name})`, async (t) => {
    const bench = await open();
    try {
      for (const route of routes) {
        await t.step(route.operation, (t) => checkRoute(t, bench, route));
      }
    } finally {
      await bench.close();
    }
  });
}
