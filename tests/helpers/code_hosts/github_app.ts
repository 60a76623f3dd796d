/**
 * GitHub on loopback with an App: installations, tokens for one repository each, and the ways in
 * which they go wrong.
 *
 * @module
 */
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { jwtVerify } from "jose";
import { apiAnswer, type HostedRepository, notFound } from "../code_host_api.ts";
import { type ApiRequest, type LoopbackHost, startLoopbackHost } from "./loopback.ts";

/** The App's id. */
export const APP_ID = "4711";

/** A key of an App. */
export function appKey(): KeyObject {
  return generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
}

/** An issued token. */
interface Issued {
  /** `owner/name` in lower case. */
  repository: string;
  permissions: unknown;
}

/** The host, with what the App has there. */
export interface AppHost extends LoopbackHost {
  privateKey: KeyObject;
  /** Repositories in which the App is installed: `owner/name` in lower case. */
  installed: Set<string>;
  /** Owners whose installation is suspended. */
  suspended: Set<string>;
  /** Names that lead to others since a repository was renamed. */
  renamed: Map<string, string>;
  /** Tokens that are valid. */
  tokens: Map<string, Issued>;
  /** All that were issued, in order. */
  issued: Issued[];
  /** How long the next tokens are valid. */
  lastMs: number;
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

const BAD_CREDENTIALS = { message: "Bad credentials" };

/** What is asked as the App itself. */
async function appAnswer(state: AppHost, request: ApiRequest, now: Date): Promise<Response> {
  const isApp = await jwtVerify(request.token ?? "", createPublicKey(state.privateKey), {
    issuer: APP_ID,
    algorithms: ["RS256"],
    currentDate: now,
    maxTokenAge: "10 min",
  }).then(() => true, () => false);
  const unknown = { message: "A JSON web token could not be decoded" };
  if (!isApp) return json(unknown, 401);
  if (request.path === "/app") return json({ id: Number(APP_ID), slug: "berth" });
  const [, owner = "", name = ""] = /^\/repos\/([^/]+)\/([^/]+)\/installation$/
    .exec(decodeURIComponent(request.path)) ?? [];
  if (owner !== "") {
    const path = `${owner}/${name}`.toLowerCase();
    const current = state.renamed.get(path) ?? path;
    const id = [...state.installed].indexOf(current) + 1;
    if (id === 0) return notFound();
    const at = state.suspended.has(current.split("/")[0]!) ? "2026-10-01T00:00:00Z" : null;
    return json({ id, account: { login: owner }, suspended_at: at });
  }
  const id = Number(/^\/app\/installations\/(\d+)\/access_tokens$/.exec(request.path)?.[1]);
  const repository = [...state.installed][id - 1];
  if (repository === undefined || request.method !== "POST") return notFound();
  if (state.suspended.has(repository.split("/")[0]!)) {
    return json({ message: "This installation has been suspended" }, 403);
  }
  const asked = await request.json() as { repositories?: string[]; permissions?: unknown };
  if (asked.repositories?.join().toLowerCase() !== repository.split("/")[1]) {
    return json({ message: "There is at least one repository that does not exist" }, 422);
  }
  const issued = { repository, permissions: asked.permissions };
  state.issued.push(issued);
  const token = `ghs_${String(state.issued.length).padStart(36, "0")}`;
  state.tokens.set(token, issued);
  const expires_at = new Date(now.getTime() + state.lastMs).toISOString();
  return json({ token, expires_at, permissions: asked.permissions }, 201);
}

/** What is asked with a token, or without one. */
function repositoryAnswer(state: AppHost, request: ApiRequest): Promise<Response> | Response {
  const [scope, owner = "", name = "", ...parts] = request.path.slice(1).split("/")
    .map(decodeURIComponent);
  const given = request.token === null ? null : state.tokens.get(request.token) ?? null;
  if (request.token !== null && given === null) return json(BAD_CREDENTIALS, 401);
  const asked = `${owner}/${name}`.toLowerCase();
  const repository = scope === "repos"
    ? request.find(state.renamed.get(asked) ?? asked)
    : undefined;
  if (repository === undefined) return notFound();
  const path = `${repository.owner}/${repository.name}`.toLowerCase();
  if (repository.private && given?.repository !== path) return notFound();
  if (parts[0] === "tarball") return request.archive(repository, parts[1] ?? "");
  return apiAnswer(repository, parts, parts.slice(1).join("/"), {
    accept: request.accept,
    archives: "",
  });
}

/** Starts a host that addresses name `github.com`, at the moment that `now` says. */
export async function startGitHubWithApp(
  repositories: HostedRepository[],
  now: () => Date,
): Promise<AppHost> {
  const privateKey = appKey();
  const rest = {
    privateKey,
    installed: new Set<string>(),
    suspended: new Set<string>(),
    renamed: new Map<string, string>(),
    tokens: new Map<string, Issued>(),
    issued: [] as Issued[],
    lastMs: 3_600_000,
  };
  const host = await startLoopbackHost(
    {
      kind: "github",
      base: "/api/v3",
      answer(request) {
        const isApp = /^\/app(?:\/|$)|\/installation$/.test(request.path);
        return isApp ? appAnswer(state, request, now()) : repositoryAnswer(state, request);
      },
    },
    "github.com",
    repositories,
    { archivesElsewhere: true },
  );
  const settings = { ...host.settings, app: { id: APP_ID, privateKey } };
  const state: AppHost = Object.assign(host, rest, { settings });
  return state;
}
