/**
 * The whole walk of a newcomer, against Berth started by its own command on an empty folder:
 * register two servers, read their reports, call their tools, change and remove them.
 */
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { startBerthProcess } from "../helpers/berth_process.ts";
import {
  connectClient,
  type RegistryCall,
  registryClient,
  sendMessage,
  textOf,
} from "../helpers/clients.ts";
import { emptyDataDir } from "../helpers/data_dir.ts";
import { startWorld } from "../helpers/world.ts";

const TEXT_TOOLS = {
  name: "text-tools",
  version: "1.0.0",
  description: "Counts words and makes slugs",
  lang: "Python",
  license: "MIT",
  entrypoint: "server.py",
  repository: { type: "git", url: "https://github.com/examples/text-tools" },
  tools: { names: ["word_count", "slugify", "repeat"] },
};
const WEATHER = {
  name: "weather",
  version: "0.2.0",
  description: "Current weather and a forecast by city",
  author: "Example Weather Office",
  lang: "python",
  license: "Apache-2.0",
  entrypoint: "server.py",
  repository: { url: "https://github.com/examples/weather.git" },
  pricing: { currency: "EUR", amount: 0 },
};
const SHOUT = [
  "from mcp.server.fastmcp import FastMCP",
  "",
  'mcp = FastMCP("text-tools")',
  "",
  "",
  "@mcp.tool()",
  "def shout(text: str) -> str:",
  '    """Shout."""',
  "    return text.upper()",
  "",
  "",
  "mcp.run()",
  "",
].join("\n");
const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {} },
};

