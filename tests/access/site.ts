/**
 * The registry listener with its pages over a real database, on which an owner has a public, an internal
 * and a private server; and everybody who may ask for them.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Hono } from "hono";
import type { Visibility } from "../../src/access/schema.ts";
import { keepIcon } from "../../src/documents/icons.ts";
import { createApp } from "../../src/http/app.ts";
import type { HttpEnv } from "../../src/http/environment.ts";
import { createKeptGroups } from "../../src/identity/groups.ts";
import { authenticate } from "../../src/identity/caller.ts";
import { createAttempts } from "../../src/limits/attempts.ts";
import type { WebServices } from "../../src/web/services.ts";
import { cookieScope } from "../../src/web/session/cookies.ts";
import { derive } from "../../src/web/session/secrets.ts";
import { beginSession } from "../../src/web/session/sessions.ts";
import type { FinishDeps } from "../../src/web/sign_in/finish.ts";
import { SignInProvider } from "../../src/web/sign_in/provider.ts";
import { createWeb } from "../../src/web/web.ts";
import { openRealApp, type RealApp } from "../http/real_services.ts";

/** Who asks: by subject, and null for nobody. */
export const CALLERS = {
  anonymous: null,
  stranger: "stranger",
  named: "named",
  member: "member",
  owner: "owner",
  admin: "root",
} as const;
export type CallerName = keyof typeof CALLERS;

/** The servers, by who may read them; the last is none. */
export const SERVERS: Record<Visibility, string> = {
  public: "open-box",
  internal: "inner-box",
  private: "hidden-box",
};
export const ABSENT = "absent-box";
/** The group whose members may read the private server. */
export const GROUP = "box-team";
const CLAIM = "groups";
const PUBLIC_URL = "http://127.0.0.1:8000";

/** What the rule says, in words of its own. */
export function reads(caller: CallerName, visibility: Visibility): boolean {
  if (visibility === "public") return true;
  if (visibility === "internal") return caller !== "anonymous";
  return ["named", "member", "owner", "admin"].includes(caller);
}

/** How a caller shows who they are. */
export type By = "token" | "session";

export interface AccessSite {
  real: RealApp;
  app: Hono<HttpEnv>;
  /** Ids of the servers' scans, and digests of their icons. */
  scans: Record<Visibility, string>;
  icons: Record<Visibility, string>;
  /** Asks as a caller, by an API token or a browser's session; a form has its token. */
  ask(
    caller: CallerName,
    by: By,
    path: string,
    options?: { method?: string; body?: unknown; form?: boolean; headers?: HeadersInit },
  ): Promise<Response>;
  close(): Promise<void>;
}

function finishDeps(real: RealApp): FinishDeps {
  const { identity, issuer, registry } = real;
  return {
    sql: registry.sql,
    now: identity.now,
    log: registry.log,
    findKey: identity.provider!.findKey,
    authenticate: (bearer) => authenticate(identity, `Bearer ${bearer}`),
    authenticateIdentity: (bearer) => authenticate(identity, `Bearer ${bearer}`),
    provider: new SignInProvider({
      kind: "external",
      issuer: issuer.url,
      clientId: "berth",
      clientSecret: null,
      audience: null,
      send: (url, init) => fetch(url, init),
    }),
  };
}

function webServices(real: RealApp, sessions: FinishDeps): WebServices {
  const { sql } = real.registry;
  return {
    app: real.services,
    sql,
    sessions,
    cookies: cookieScope(PUBLIC_URL),
    setup: { kind: "external" },
    workerUrl: "http://127.0.0.1:8001",
    execute: () => Promise.resolve(new Response(null, { status: 503 })),
    operations: null,
    health: { read: () => new Map() },
    limits: [],
    needsToken: false,
    rules: { policy: "unless-failed", profile: "restricted" },
    attempts: createAttempts(sql),
    readmes: { show: () => Promise.resolve({ html: null }) },
    cards: { draw: ({ title }) => Promise.resolve(new TextEncoder().encode(title)) },
    inspect: () => Promise.reject(new Error("is not looked at here")),
    endIssuerSession: () => Promise.resolve(),
  };
}

