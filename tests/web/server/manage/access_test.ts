import { assert, assertEquals } from "@std/assert";
import { openAccessSite, SERVERS } from "../../../access/site.ts";

const HIDDEN = SERVERS.private;
const MANAGE = `/servers/${HIDDEN}/manage`;

Deno.test("owners name readers on the manage page, and signs say who sees a server", async () => {
  const site = await openAccessSite();
  const change = (body: Record<string, string>) =>
    site.ask("owner", "session", `${MANAGE}/access`, { method: "POST", form: true, body });
  const page = async (path: string) => {
    const response = await site.ask("owner", "session", path, { headers: { accept: "text/html" } });
    return await response.text();
  };
  const sees = async () => {
    const response = await site.ask("stranger", "session", `/servers/${HIDDEN}`);
    await response.body?.cancel();
    return response.status === 200;
  };
  try {
    const shown = await page(MANAGE);
    for (const text of ["Access", "named", "box-team", "Private: owners, and those you name"]) {
      assert(shown.includes(text), text);
    }
    for (const path of ["/?sort=name", `/servers/${HIDDEN}`]) {
      const text = await page(path);
      assert(text.includes("Only its owners and those they named see this server"), path);
    }
    assert((await page("/?sort=name")).includes("Only signed-in users see this server"));
    assert(!(await page(`/servers/${SERVERS.public}`)).includes("see this server"));

    assertEquals(await sees(), false);
    const added = await change({ user: "stranger" });
    assertEquals([added.status, added.headers.get("location")], [303, `${MANAGE}#access`]);
    assertEquals(await sees(), true);
    assertEquals((await change({ user: "stranger", remove: "1" })).status, 303);
    assertEquals(await sees(), false);
    assertEquals((await change({ group: "others" })).status, 303);
    assertEquals(await sees(), true);
    assertEquals((await change({ group: "others", remove: "1" })).status, 303);

    for (const wrong of [{ user: "nobody-here" }, { group: "" }, { group: "x".repeat(300) }]) {
      const refused = await change(wrong);
      assertEquals(refused.status, 400, JSON.stringify(wrong));
      assert((await refused.text()).includes('role="alert"'));
    }
    const history = await page(MANAGE);
    assert(history.includes("box-team"));
  } finally {
    await site.close();
  }
});
