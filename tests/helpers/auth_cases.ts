/**
 * The security cases that every protected route has to pass.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { TokenIssuer } from "./token_issuer.ts";

/** Everybody who sends a valid token, by subject. Each one's username is the subject. */
export const CALLERS = {
  /** Owns the server `weather`, and the author `acme` that it is published under. */
  owner: "the owner",
  /** Owns the author `acme` too. */
  colleague: "a namespace owner",
  /** Is offered or invited to whatever a route's `before` says. */
  recipient: "the recipient",
  root: "an administrator",
  "somebody-else": "another user",
} as const;

/** A subject that {@link CALLERS} has. */
export type Subject = keyof typeof CALLERS;

/** Who may call, and what others are told that it requires. */
const RULES = {
  anyone: { subjects: Object.keys(CALLERS) as Subject[], required: [] },
  /** Who may change the server. */
  owner: {
    subjects: ["owner", "colleague", "root"],
    required: ["owner", "namespace owner"],
  },
  /** Who may give the server away. */
  "owner alone": { subjects: ["owner", "root"], required: ["owner"] },
  "namespace owner": { subjects: ["owner", "colleague", "root"], required: ["namespace owner"] },
  recipient: { subjects: ["recipient"], required: ["recipient"] },
  invitee: { subjects: ["recipient"], required: ["invitee"] },
  administrator: { subjects: ["root"], required: ["administrator"] },
} as const satisfies Record<string, { subjects: readonly Subject[]; required: readonly string[] }>;

/** Whether `subject` may call what is for `allowed`. */
export function isAllowed(allowed: ProtectedRoute["allowed"], subject: Subject): boolean {
  return (RULES[allowed].subjects as readonly Subject[]).includes(subject);
}

/** A request. */
export interface AuthRequest {
  method: string;
  /** `{caller}` stands for the username of whoever sends it. */
  path: string;
  /** JSON. */
  body?: unknown;
}

/** A route that needs a token, and a request that succeeds for whoever may call it. */
export interface ProtectedRoute extends AuthRequest {
  /** Operation of the API description. */
  operation: string;
  /** Who may call it. */
  allowed: keyof typeof RULES;
  /** Status of success. */
  status: number;
  /** What is done first, and by whom. */
  before?: (AuthRequest & { as: Subject })[];
}

/** A running application. */
export interface AuthBench {
  request(path: string, init: RequestInit): Response | Promise<Response>;
  issuer: TokenIssuer;
  /** Leaves nothing but the {@link CALLERS}, the author and the server. */
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
      `Bearer ${await issuer.mint({ sub: "owner", exp: Math.floor(Date.now() / 1000) - 600 })}`,
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

function requestOf(route: AuthRequest, header: string | null): RequestInit {
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
  async function send(subject: Subject, request: AuthRequest): Promise<Response> {
    const token = await bench.issuer.mint({ sub: subject });
    const path = request.path.replace("{caller}", subject);
    return await bench.request(path, requestOf(request, `Bearer ${token}`));
  }

  async function prepare(): Promise<void> {
    await bench.reset();
    for (const { as, ...request } of route.before ?? []) {
      const response = await send(as, request);
      assert(response.ok, `${request.method} ${request.path}: ${await response.text()}`);
    }
  }

  await prepare();
  for (const { name, header, code, details } of NOBODY_CASES) {
    await t.step(name, async () => {
      const init = requestOf(route, await header(bench.issuer));
      const response = await bench.request(route.path, init);
      await assertAuthenticationFailure(response, 401, code, details);
    });
  }
  // Those who may not come first: they change nothing, so that all can ask the same world.
  const subjects = (Object.keys(CALLERS) as Subject[])
    .sort((a, b) => Number(isAllowed(route.allowed, a)) - Number(isAllowed(route.allowed, b)));
  let changed = false;
  for (const subject of subjects) {
    await t.step(CALLERS[subject], async () => {
      if (changed) await prepare();
      const response = await send(subject, route);
      if (isAllowed(route.allowed, subject)) {
        changed = route.method !== "GET";
        assertEquals(response.status, route.status, await response.text());
        return;
      }
      const body = await response.clone().json();
      await assertAuthenticationFailure(response, 403, "FORBIDDEN", ["current", "required"]);
      const required: readonly string[] = RULES[route.allowed].required;
      assert(required.includes(body.error.details.required), JSON.stringify(body));
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
