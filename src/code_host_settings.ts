/**
 * The code hosts that Berth fetches repositories from: no other one is ever contacted.
 *
 * @module
 */
import { z } from "zod";
import { json, secretUrl } from "./setting_types.ts";

/** Whose API a code host speaks. Forgejo speaks Gitea's. */
export const CODE_HOST_KINDS = ["github", "gitlab", "gitea"] as const;
export type CodeHostKind = (typeof CODE_HOST_KINDS)[number];

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
});

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
  CODE_HOSTS_ALLOW?: string[] | undefined;
  CODE_HOSTS?: readonly CodeHostEntry[] | undefined;
}

function settingsOf(
  { kind, host, api_url: api, token }: CodeHostEntry,
  { GITHUB_API_URL, GITHUB_TOKEN }: CodeHostVariables,
): CodeHostSettings {
  if (host === GITHUB && kind === "github" && api === undefined) {
    return { kind, host, apiUrl: GITHUB_API_URL, token: token ?? GITHUB_TOKEN ?? null };
  }
  // GitHub's cloud for enterprises has its API where github.com has it.
  const usual = kind === "github" && host.endsWith(".ghe.com")
    ? `https://api.${host}`
    : `https://${host}${API_PATHS[kind]}`;
  const apiUrl = (api ?? usual).replace(/\/+$/, "");
  return { kind, host, apiUrl, token: token ?? null };
}

/**
 * The code hosts of a configuration: those of `CODE_HOSTS`, and those of `CODE_HOSTS_ALLOW`, which
 * `GITHUB_API_URL` serves unless they are known services; github.com where it names none.
 */
export function codeHostsOf(config: CodeHostVariables): CodeHostSettings[] {
  const { CODE_HOSTS, CODE_HOSTS_ALLOW, GITHUB_API_URL, GITHUB_TOKEN } = config;
  const hosts = new Map((CODE_HOSTS ?? []).map((entry) => [entry.host, settingsOf(entry, config)]));
  const allowed = CODE_HOSTS_ALLOW ?? (CODE_HOSTS === undefined ? [GITHUB] : []);
  for (const host of allowed.map((name) => name.toLowerCase())) {
    if (hosts.has(host)) continue;
    const known = PUBLIC_HOSTS.get(host);
    const onGitHub = { host, apiUrl: GITHUB_API_URL, token: GITHUB_TOKEN ?? null };
    hosts.set(
      host,
      known === undefined ? { kind: "github", ...onGitHub } : settingsOf(known, config),
    );
  }
  return [...hosts.values()];
}