Deno.test("Berth does its main job from an empty folder to called tools", async (t) => {
  const world = await startWorld();
  const dataDir = await emptyDataDir();
  let berth = await startBerthProcess({ dataDir, environment: world.environment });
  let call = registryClient(berth.apiUrl, world.issuer.mint);
  try {
    await t.step("registers a server and answers with its scan report", async () => {
      const created = await call("POST", "/servers", { user: "ada", body: TEXT_TOOLS });
      assertEquals(created.status, 201, JSON.stringify(created.body));
      assertEquals(created.headers.get("location"), "/api/v1/servers/text-tools");
      const { status, message, server } = created.body;
      assertEquals(status, "success");
      assert(message.length > 0);
      assertEquals(server.author, "ada");
      assertEquals(server.lang, "python");
      assertEquals(server.tools, { count: 3, names: ["word_count", "slugify", "repeat"] });
      const report = server.security_report;
      assertEquals(report.status, "passed", JSON.stringify(report, null, 1));
      assertEquals(report.summary.scan_passed, true);
      assertEquals(report.metadata.repository, "examples/text-tools");
      assertEquals(report.tool_discovery.missing, []);
      assertEquals(report.secrets_detection.error, null);
      assertEquals(report.python_audit.error, null);
      assert(report.quality_analysis.lines_of_code > 20);
      assert(report.metadata.scanners_used.length > 2);
      assertMatch(server.source.archive_sha256, /^[0-9a-f]{64}$/);
      assertEquals(server.build, { runs: "yes", reason: null });
      const { build } = report.compatibility;
      assertEquals([build.problem, build.tools_listed], [null, 3]);
      assertEquals(report.tool_discovery.built, []);
    });

    await t.step("registers without waiting, and shows the stages' progress", async () => {
      const started = await call("POST", "/servers", {
        user: "grace",
        body: WEATHER,
        headers: { Prefer: "respond-async" },
      });
      assertEquals(started.status, 202, JSON.stringify(started.body));
      const address = started.headers.get("location")!;
      assertMatch(address, /^\/api\/v1\/scans\/[\w-]+$/);
      const token = await world.issuer.mint({ sub: "grace" });
      const events = await fetch(`${berth.registryUrl}${address}`, {
        headers: { Accept: "text/event-stream", Authorization: `Bearer ${token}` },
      });
      assertStringIncludes(events.headers.get("content-type")!, "text/event-stream");
      const text = await events.text();
      for (const stage of ["quality_analysis", "tool_discovery", "security_audit"]) {
        assertStringIncludes(text, stage);
      }
      const stored = await call("GET", "/servers/weather");
      assertEquals(stored.status, 200, text);
      assertEquals(stored.body.server.tools.names, ["current_weather", "forecast"]);
      assertEquals(
        stored.body.server.security_report.status,
        "passed",
        JSON.stringify(stored.body.server.security_report, null, 1),
      );
    });

    await t.step("lists, filters and answers conditional requests", async () => {
      const all = await call("GET", "/servers");
      assertEquals(all.body.status, "success");
      assertEquals(all.body.total, 2);
      const names = all.body.servers.map((server: { name: string }) => server.name);
      assertEquals(names, ["text-tools", "weather"]);
      assertEquals(Object.keys(all.body.servers[0].security_report), ["summary"]);
      const office = await call("GET", "/servers?author=EXAMPLE%20weather%20office");
      assertEquals(office.body.total, 1);
      const etag = (await call("GET", "/servers/weather")).headers.get("etag")!;
      const again = await call("GET", "/servers/weather", { headers: { "If-None-Match": etag } });
      assertEquals(again.status, 304);
    });

    await t.step("gives every failure its status and envelope", async () => {
      const past = Math.floor(Date.now() / 1000) - 7200;
      const expired = await world.issuer.mint({
        sub: "ada",
        iat: past,
        auth_time: past,
        exp: past + 3600,
      });
      const other = { ...TEXT_TOOLS, name: "other" };
      const lost = { url: "https://github.com/examples/nothing" };
      const change = { version: "9.0.0" };
      const cases: [string, string, RegistryCall, number, string][] = [
        ["POST", "/servers", { body: other }, 401, "MISSING_TOKEN"],
        ["GET", "/auth/me", {}, 401, "MISSING_TOKEN"],
        ["GET", "/auth/me", { token: "x.y.z" }, 401, "INVALID_TOKEN"],
        ["GET", "/auth/me", { token: expired }, 401, "EXPIRED_TOKEN"],
        ["PUT", "/servers/weather", { user: "ada", body: change }, 403, "FORBIDDEN"],
        ["DELETE", "/servers/weather", { user: "ada" }, 403, "FORBIDDEN"],
        ["GET", "/servers/nobody", {}, 404, "not found"],
        ["PUT", "/servers/nobody", { user: "ada", body: change }, 404, "not found"],
        ["POST", "/servers", { user: "ada", body: "{" }, 400, ""],
        ["POST", "/servers", { user: "ada", body: { name: "No Good" } }, 400, ""],
        ["POST", "/servers", { user: "ada", body: { ...other, repository: lost } }, 400, ""],
        ["POST", "/servers", { user: "ada", body: { ...other, entrypoint: "no.py" } }, 400, ""],
        ["POST", "/servers", { user: "ada", body: TEXT_TOOLS }, 409, ""],
        ["GET", "/servers?colour=red", {}, 400, "colour"],
        ["PATCH", "/servers/weather", { user: "grace" }, 405, ""],
        ["GET", "/nowhere", {}, 404, ""],
      ];
      for (const [method, path, options, status, text] of cases) {
        const answer = await call(method, path, options);
        const shown = `${method} ${path}: ${JSON.stringify(answer.body)}`;
        assertEquals(answer.status, status, shown);
        assertEquals(answer.headers.get("access-control-allow-origin"), "*", shown);
        if (status === 401 || status === 403) {
          assertEquals(answer.body.success, false, shown);
          assertEquals(answer.body.error.code, text, shown);
        } else {
          assertEquals(answer.body.status, "error", shown);
          assertStringIncludes(answer.body.detail, text, shown);
        }
      }
    });

    await t.step("calls tools for the official SDK's client", async () => {
      const client = await connectClient(berth.workerUrl, "text-tools");
      const { tools } = await client.listTools();
      assertEquals(tools.map((tool: { name: string }) => tool.name), [
        "word_count",
        "slugify",
        "repeat",
      ]);
      const counted = await client.callTool({
        name: "word_count",
        arguments: { text: "one two\nthree" },
      });
      assertEquals(counted.structuredContent, { words: 3, characters: 13, lines: 2 });
      const slug = await client.callTool({
        name: "slugify",
        arguments: { title: "Hello, World!" },
      });
      assertEquals(textOf(slug), "hello-world");
      const failed = await client.callTool({ name: "slugify", arguments: { title: "…" } });
      assertEquals(failed.isError, true);
      assertStringIncludes(textOf(failed), "no letters or digits");
      await client.close();
    });

    await t.step("lets a server use requests, through the broker only", async () => {
      const client = await connectClient(berth.workerUrl, "weather");
      const now = await client.callTool({ name: "current_weather", arguments: { city: "Oslo" } });
      assertMatch(textOf(now), /^Oslo: -?\d+ °C, \w+$/);
      const days = await client.callTool({
        name: "forecast",
        arguments: { city: "Oslo", days: 2 },
      });
      assertEquals((days.structuredContent as { result: unknown[] }).result.length, 2);
      await client.close();
    });

    await t.step("serves the specification's plain clients, session by session", async () => {
      const walk = { server: "text-tools", session: "walk-1" };
      const begun = await sendMessage(berth.workerUrl, walk, INITIALIZE);
      assertEquals(begun.status, 200, JSON.stringify(begun.body));
      assertEquals(begun.body.result.protocolVersion, "2025-11-25");
      assertEquals(begun.body.result.serverInfo.name, "text-tools");
      const list = await sendMessage(berth.workerUrl, walk, { id: 2, method: "tools/list" });
      assertEquals(list.body.result.tools.length, 3);
      const elsewhere = { server: "weather", session: "walk-1" };
      const stray = await sendMessage(berth.workerUrl, elsewhere, { id: 3, method: "tools/list" });
      assertEquals(stray.status, 409);
      const nobody = { server: "nobody", session: "walk-2" };
      assertEquals((await sendMessage(berth.workerUrl, nobody, INITIALIZE)).status, 404);
      const ended = await fetch(`${berth.workerUrl}/mcp?name=text-tools`, {
        method: "DELETE",
        headers: { "Mcp-Session-Id": "walk-1" },
      });
      assertEquals(ended.status, 204);
      const late = await sendMessage(berth.workerUrl, walk, { id: 4, method: "tools/list" });
      assertEquals(late.status, 404);
      assertEquals(late.body.error.code, -32001);
    });

    await t.step("updates a server, scanning again when its content changes", async () => {
      const words = await call("PUT", "/servers/text-tools", {
        user: "ada",
        body: { description: "Counts words, makes slugs, repeats" },
      });
      assertEquals(words.status, 200, JSON.stringify(words.body));
      const before = words.body.server.source.commit;
      await world.codeHost.push("examples/text-tools", "main", { "server.py": SHOUT });
      const changed = await call("PUT", "/servers/text-tools", {
        user: "ada",
        body: { version: "2.0.0", tools: { names: ["shout"] } },
      });
      assertEquals(changed.status, 200, JSON.stringify(changed.body));
      assert(changed.body.server.source.commit !== before);
      const client = await connectClient(berth.workerUrl, "text-tools");
      const loud = await client.callTool({ name: "shout", arguments: { text: "hi" } });
      assertEquals(textOf(loud), "HI");
      await client.close();
    });

    await t.step("ends in order on SIGTERM, and has everything at the next start", async () => {
      assertEquals(await berth.stop(), 0, berth.log());
      assertFalse(berth.log().includes("shutdown.cut_requests"), berth.log());
      berth = await startBerthProcess({ dataDir, environment: world.environment });
      call = registryClient(berth.apiUrl, world.issuer.mint);
      assertEquals((await call("GET", "/servers")).body.total, 2);
      const client = await connectClient(berth.workerUrl, "text-tools");
      assertEquals((await client.listTools()).tools.length, 1);
      await client.close();
    });

    await t.step("deletes a server, which ends its sessions and keeps its name", async () => {
      const walk = { server: "text-tools", session: "walk-9" };
      const begun = await sendMessage(berth.workerUrl, walk, { id: 1, method: "tools/list" });
      assertEquals(begun.status, 200, JSON.stringify(begun.body));
      const gone = await call("DELETE", "/servers/text-tools", { user: "ada" });
      assertEquals(gone.status, 200);
      assertEquals(gone.body.status, "success");
      assertEquals((await call("GET", "/servers/text-tools")).status, 404);
      const late = await sendMessage(berth.workerUrl, walk, { id: 2, method: "tools/list" });
      assertEquals(late.status, 404);
      const taken = await call("POST", "/servers", { user: "grace", body: TEXT_TOOLS });
      assertEquals(taken.status, 409, JSON.stringify(taken.body));
    });
  } finally {
    await berth.stop();
    await world.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
