import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { freePort, ROOT, startBerthProcess } from "./helpers/berth_process.ts";
import { preparedDataDir } from "./helpers/data_dir.ts";
import { startWorld } from "./helpers/world.ts";

/** Reads what a stream still has until it ends or is cut. */
async function drain(reader: ReadableStreamDefaultReader<string>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** What a listener answers to `text` until it closes the connection. */
async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return await new Response(connection.readable).text();
}

/** Runs `main.ts` until it ends by itself. */
async function runMain(env: Record<string, string>) {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "main.ts"],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
  });
  const { code, stderr } = await command.output();
  return { code, text: new TextDecoder().decode(stderr) };
}

Deno.test("main exits with 2 and names every bad variable", async () => {
  const { code, text } = await runMain({ REGISTRY_PORT: "eighty", SCAN_POLICY: "maybe" });
  assertEquals(code, 2);
  for (const part of ["REGISTRY_PORT", "SCAN_POLICY", ".env.example"]) {
    assertStringIncludes(text, part);
  }
});

Deno.test("main exits with 2 for an egress rule that cannot be read", async () => {
  const rule = { REGISTRY_PORT: "0", WORKER_PORT: "0", EGRESS_ALLOW: "10.0.0.0/99" };
  const { code, text } = await runMain(rule);
  assertEquals(code, 2, text);
  assertStringIncludes(text, "EGRESS_ALLOW");
});

Deno.test("main says which variable to change when a port is taken", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { code, text } = await runMain({
    WORKER_PORT: String(taken.addr.port),
    REGISTRY_PORT: "0",
  });
  taken.close();
  assertEquals(code, 1);
  assertStringIncludes(text, `WORKER_PORT (${taken.addr.port}) is in use by another process`);
});

Deno.test("main says in a sentence, without a stack, why it cannot use DATA_DIR", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/file`, "");
  try {
    for (const dataDir of [`${folder}/file`, `${folder}/file/below`, "/proc/berth"]) {
      for (const ROLE of ["registry", "worker"]) {
        const env = { ROLE, REGISTRY_PORT: "0", WORKER_PORT: "0", DATA_DIR: dataDir };
        const { code, text } = await runMain({ ...env, LOG_FORMAT: "text" });
        assertEquals(code, 1, text);
        assertStringIncludes(text, dataDir);
        assertStringIncludes(text, "DATA_DIR to");
        assertEquals(text.includes("    at "), false, text);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("main drains on SIGTERM: readiness fails at once, requests are answered until DRAIN_SECONDS are over", async () => {
  const dataDir = await preparedDataDir();
  const berth = await startBerthProcess({
    dataDir,
    environment: { ROLE: "registry", DRAIN_SECONDS: "5" },
  });
  try {
    const ended = berth.stop();
    let ready = await fetch(`${berth.registryUrl}/readyz`);
    while (ready.ok) {
      await ready.body?.cancel();
      ready = await fetch(`${berth.registryUrl}/readyz`);
    }
    assertEquals(ready.status, 503);
    assertStringIncludes(await ready.text(), "Not ready: node");
    for (const path of ["/healthz", "/api/v1/servers"]) {
      const response = await fetch(`${berth.registryUrl}${path}`);
      assertEquals(response.status, 200);
      await response.body?.cancel();
    }
    assertEquals(await ended, 0, berth.log());
  } finally {
    await berth.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("main tells its figures, and ends open event streams and exits with 0 on SIGINT", async () => {
  const world = await startWorld();
  const dataDir = await preparedDataDir();
  const metricsPort = String(freePort());
  const berth = await startBerthProcess({
    dataDir,
    environment: { ...world.environment, WARM_SESSIONS: "1", METRICS_PORT: metricsPort },
  });
  try {
    await (await fetch(`${berth.apiUrl}/servers/nobody`)).body?.cancel();
    const figures = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    for (
      const line of [
        'berth_http_requests_total{listener="registry",method="GET",status="404"} 1\n',
        'berth_info{version="',
        "berth_sessions 0\n",
        "berth_spare_sessions 0\n",
        "berth_spare_hits_total 0\n",
        "berth_session_hosts ",
        "# TYPE berth_scan_seconds histogram\n",
      ]
    ) assertStringIncludes(figures, line);
    for (
      const [url, part] of [[berth.registryUrl, '{"status":"error"'], [
        berth.workerUrl,
        '"jsonrpc"',
      ]]
    ) {
      const broken = await sendRaw(url!, "NO HTTP\r\n\r\n");
      assertMatch(broken, /^HTTP\/1\.1 400 /);
      assertStringIncludes(broken, part!);
    }
    world.codeHost.fail("hang");
    const token = await world.issuer.mint({ sub: "ada" });
    const headers = { Authorization: `Bearer ${token}`, Prefer: "respond-async" };
    const started = await fetch(`${berth.apiUrl}/servers`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({
        name: "slow",
        version: "1.0.0",
        description: "Never fetched",
        lang: "python",
        license: "MIT",
        entrypoint: "server.py",
        repository: { url: "https://github.com/examples/weather" },
      }),
    });
    assertEquals(started.status, 202);
    await started.body?.cancel();
    const events = await fetch(`${berth.registryUrl}${started.headers.get("location")}`, {
      headers: { ...headers, Accept: "text/event-stream" },
    });
    const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    assertStringIncludes(first.value ?? "", "data:");
    const ending = drain(reader);
    const code = await berth.stop("SIGINT");
    assertEquals(code, 0, berth.log());
    assertStringIncludes(berth.log(), "shutdown.done");
    await ending;
  } finally {
    await berth.stop();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
