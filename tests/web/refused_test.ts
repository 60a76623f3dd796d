/** Pages of servers that do not run here: they offer nothing that would be refused. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import type { Compatibility } from "../../src/scan/compatibility_schema.ts";
import type { SecurityReport } from "../../src/scan/schema.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../helpers/registry.ts";
import { personAt, startSite } from "./harness.ts";

const CLASS: Compatibility = {
  restricted: false,
  refused: [{ construct: "class", file: "server.py", line: 1, hint: "Use functions" }],
};

/** Reports by name of the server. */
const REPORTS: Record<string, Partial<SecurityReport>> = {
  fine: {},
  failed: { status: "failed" },
  unfinished: { status: "error" },
  classy: { compatibility: CLASS },
  gopher: {},
};

async function prepare(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, {
    scan: (request) =>
      Promise.resolve({ ...reportOn(request), ...REPORTS[request.serverName] } as SecurityReport),
  });
  const context = { requestId: "r" };
  for (const name of Object.keys(REPORTS)) {
    const input = serverInput(name, name === "gopher" ? { lang: "go" } : {});
    await createServer(deps, callerOf("ada"), input, context);
  }
  await database.close();
}

/** What of `names` is offered on its pages. */
async function offersOf(dataDir: string, environment: Record<string, string>) {
  const site = await startSite({ dataDir, environment });
  const anybody = personAt(site);
  try {
    const offered: string[] = [];
    for (const name of Object.keys(REPORTS)) {
      const pages = await Promise.all(
        ["", "/tools", "/install", "/try"].map((tab) => anybody.load(`/servers/${name}${tab}`)),
      );
      for (const page of pages) assertEquals(page.status, 200, String(page.url));
      const html = pages.map((page) => page.html).join("");
      const signs = [
        `/servers/${name}/try"`,
        "/try?tool=",
        "/try/start",
        "claude mcp add",
        "berth pull",
      ];
      const found = signs.filter((sign) => html.includes(sign));
      if (found.length > 0) {
        for (const sign of signs.filter((one) => one !== "/try?tool=")) {
          assert(found.includes(sign), `${name}: ${sign}`);
        }
        offered.push(name);
      } else {
        assertStringIncludes(pages[0]!.html, name === "gopher" ? "runs Python" : "cannot run");
        assertStringIncludes(pages[2]!.html, name === "gopher" ? "runs Python" : "cannot run");
      }
    }
    return offered;
  } finally {
    await site.close();
  }
}

Deno.test("web: a server that does not run is neither to be tried nor to be added, and its pages say why", async () => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  try {
    assertEquals(await offersOf(dataDir, {}), ["fine", "unfinished"]);
    assertEquals(
      await offersOf(dataDir, { EXECUTION_POLICY: "passed", INTERPRETER_PROFILE: "full" }),
      ["fine", "classy"],
    );
    assertEquals(
      await offersOf(dataDir, { EXECUTION_POLICY: "any", INTERPRETER_PROFILE: "full" }),
      ["fine", "failed", "unfinished", "classy"],
    );
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("web: where running takes a token, snippets and links leave clients to sign in", async () => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  const site = await startSite({ dataDir, environment: { EXECUTION_AUTH: "required" } });
  try {
    const anybody = personAt(site);
    const pages = await Promise.all(
      ["cursor", "vscode"].map((id) => anybody.load(`/servers/fine/install?client=${id}`)),
    );
    const html = pages.map((page) => page.html).join("");
    for (const placeholder of ["YOUR_TOKEN", "YOUR%5FTOKEN", "headers", "bearer_token_env_var"]) {
      assert(!html.includes(placeholder), placeholder);
    }
    const links = [...html.matchAll(/href="((?:cursor|vscode):[^"]+)"/g)]
      .map(([, link]) => link!.replaceAll("&amp;", "&"));
    assertEquals(links.length, 2);
    for (const link of links) {
      const [, encoded = ""] = /(?:config=|install\?)([^=&]+)$/.exec(link) ?? [];
      const text = decodeURIComponent(encoded);
      const config = JSON.parse(link.startsWith("cursor:") ? atob(text) : text);
      assertEquals(Object.keys(config).filter((key) => !["name", "type", "url"].includes(key)), []);
    }
    assertStringIncludes(html, "sign in on their own");
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