async function register(real: RealApp, visibility: Visibility) {
  const name = SERVERS[visibility];
  const created = await real.send("POST", "/api/v1/servers", {
    as: "owner",
    body: {
      name,
      version: "1.0.0",
      description: `What is in the ${name}`,
      lang: "python",
      license: "MIT",
      entrypoint: "server.py",
      repository: { url: `https://github.com/acme/${name}` },
      tools: { names: [`tool_${visibility}`] },
      configuration: [
        { name: "API_KEY" },
        {
          name: "NOTES_TOKEN",
          hosts: ["api.notes.example"],
          oauth: { issuer: "https://notes.example" },
        },
      ],
      visibility,
    },
  });
  assertEquals(created.status, 201, await created.text());
  const { sql } = real.registry;
  const [{ archive_sha256 }] = await sql<[{ archive_sha256: string }]>`
    select archive_sha256 from servers where name = ${name}`;
  await keepIcon(sql, { archive_sha256, folder: "" }, new TextEncoder().encode(name));
  const [{ digest }] = await sql<[{ digest: string }]>`
    select digest from server_icons where archive_sha256 = ${archive_sha256}`;
  const [{ id }] = await sql<[{ id: string }]>`select id from scans where server = ${name}`;
  return { scan: id, icon: digest };
}

/** Starts it; `readPolicy` is the operator's. */
export async function openAccessSite(
  readPolicy: "public" | "signed-in" = "public",
): Promise<AccessSite> {
  const real = await openRealApp();
  real.services.readPolicy = readPolicy;
  const sessions = finishDeps(real);
  real.identity.groups = createKeptGroups(real.registry.sql, CLAIM);
  const web = createWeb(webServices(real, sessions), sessions);
  const app = createApp({ ...real.services, web });
  const tokens = new Map<CallerName, string>();
  const secrets = new Map<CallerName, string>();
  for (const [name, sub] of Object.entries(CALLERS) as [CallerName, string | null][]) {
    if (sub === null) continue;
    // Before API tokens there was a sign-in, of which the groups are known.
    const groups = name === "member" ? [GROUP] : ["others"];
    const caller = await sessions.authenticate(await real.issuer.mint({ sub, [CLAIM]: groups }));
    tokens.set(name, await real.issuer.mint({ sub }));
    const bearer = await real.issuer.mint({ sub });
    const kept = { bearer, refresh: null, forApi: true };
    secrets.set(name, await beginSession(sessions, { tokens: kept, caller }));
  }
  const scans = {} as Record<Visibility, string>;
  const icons = {} as Record<Visibility, string>;
  for (const visibility of Object.keys(SERVERS) as Visibility[]) {
    const { scan, icon } = await register(real, visibility);
    scans[visibility] = scan;
    icons[visibility] = icon;
  }
  const hidden = `/api/v1/servers/${SERVERS.private}/access`;
  for (const path of ["users/named", `groups/${GROUP}`]) {
    const added = await real.send("PUT", `${hidden}/${path}`, { as: "owner" });
    assertEquals(added.status, 200, await added.text());
  }

  return {
    real,
    app,
    scans,
    icons,
    async ask(caller, by, path, { method = "GET", body, form = false, headers: more } = {}) {
      const headers = new Headers(more);
      const token = tokens.get(caller);
      const secret = secrets.get(caller);
      if (by === "token" && token !== undefined) headers.set("authorization", `Bearer ${token}`);
      if (by === "session" && secret !== undefined) {
        headers.set("cookie", `berth_web_session=${secret}`);
      }
      let text: string | undefined;
      if (form) {
        headers.set("content-type", "application/x-www-form-urlencoded");
        const fields = new URLSearchParams(body as Record<string, string> | undefined);
        fields.set("csrf", derive(secret ?? "", "form"));
        text = fields.toString();
      } else if (body !== undefined) {
        headers.set("content-type", "application/json");
        text = JSON.stringify(body);
      }
      return await app.request(path, {
        method,
        headers,
        ...(text === undefined ? {} : { body: text }),
      });
    },
    close: () => real.close(),
  };
}
