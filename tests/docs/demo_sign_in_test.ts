import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { prepareDataDir } from "../helpers/database.ts";
import { DEMO_ADMINISTRATOR, DEMO_CLIENT, demoSignIn } from "../helpers/demo_sign_in.ts";
import { startTokenIssuer, type TokenIssuer } from "../helpers/token_issuer.ts";
import { personAt, startSite } from "../web/harness.ts";

Deno.test("in the demo a visitor signs in as one of a few people, one of whom administers", async () => {
  const issuer: TokenIssuer = await startTokenIssuer({
    behindMs: 30_000,
    site: demoSignIn(() => issuer),
  });
  const dataDir = await prepareDataDir();
  const site = await startSite({
    dataDir,
    environment: {
      BUILD_POLICY: "off",
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_CLIENT_ID: DEMO_CLIENT,
      ADMIN_SUBJECTS: DEMO_ADMINISTRATOR,
    },
  });
  try {
    for (const [user, mayAdminister] of [["ada", false], [DEMO_ADMINISTRATOR, true]] as const) {
      const person = personAt(site);
      const who = await person.load("/login?to=/profile");
      assertStringIncludes(who.html, "Who are you?");
      const link = new RegExp(`href="(/authorize\\?[^"]*as=${user}[^"]*)"`).exec(who.html)![1]!;
      const profile = await person.load(`${issuer.url}${link.replaceAll("&amp;", "&")}`);
      assertEquals([profile.status, profile.url.pathname], [200, "/profile"], profile.html);
      assertMatch(profile.html, new RegExp(user));
      assertEquals(
        (await person.load("/admin")).html.includes("Administration</h1>"),
        mayAdminister,
      );
    }
    const stranger = `${issuer.url}/authorize?client_id=${DEMO_CLIENT}&redirect_uri=`;
    for (const address of ["https://evil.example/callback", "nothing"]) {
      const answer = await fetch(`${stranger}${encodeURIComponent(address)}&as=ada`);
      assertEquals(answer.status, 400);
      await answer.body?.cancel();
    }
    const token = await fetch(`${issuer.url}/token`, { method: "POST", body: "code=1" });
    assertEquals([token.status, (await token.json()).error], [400, "invalid_grant"]);
  } finally {
    await site.close();
    await issuer.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
