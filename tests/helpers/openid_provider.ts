/**
 * Starts the OpenID provider of `openid_provider_process.ts`, and signs in there as a browser would.
 *
 * @module
 */
import { TextLineStream } from "./lines.ts";
import type { OpenIdProviderSettings } from "./openid_provider_process.ts";

/** A running provider. */
export interface OpenIdProvider {
  issuer: string;
  /** Signs with a new key from now on; the earlier ones stay in the set unless `drop`. */
  rotate(options?: { drop?: boolean }): Promise<void>;
  /** Who signs in from now on; `ada` at first. */
  signInAs(name: string): Promise<void>;
  /** The groups of whoever signs in from now on; none at first. */
  setGroups(names: readonly string[]): Promise<void>;
  /** How often `path` was asked for. */
  requests(path: string): Promise<number>;
  close(): Promise<void>;
}

const DEFAULTS: OpenIdProviderSettings = {
  audience: "berth",
  resourceAsAudience: true,
  providerClaim: "firebase",
  clients: [],
};

/** Starts it in a process of its own. */
export async function startOpenIdProvider(
  settings: Partial<OpenIdProviderSettings> = {},
): Promise<OpenIdProvider> {
  const script = new URL("./openid_provider_process.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "-A",
      script.pathname,
      JSON.stringify({ ...DEFAULTS, ...settings }),
    ],
    stdin: "null",
    stdout: "piped",
    // The library warns of loopback addresses and of a runtime it does not know.
    stderr: "null",
  }).spawn();
  const lines = child.stdout
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  let ended = false;
  let issuer: string | undefined;
  for await (const line of lines) {
    issuer = /^ISSUER (\S+)/.exec(line)?.[1];
    if (issuer !== undefined) break;
  }
  if (issuer === undefined) {
    await child.status;
    throw new Error("The provider ended at its start");
  }
  async function control(method: string, path: string): Promise<Record<string, number>> {
    const response = await fetch(`${issuer}/control/${path}`, { method });
    return await response.json();
  }
  return {
    issuer,
    async rotate({ drop = false } = {}) {
      await control("POST", `rotate${drop ? "?drop" : ""}`);
    },
    async signInAs(name) {
      await control("POST", `account?name=${encodeURIComponent(name)}`);
    },
    async setGroups(names) {
      const query = names.map((name) => `name=${encodeURIComponent(name)}`).join("&");
      await control("POST", `groups?${query}`);
    },
    requests: async (path) => (await control("GET", "requests"))[path] ?? 0,
    async close() {
      if (!ended) child.kill("SIGKILL");
      ended = true;
      await child.status;
    },
  };
}
