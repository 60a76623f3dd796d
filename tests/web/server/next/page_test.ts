/** What authors see of their servers: next steps, and all of them at a glance on the profile. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../../../src/database/open.ts";
import { createServer } from "../../../../src/registry/servers/create.ts";
import type { SecurityReport } from "../../../../src/scan/schema.ts";
import { prepareDataDir, silentLog } from "../../../helpers/database.ts";
import { callerOf, reportOn, serverInput, testRegistry } from "../../../helpers/registry.ts";
import { personAt, signIn, signUp, startSite, withDatabase } from "../../harness.ts";

const MARKUP = `<script>hacked()</script>`;

function fix(title: string, priority: "high" | "low", findings: string[]) {
  return { title, priority, action: `Mend ${MARKUP}`, findings };
}

const FIXES: SecurityReport["recommendation_details"] = [
  fix("Small", "low", ["l1", "l2"]),
  fix("One", "high", ["h1"]),
  fix("Three", "high", [`h"2&`, "h3", "h4"]),
];

const BUILD = { runs: "yes", profile: "full", problem: null, reason: null } as const;

/** Servers of ada's and one of eve's; one of them has started. */
async function prepare(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, {
    scan: (request) =>
      Promise.resolve({ ...reportOn(request), recommendation_details: FIXES } as SecurityReport),
  });
  for (const name of ["weather", "quiet", "other", "rusty"]) {
    const input = serverInput(name, name === "rusty" ? { lang: "rust" } : {});
    await createServer(deps, callerOf("eve"), input, { requestId: "r" });
  }
  await database.close();
  const site = await startSite({ dataDir, environment: { BUILD_POLICY: "off" } });
  for (const name of ["ada", "bob"]) {
    await signUp(site, `${name}@example.com`);
    await signIn(personAt(site), `${name}@example.com`);
  }
  await site.close();
  await withDatabase(dataDir, async (sql) => {
    await sql`
      update servers set owner = (select subject from users where username = 'ada')
      where name <> 'other'`;
    await sql`
      update servers set runs = 'yes', total_issues = 6, critical_issues = 4
      where name = 'weather'`;
    await sql`
      update servers set publishers = array(select publisher_code::text from users)
      where name = 'weather'`;
    const compatibility = { build: { ...BUILD, tools_listed: 2, duration_ms: 812.4 } };
    await sql`
      update server_reports
      set report = (report::jsonb || ${sql.json({ compatibility } as never)}::jsonb)::json
      where name = 'weather'`;
    await sql`
      insert into server_calls (server, day, calls, errors)
      values ('weather', current_date, 200, 9), ('weather', current_date - 200, 5, 5)`;
  });
}

Deno.test("authors see what to do next, and their servers at a glance", async (t) => {
  const dataDir = await prepareDataDir();
  await prepare(dataDir);
  const site = await startSite({ dataDir, environment: { BUILD_POLICY: "off" } });
  const ada = personAt(site);
  try {
    await signIn(ada, "ada@example.com");
    const { html } = await ada.load("/servers/weather/next");
    await t.step(
      "the page has time, badge, install link and the chosen client's snippet",
      async () => {
        assertStringIncludes(html, "Your server started in 812 ms and listed 2 tools");
        assertStringIncludes(html, `[![Berth scan](${site.url}/servers/weather/badge.svg)]`);
        assertStringIncludes(html, `<code>${site.url}/servers/weather/install</code>`);
        assertStringIncludes(html, "claude mcp add");
        const goose = await ada.load("/servers/weather/next?client=goose");
        assertStringIncludes(goose.html, "The snippet for Goose");
      },
    );
    await t.step("the file that makes a verified publisher, for the owner", async () => {
      const { html: unnamed } = await ada.load("/servers/quiet/next");
      assertMatch(unnamed, /berth-publisher\.txt[\s\S]*<code>[0-9a-f]{8}-[0-9a-f-]{27}</);
      assertStringIncludes(html, "The repository names your account");
      for (const path of ["/servers/weather", "/?sort=name", "/"]) {
        assertStringIncludes((await ada.load(path)).html, "Verified publisher");
      }
      assertEquals((await ada.load("/servers/quiet")).html.includes("Verified publisher"), false);
    });
    await t.step("what settles most of the worst comes first, as text", () => {
      const places = ["Three", "One", "Small"].map((title) => html.indexOf(`>${title}`));
      assert(places.every((place) => place > 0), html);
      assertEquals(places, places.toSorted((a, b) => a - b));
      assertStringIncludes(html, "Settles 3 findings");
      assertStringIncludes(html, "?finding=h%222%26#finding-h%222%26");
      assertEquals(html.includes(MARKUP), false);
    });
    await t.step("a server that has not been started says so", async () => {
      assertStringIncludes(
        (await ada.load("/servers/quiet/next")).html,
        "It has not been started here yet",
      );
    });
    await t.step("one that may not run is not said to start soon", async () => {
      const { html } = await ada.load("/servers/rusty/next");
      assertStringIncludes(html, "Berth runs Python servers only");
      assertEquals(html.includes("It has not been started here yet"), false);
      const profile = (await ada.load("/profile")).html;
      const starts = [...profile.matchAll(/data-label="Start">(?:<[^>]+>)*\s*(not \w+)/g)];
      assertEquals(starts.map(([, text]) => text), ["not yet", "not started"]);
    });
    await t.step("the profile has calls, errors, findings and the way on", async () => {
      const profile = (await ada.load("/profile")).html;
      assertStringIncludes(profile, "200 calls in 30 days");
      assertMatch(profile, /data-label="Errors"[^>]*>\s*9 \(5 %\)/);
      assertMatch(profile, /6, 4 severe/);
      assertMatch(profile, /data-label="Errors"[^>]*>\s*no calls/);
      assertStringIncludes(profile, "/servers/weather/next");
      assertEquals(profile.includes("/servers/other"), false);
    });
    await t.step("nobody else has the page, nor a way to it", async () => {
      assertEquals((await ada.load("/servers/other/next")).status, 403);
      assertEquals((await ada.load("/servers/nobody/next")).status, 404);
      const bob = personAt(site);
      await signIn(bob, "bob@example.com");
      assertEquals((await bob.load("/servers/weather/next")).status, 403);
      assertEquals((await bob.load("/servers/weather")).html.includes("/weather/next"), false);
      const anybody = await personAt(site).load("/servers/weather/next");
      assertStringIncludes(anybody.url.pathname, "/oidc/interaction/");
    });
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
