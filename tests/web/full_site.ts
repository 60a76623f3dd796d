/**
 * A whole Berth for the pages: both listeners in this process, the embedded issuer, a code host and
 * an advisory service on loopback.
 *
 * @module
 */
import { parseConfig } from "../../src/config.ts";
import { listen } from "../../src/http/listen.ts";
import { startBerth } from "../../src/services.ts";
import { startAdvisoryService } from "../helpers/advisory_service.ts";
import { filesOfFolder, startCodeHost } from "../helpers/code_host.ts";
import type { CodeHostServer } from "../helpers/code_host.ts";
import { prepareDataDir } from "../helpers/database.ts";
import { testInterpreter } from "../helpers/interpreter.ts";
import { recordingLogger } from "../helpers/log.ts";
import type { TestSite } from "./harness.ts";
import { HOSTILE, REPOSITORIES } from "./repositories.ts";

/** A running Berth with everything around it. */
export interface FullSite extends TestSite {
  workerUrl: string;
  codeHost: CodeHostServer;
}

/** Starts it; session hosts are started when they are needed. */
export async function startFullSite(
  environment: Record<string, string> = {},
  port = 0,
): Promise<FullSite> {
  const { folder } = await testInterpreter();
  const dataDir = await prepareDataDir();
  await Deno.symlink(folder.slice(0, folder.lastIndexOf("/")), `${dataDir}/interpreter`);
  const advisories = await startAdvisoryService([]);
  const servers = new URL("../fixtures/servers/", import.meta.url);
  const codeHost = await startCodeHost([
    {
      owner: "examples",
      name: "text-tools",
      files: await filesOfFolder(new URL("text-tools/", servers)),
    },
    ...REPOSITORIES,
    HOSTILE,
  ]);
  const open = (port: number) =>
    listen({
      hostname: "127.0.0.1",
      port,
      onError: () => new Response(null, { status: 500 }),
    });
  const [registry, execution] = [await open(port), await open(port === 0 ? 0 : port + 1)];
  const { log, lines } = recordingLogger();
  const terminal: string[] = [];
  const berth = await startBerth(
    parseConfig({
      DATA_DIR: dataDir,
      GITHUB_API_URL: codeHost.url,
      OSV_API_URL: advisories.url,
      PACKAGE_INDEX_URL: "none",
      PYODIDE_PACKAGES_URL: "none",
      RATE_LIMIT_PUBLIC: "100000",
      RATE_LIMIT_AUTHENTICATED: "100000",
      WARM_SESSIONS: "0",
      // Without warm hosts, each would boot one.
      BUILD_POLICY: "off",
      ...environment,
    }),
    {
      log,
      registryPort: registry.port,
      executionPort: execution.port,
      announce: (line) => terminal.push(line),
    },
  );
  registry.serve(berth.registry!);
  execution.serve(berth.execution!);
  return {
    url: `http://127.0.0.1:${registry.port}`,
    workerUrl: `http://127.0.0.1:${execution.port}`,
    codeHost,
    terminal,
    lines,
    async close() {
      berth.beginShutdown();
      await Promise.all([registry.drain(), execution.drain()]);
      await berth.close();
      await Promise.all([codeHost.close(), advisories.close()]);
      await Deno.remove(dataDir, { recursive: true });
    },
  };
}
