/**
 * Berth, as its operator starts it, with the server `everything` registered: the one that offers
 * every feature of MCP. Nothing leaves the machine.
 *
 * @module
 */
import { startAdvisoryService } from "./advisory_service.ts";
import { type BerthProcess, startBerthProcess } from "./berth_process.ts";
import { registryClient } from "./clients.ts";
import { filesOfFolder, startCodeHost } from "./code_host.ts";
import { preparedDataDir } from "./data_dir.ts";
import { startTokenIssuer } from "./token_issuer.ts";

/** Files of the servers that {@link startEverything} registers. */
async function everythingFiles() {
  return {
    everything: await filesOfFolder(new URL("../fixtures/everything/", import.meta.url)),
    "text-tools": await filesOfFolder(new URL("../fixtures/servers/text-tools/", import.meta.url)),
  };
}

/** Content by path. */
type Files = Record<string, string | Uint8Array>;

/** A Berth whose sessions may be many, as suites leave them open. */
export interface ServingBerth<Name extends string> extends AsyncDisposable {
  berth: BerthProcess;
  /** Where a registered server is called. */
  mcpOf(name: Name): string;
  /** Registers a server that was left for later. */
  register(name: Name): Promise<void>;
}

/** Starts Berth with the servers `everything` and `text-tools`. */
export async function startEverything(): Promise<ServingBerth<"everything" | "text-tools">> {
  return await startServing(await everythingFiles());
}

/** Starts Berth and registers servers but those for `later`, each with its entrypoint `server.py`. */
export async function startServing<Name extends string>(
  servers: Record<Name, Files>,
  environment: Record<string, string> = {},
  later: readonly Name[] = [],
): Promise<ServingBerth<Name>> {
  await using started = new AsyncDisposableStack();
  const dataDir = await preparedDataDir();
  started.defer(() => Deno.remove(dataDir, { recursive: true }));
  const issuer = await startTokenIssuer({ behindMs: 30_000 });
  started.defer(() => issuer.close());
  const advisories = await startAdvisoryService([]);
  started.defer(() => advisories.close());
  const codeHost = await startCodeHost(
    Object.entries<Files>(servers).map(([name, files]) => ({ owner: "examples", name, files })),
  );
  started.defer(() => codeHost.close());
  const berth = await startBerthProcess({
    dataDir,
    environment: {
      GITHUB_API_URL: codeHost.url,
      OSV_API_URL: advisories.url,
      PACKAGE_INDEX_URL: "none",
      PYODIDE_PACKAGES_URL: "none",
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      INTERPRETER_PROFILE: "full",
      // How they are scanned is not what these tests are about.
      EXECUTION_POLICY: "any",
      CALLS_PER_MINUTE: "1000000",
      MAX_SESSIONS: "100",
      SESSIONS_PER_CLIENT: "100",
      // The suites leave sessions behind.
      SESSION_IDLE_SECONDS: "120",
      ...environment,
    },
  });
  started.defer(async () => void await berth.stop());
  const registry = registryClient(berth.apiUrl, (claims) => issuer.mint(claims));
  async function register(name: Name): Promise<void> {
    const { status, body } = await registry("POST", "/servers", {
      user: "ada",
      body: {
        name,
        version: "1.0.0",
        description: "Offers features of MCP",
        lang: "python",
        license: "MIT",
        entrypoint: "server.py",
        author: "ada",
        repository: { url: `https://github.com/examples/${name}` },
      },
    });
    if (status !== 201) throw new Error(`Cannot register ${name}: ${JSON.stringify(body)}`);
  }
  for (const name of Object.keys(servers) as Name[]) {
    if (!later.includes(name)) await register(name);
  }
  const all = started.move();
  return {
    berth,
    mcpOf: (name) => `${berth.workerUrl}/mcp?name=${name}`,
    register,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
