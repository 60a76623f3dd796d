/** Signs of capabilities on pages, and the page where administrators decide. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../src/database/open.ts";
import { createServer } from "../../src/registry/servers/create.ts";
import { namedScan } from "../helpers/capable_servers.ts";
import { prepareDataDir, silentLog } from "../helpers/database.ts";
import { callerOf, serverInput, testRegistry } from "../helpers/registry.ts";
import { personAt, signIn, signUp, startSite, withDatabase } from "./harness.ts";

Deno.test("web: capabilities have signs and a filter, and an administrator decides on a page", async () => {
  const dataDir = await prepareDataDir();
  const database = await openDatabase({ dataDir, log: silentLog });
  const deps = testRegistry(database, { scan: namedScan });
  for (const name of ["sql-store", "commands-shell", "weather"]) {
    await createServer(deps, callerOf("eve"), serverInput(name), { requestId: "r" });
  }
  await database.close();
  const environment = { BUILD_POLICY: "off", CAPABILITY_POLICY: "ask" };
  const before = await startSite({ dataDir, environment });
  await signUp(before, "ada@example.com");
  await signIn(personAt(before), "ada@example.com");
  await before.close();
  await withDatabase(dataDir, async (sql) => {
    await sql`update users set is_admin = true`;
  });
  const site = await startSite({ dataDir, environment });
  try {
    const anybody = personAt(site);
    const list = (await anybody.load("/")).html;
    assertStringIncludes(list, "Runs SQL");
    assertStringIncludes(list, "Runs commands");
    const filtered = (await anybody.load("/?capability=sql")).html;
    assertStringIncludes(filtered, "/servers/sql-store");
    assertEquals(filtered.includes("/servers/commands-shell"), false);

    const waiting = (await anybody.load("/servers/sql-store")).html;
    assertStringIncludes(waiting, "Waits for permission");
    assertStringIncludes(waiting, "waits for an administrator of this registry to allow that");
    assertEquals(waiting.includes("Decide as an administrator"), false);
    assertEquals((await anybody.load("/admin/capabilities")).html.includes("run_sql"), false);

    const ada = personAt(site);
    await signIn(ada, "ada@example.com");
    assertStringIncludes((await ada.load("/admin")).html, "Servers that wait for permission");
    assertStringIncludes((await ada.load("/servers/sql-store")).html, "Decide as an administrator");
    const queue = await ada.load("/admin/capabilities");
    for (const text of ["sql-store", "commands-shell", "run_sql", "server.py:3"]) {
      assertStringIncludes(queue.html, text);
    }
    // The first form is that of commands-shell, by name.
    const unreasoned = await ada.send(queue, "/admin/capabilities", {
      answer: "allow",
      reason: " ",
    });
    assertEquals(unreasoned.status, 400);
    assertStringIncludes(unreasoned.html, "The reason must");
    const outdated = await ada.send(queue, "/admin/capabilities", {
      answer: "allow",
      reason: "Fine",
      capabilities: "sql",
    });
    assertEquals(outdated.status, 409);
    assertStringIncludes(outdated.html, "Now: commands");
    const allowed = await ada.send(queue, "/admin/capabilities", {
      answer: "allow",
      reason: "<b>Fine</b>",
    });
    assertEquals(allowed.status, 200);
    assertEquals(allowed.html.includes("case-commands-shell"), false);
    const answered = (await ada.load("/admin/capabilities?state=allowed")).html;
    assertStringIncludes(answered, "&lt;b&gt;Fine&lt;/b&gt;");
    const page = (await anybody.load("/servers/commands-shell")).html;
    assertStringIncludes(page, "Permitted");
    assert(page.includes("Try it"));
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
