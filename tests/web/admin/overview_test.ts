/** The administrators' overview: the queue, the charts, the health. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { noFigures } from "../../../src/figures/figures.ts";
import { addFigures } from "../../../src/figures/store.ts";
import { createServer } from "../../../src/registry/servers/create.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { namedScan } from "../../helpers/capable_servers.ts";
import { prepareDataDir, silentLog } from "../../helpers/database.ts";
import { callerOf, serverInput, testRegistry } from "../../helpers/registry.ts";
import { personAt, signIn, signUp, startSite, withDatabase } from "../harness.ts";

const MARKUP = `<script>hacked()</script>`;
const ENVIRONMENT = { BUILD_POLICY: "off", CAPABILITY_POLICY: "ask" };

/** A registry with an administrator, a server that waits, one without a finished scan, attempts. */
async function prepare(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, { scan: namedScan });
  for (const name of ["sql-store", "weather", "calm"]) {
    await createServer(deps, callerOf("eve"), serverInput(name), { requestId: "r" });
  }
  await database.close();
  const site = await startSite({ dataDir, environment: ENVIRONMENT });
  await signUp(site, "ada@example.com");
  await signIn(personAt(site), "ada@example.com");
  await site.close();
  await withDatabase(dataDir, async (sql) => {
    const now = new Date();
    await sql`update users set is_admin = true`;
    await sql`
      update servers set scan_status = 'error', retries = 3, retry_at = '2999-01-01T00:00:00Z'
      where name = 'weather'`;
    await sql`update servers set scan_status = 'error', retries = 0 where name = 'calm'`;
    for (let n = 0; n < 3; n++) {
      await sql`
        insert into audit_log (at, actor, action, subject, request_id)
        values (${now}, 'system', 'execution.kill', ${MARKUP}, '')`;
    }
    await sql`
      insert into audit_log (at, actor, action, subject, request_id)
      values ('2020-01-01T00:00:00Z', 'system', 'execution.kill', 'long-ago', '')`;
    const at = new Date(now.getTime() - 300_000);
    const figures = { ...noFigures(), calls: 1234, call_errors: 7, scans_failed: 2, scan_ms: 9000 };
    await addFigures(sql, { node: "other:1", now: at, figures });
  });
}

Deno.test("administrators see what wants a decision, charts with their values, and health", async (t) => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  const site = await startSite({ dataDir, environment: ENVIRONMENT });
  const ada = personAt(site);
  try {
    await signIn(ada, "ada@example.com");
    const { html } = await ada.load("/admin");
    await t.step("the queue has what waits, what is retried and what was tried", () => {
      assertStringIncludes(html, "/admin/capabilities#case-sql-store");
      assertStringIncludes(html, "Unfinished after 3 retries");
      assertEquals(html.includes("after 0 retries"), false);
      assertStringIncludes(html, "/servers/calm/manage");
      assertStringIncludes(html, "was ended for what its code did, 3 times");
      assertEquals(html.includes("long-ago"), false);
      assertEquals(html.includes(MARKUP), false);
      assertStringIncludes(html, "&lt;script&gt;hacked()");
    });
    await t.step("each chart says in words what it shows, and has a table", () => {
      assertMatch(html, /aria-label="Calls\. Calls: 1,234, most at [^"]*: 1,234"/);
      assertStringIncludes(html, "Calls with an error: 7");
      assertStringIncludes(html, "4.5 s");
      const charts = (html.match(/class="over-time"/g) ?? []).length;
      assertEquals(charts, 9);
      assert((html.match(/<summary>\s*Values/g) ?? []).length >= 7);
    });
    await t.step("health says how the parts do", () => {
      assertMatch(html, /Database.*?Works/s);
      assertMatch(html, /Code host.*?Not used/s);
      assertMatch(html, /Walls around analysis.*?(Works|Weak)/s);
      assertMatch(html, /Mail.*?Off.*?SMTP_URL is not set/s);
    });
    await t.step("the other spans, and an address that names none", async () => {
      for (const span of ["hour", "week", "quarter", "constructor", "%22%3E%3Cscript%3E"]) {
        const page = await ada.load(`/admin?span=${span}`);
        assertEquals(page.status, 200, span);
        assertStringIncludes(page.html, "1,234");
      }
    });
    await t.step("the configuration has a page of its own, the last tab", async () => {
      assertEquals(html.includes("SCANS_PER_HOUR"), false);
      assertStringIncludes((await ada.load("/admin/configuration")).html, "SCANS_PER_HOUR");
    });
    await t.step("nobody else sees it", async () => {
      for (const path of ["/admin", "/admin/configuration"]) {
        const page = await personAt(site).load(path);
        assertEquals(page.html.includes("1,234") || page.html.includes("SCANS_PER_HOUR"), false);
      }
    });
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
