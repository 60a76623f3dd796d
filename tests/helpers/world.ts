/**
 * Everything around Berth on loopback, so that its main job can be walked through without the
 * internet: a code host with two example repositories, a token issuer, an advisory service, and the
 * web service that one of the examples calls. The demo and the end-to-end test use it.
 *
 * @module
 */
import { type AdvisoryServer, startAdvisoryService } from "./advisory_service.ts";
import {
  type CodeHostServer,
  filesOfFolder,
  type HostedRepository,
  startCodeHost,
} from "./code_host.ts";
import { demoSignIn } from "./demo_sign_in.ts";
import { startTokenIssuer, type TokenIssuer } from "./token_issuer.ts";
import { weatherHandler } from "./weather_service.ts";

const SERVERS = new URL("../fixtures/servers/", import.meta.url);
/** Owner of the example repositories. */
export const EXAMPLE_OWNER = "examples";
/** What registers the first of them. */
export const TEXT_TOOLS = {
  name: "text-tools",
  version: "1.0.0",
  description: "Counts words",
  lang: "python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { url: `https://github.com/${EXAMPLE_OWNER}/text-tools` },
};

/** Ports to listen on; 0 lets the system choose. */
export interface WorldPorts {
  codeHost: number;
  issuer: number;
  advisories: number;
  weather: number;
  tokens: number;
}

/** What {@link startWorld} started. */
export interface World {
  codeHost: CodeHostServer;
  issuer: TokenIssuer;
  advisories: AdvisoryServer;
  /** Address of the weather service. */
  weatherUrl: string;
  /** `GET {tokensUrl}/token?user=ada` answers a fresh access token as text. */
  tokensUrl: string;
  /** Variables that point Berth at all of it. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

const ANY_PORTS: WorldPorts = { codeHost: 0, issuer: 0, advisories: 0, weather: 0, tokens: 0 };

function serve(port: number, handler: (request: Request) => Response | Promise<Response>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, handler);
  return { server, url: `http://127.0.0.1:${server.addr.port}` };
}

function tokenDesk(issuer: TokenIssuer) {
  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname !== "/token") return new Response("Not found\n", { status: 404 });
    const user = url.searchParams.get("user") ?? "ada";
    return new Response(await issuer.mint({ sub: user, email: `${user}@example.com` }));
  };
}

/** The example server `name`, with the address of the weather service that it calls. */
async function exampleFiles(name: string, weatherUrl: string) {
  const files = await filesOfFolder(new URL(`${name}/`, SERVERS));
  const decoder = new TextDecoder();
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      const text = typeof content === "string" ? content : decoder.decode(content);
      return [path, text.replaceAll("http://127.0.0.1:8013", weatherUrl)];
    }),
  );
}

/** Starts everything on loopback; `more` repositories are on the code host too. */
export async function startWorld(
  ports: WorldPorts = ANY_PORTS,
  more: HostedRepository[] = [],
): Promise<World> {
  const weather = serve(ports.weather, weatherHandler);
  const site = demoSignIn(() => issuer);
  const issuer = await startTokenIssuer({ port: ports.issuer, behindMs: 30_000, site });
  const tokens = serve(ports.tokens, tokenDesk(issuer));
  const advisories = await startAdvisoryService([], { port: ports.advisories });
  const repositories = await Promise.all(
    ["text-tools", "weather"].map(async (name) => ({
      owner: EXAMPLE_OWNER,
      name,
      files: await exampleFiles(name, weather.url),
    })),
  );
  const codeHost = await startCodeHost([...repositories, ...more], { port: ports.codeHost });
  return {
    codeHost,
    issuer,
    advisories,
    weatherUrl: weather.url,
    tokensUrl: tokens.url,
    environment: {
      GITHUB_API_URL: codeHost.url,
      OSV_API_URL: advisories.url,
      PACKAGE_INDEX_URL: "none",
      PYODIDE_PACKAGES_URL: "none",
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      EGRESS_ALLOW: new URL(weather.url).host,
      // Everybody here comes from one address.
      RATE_LIMIT_PUBLIC: "100000",
      RATE_LIMIT_AUTHENTICATED: "100000",
    },
    async close() {
      await Promise.all([
        codeHost.close(),
        issuer.close(),
        advisories.close(),
        weather.server.shutdown(),
        tokens.server.shutdown(),
      ]);
    },
  };
}
