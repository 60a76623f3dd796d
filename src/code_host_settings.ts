/**
 * The code hosts that Berth fetches repositories from: no other one is ever contacted.
 *
 * @module
 */
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { rsaPrivateKey } from "./secret_settings.ts";
import { json, secretUrl } from "./setting_types.ts";

/** Whose API a code host speaks. Forgejo speaks Gitea's. */
export const CODE_HOST_KINDS = ["github", "gitlab", "gitea"] as const;
export type CodeHostKind = (typeof CODE_HOST_KINDS)[number];

/** Id of a GitHub App, or its client id. */
export const appId = z.string().regex(/^[A-Za-z0-9.]{1,100}$/, "must be the id of a GitHub App");

/** One entry of `CODE_HOSTS`. */
const codeHost = z.strictObject({
  kind: z.enum(CODE_HOST_KINDS),
  /** As addresses of repositories name it, with a port if it is not 443. */
  host: z.string().toLowerCase().regex(
    /^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/,
    "must be a host such as git.example.com",
  ),
  /** Address of its API; by default where such hosts have it. */
  api_url: secretUrl.optional(),
  /** Sent with requests for public repositories, for higher rate limits. */
  token: z.string().min(1).max(1000).optional(),
  /** A GitHub App of the operator's there, which reads private repositories. */
  app_id: appId.optional(),
  app_private_key: rsaPrivateKey().optional(),
}).refine(
  ({ app_id, app_private_key }) => (app_id === undefined) === (app_private_key === undefined),
  "must have app_id and app_private_key, or neither",
).refine(
  ({ kind, app_id }) => kind === "github" || app_id === undefined,
  "must not have app_id unless its kind is github",
);

type CodeHostEntry = z.infer<typeof codeHost>;

/** The value of `CODE_HOSTS`. */
export const codeHostList = json(
  z.array(codeHost).max(50).refine(
    (all) => new Set(all.map(({ host }) => host)).size === all.length,
    "must not contain duplicate hosts",
  ),
);

/** A host whose repositories have addresses. */
export interface AddressHost {
  /** In lower case. */
  host: string;
  kind: CodeHostKind;
}

/** Where requests for the repositories of a host go, and what they carry. */
export interface CodeHostSettings extends AddressHost {
  /** Without a slash at its end. */
  apiUrl: string;
  token: string | null;
  /** The operator's App there, if there is one. */
  app?: GitHubApp;
}

/** A GitHub App, as which Berth can ask for tokens. */
export interface GitHubApp {
  id: string;
  privateKey: KeyObject;
}

const API_PATHS: Record<CodeHostKind, string> = {
  github: "/api/v3",
  gitlab: "/api/v4",
  gitea: "/api/v1",
};

const GITHUB = "github.com";

/** Public services whose API needs not be said. */
const PUBLIC_HOSTS = new Map<string, CodeHostEntry>([
  ["gitlab.com", { kind: "gitlab", host: "gitlab.com" }],
  ["codeberg.org", { kind: "gitea", host: "codeberg.org" }],
]);

/** The part of the configuration from which {@link codeHostsOf} makes its list. */
export interface CodeHostVariables {
  GITHUB_API_URL: string;
  GITHUB_TOKEN?: string | undefined;
  GITHUB_APP_ID?: string | undefined;
  GITHUB_APP_PRIVATE_KEY?: KeyObject | undefined;
  CODE_HOSTS_ALLOW?: string[] | undefined;
  CODE_HOSTS?: readonly CodeHostEntry[] | undefined;
}

function appOf(id: string | undefined, privateKey: KeyObject | undefined): { app?: GitHubApp } {
  return id === undefined || privateKey === undefined ? {} : { app: { id, privateKey } };
}

/** What goes to `GITHUB_API_URL`. */
function gitHubSettings(
  host: string,
  { GITHUB_API_URL, GITHUB_TOKEN, GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY }: CodeHostVariables,
): CodeHostSettings {
  const app = appOf(GITHUB_APP_ID, GITHUB_APP_PRIVATE_KEY);
  return { kind: "github", host, apiUrl: GITHUB_API_URL, token: GITHUB_TOKEN ?? null, ...app };
}

function settingsOf(entry: CodeHostEntry, variables: CodeHostVariables): CodeHostSettings {
  const { kind, host, api_url: api, token } = entry;
  const app = appOf(entry.app_id, entry.app_private_key);
  if (host === GITHUB && kind === "github" && api === undefined) {
    const usual = gitHubSettings(host, variables);
    return { ...usual, token: token ?? usual.token, ...app };
  }
  // GitHub's cloud for enterprises has its API where github.com has it.
  const usual = kind === "github" && host.endsWith(".ghe.com")
    ? `https://api.${host}`
    : `https://${host}${API_PATHS[kind]}`;
  const apiUrl = (api ?? usual).replace(/\/+$/, "");
  return { kind, host, apiUrl, token: token ?? null, ...app };
}

/**
 * The code hosts of a configuration: those of `CODE_HOSTS`, and those of `CODE_HOSTS_ALLOW`, which
 * `GITHUB_API_URL` serves unless they are known services; github.com where it names none.
 */
export function codeHostsOf(config: CodeHostVariables): CodeHostSettings[] {
  const { CODE_HOSTS, CODE_HOSTS_ALLOW } = config;
  const hosts = new Map((CODE_HOSTS ?? []).map((entry) => [entry.host, settingsOf(entry, config)]));
  const allowed = CODE_HOSTS_ALLOW ?? (CODE_HOSTS === undefined ? [GITHUB] : []);
  for (const host of allowed.map((name) => name.toLowerCase())) {
    if (hosts.has(host)) continue;
    const known = PUBLIC_HOSTS.get(host);
    hosts.set(host, known === undefined ? gitHubSettings(host, config) : settingsOf(known, config));
  }
  return [...hosts.values()];
}
