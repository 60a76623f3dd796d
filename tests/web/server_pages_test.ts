/** The pages of a server: what they offer, remember and link to. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import type { ListedTool } from "../../src/scan/listed_tools_schema.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../helpers/registry.ts";
import { type Loaded, type Person, personAt, startSite } from "./harness.ts";

const BUILD = {
  runs: "yes" as const,
  profile: "full" as const,
  problem: null,
  reason: null,
  tools_listed: 1,
  duration_ms: 5,
};

const HELLO: ListedTool = {
  name: "hello",
  title: "Say hello",
  description: "Says hello. <script>alert(1)</script>",
  input_schema: {
    type: "object",
    properties: { name: { type: "string", description: "Whom <b>to</b> greet" } },
    required: ["name"],
  },
  output_schema: { type: "object", properties: { text: { type: "string" } } },
  annotations: { readOnlyHint: true },
};

/** Tools of the server "crowd". */
const CROWD = Array.from({ length: 12 }, (_, at) => `tool_${at}`);

async function prepare(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, {
    scan: (request) =>
      Promise.resolve({
        ...reportOn(request, request.serverName === "crowd" ? { tools: CROWD } : {}),
        compatibility: { restricted: true, refused: [] },
      }),
    build: ({ server }) =>
      Promise.resolve({
        build: server === "broken" ? { ...BUILD, runs: "no" as const, tools_listed: null } : BUILD,
        tools: server === "greeter" ? [{ ...HELLO, listed: HELLO }] : [],
        again: false,
      }),
  });
  for (const name of ["greeter", "crowd", "broken", "twin"]) {
    const configuration = name === "twin" ? [{ name: "API_KEY", required: true }] : undefined;
    const input = serverInput(name, configuration === undefined ? {} : { configuration });
    await createServer(deps, callerOf("ada"), input, { requestId: "r" });
  }
  await database.sql`
    insert into server_calls (server, day, calls) values ('greeter', current_date, 1234)`;
  await database.sql`
    update servers set calls = 99, updated_at = updated_at + interval '1 hour'
    where name = 'broken'`;
  await database.close();
}

async function overview(anybody: Person) {
  const { html } = await anybody.load("/servers/greeter");
  assertMatch(html, /<dt>Calls in 30 days<\/dt><dd><span class="calls" title="1,234 calls/);
  for (const part of ["It passed its scan", "hello", "(<bdi>name</bdi>)", "read-only"]) {
    assertStringIncludes(html, part);
  }
  assertMatch(html, /Related servers[\s\S]+\/servers\/twin/);
  assertStringIncludes(html, "claude mcp add");
  // What a server that did not start is not offered for.
  const broken = (await anybody.load("/servers/broken")).html;
  assertStringIncludes(broken, "does not start here");
  assertStringIncludes(broken, "/servers/broken/security#build");
  assertEquals(/Try it|Add to|claude mcp/.test(broken), false);
}

async function clients(anybody: Person) {
  const chosen = await anybody.load("/servers/greeter?client=cursor");
  assertStringIncludes(chosen.html, "cursor://anysphere");
  const remembered = (page: Loaded) => /client-cursor"[^>]*aria-current="true"/.test(page.html);
  assert(remembered(await anybody.load("/servers/twin/install")));
  const cookie = anybody.setCookies.filter((one) => one.includes("client="));
  assertEquals(cookie.length, 1);
  assertMatch(cookie[0]!, /HttpOnly; SameSite=Lax/);
  const unknown = await anybody.load("/servers/twin/install?client=%3Cscript%3E");
  assert(remembered(unknown));
  assertStringIncludes(unknown.html, "API_KEY");
  const part = await anybody.load("/servers/twin/install?client=goose", {
    headers: { "hx-request": "true" },
  });
  assertMatch(part.html, /^<div id="clients"/);
  assertStringIncludes(part.html, "streamable_http");
  const use = await anybody.load("/servers/twin?client=address", {
    headers: { "hx-request": "true" },
  });
  assertMatch(use.html, /^<section id="use-box"/);
}

async function tools(anybody: Person) {
  const { html } = await anybody.load("/servers/greeter/tools");
  for (const part of ['id="tool-hello"', "Whom &lt;b&gt;to&lt;/b&gt; greet", "Example call"]) {
    assertStringIncludes(html, part);
  }
  assertEquals(/<script>alert|<b>to/.test(html), false);
  assertEquals(html.includes('role="search"'), false);
  const crowd = (await anybody.load("/servers/crowd/tools")).html;
  assertStringIncludes(crowd, 'role="search"');
  const some = (await anybody.load("/servers/crowd/tools?q=TOOL_1")).html;
  assertStringIncludes(some, "3 tools of 12");
  const none = await anybody.load("/servers/crowd/tools?q=nothing", {
    headers: { "hx-request": "true" },
  });
  assertMatch(none.html, /^<div id="tool-list">/);
  assertStringIncludes(none.html, "No matching tools");
}

Deno.test("web: the pages of a server say what it does, how to use it, and whether to trust it", async () => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  const site = await startSite({ dataDir, environment: { BUILD_POLICY: "off" } });
  try {
    const anybody = personAt(site);
    await overview(anybody);
    await clients(anybody);
    await tools(anybody);
    const start = (await anybody.load("/start")).html;
    assertMatch(start, /\/mcp\?name=(?!broken)/);
    assertEquals(start.includes("name=broken"), false);
    const api = await fetch(`${site.url}/api/v1/servers/greeter`);
    const { server } = await api.json();
    assertEquals(server.security_report.tool_discovery.listed, [HELLO]);
    const gone = await anybody.load("/servers/greeter/security?finding=ffffffffffff");
    assertStringIncludes(gone.html, "The latest scan does not have this finding");
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
