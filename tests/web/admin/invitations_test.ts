/** Administrators invite others in the browser. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { prepareDataDir } from "../../helpers/database.ts";
import { personAt, signIn, signUp, startSite, withDatabase } from "../harness.ts";

const PATH = "/admin/invitations";

Deno.test("administrators make links that make accounts, see the open ones, and withdraw them", async (t) => {
  const dataDir = await prepareDataDir();
  const environment = { BUILD_POLICY: "off" };
  const first = await startSite({ dataDir, environment });
  await signUp(first, "ada@example.com");
  await signIn(personAt(first), "ada@example.com");
  await first.close();
  await withDatabase(dataDir, (sql) => sql`update users set is_admin = true`);
  const site = await startSite({ dataDir, environment });
  const ada = personAt(site);
  try {
    await signIn(ada, "ada@example.com");
    const empty = await ada.load(PATH);
    assertStringIncludes(empty.html, "No invitations are open");
    await t.step("the link works once, and makes an account", async () => {
      const made = await ada.send(empty, PATH, { email: "Grace@Example.com" });
      assertEquals(made.status, 200);
      const link = /http:[^<\s]*\/oidc\/invitation\?token=[\w-]+/.exec(made.html)?.[0];
      assert(link !== undefined, made.html);
      const listed = (await ada.load(PATH)).html;
      assertStringIncludes(listed.toLowerCase(), "grace@example.com");
      assertEquals(listed.includes("token="), false);
      const page = await personAt(site).load(link.slice(new URL(link).origin.length));
      assertEquals(page.status, 200);
      assertStringIncludes(page.html.toLowerCase(), "password");
    });
    await t.step("what is no address, and one with an account, are refused", async () => {
      for (const [email, status] of [["nobody", 400], ["ada@example.com", 409]] as const) {
        const refused = await ada.send(await ada.load(PATH), PATH, { email });
        assertEquals(refused.status, status);
        assertStringIncludes(refused.html, `value="${email}"`);
      }
    });
    await t.step("a withdrawn one is gone, and the audit log says so", async () => {
      const page = await ada.load(PATH);
      const withdrawn = await ada.send(page, PATH, { withdraw: "grace@example.com" });
      assertStringIncludes(withdrawn.html, "No invitations are open");
      assertStringIncludes((await ada.load("/admin/audit")).html, "account.invite_withdraw");
    });
    await t.step("nobody else may", async () => {
      const page = await personAt(site).load(PATH);
      assertEquals(page.html.includes("Make a link"), false);
    });
  } finally {
    await site.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
