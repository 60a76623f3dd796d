/** `berth admin invite`. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { testCli } from "../helpers/cli.ts";
import { startTokenIssuer } from "../helpers/token_issuer.ts";
import { ADMIN, OWNER, stubServices } from "../http/stub_services.ts";

Deno.test("berth admin invite prints the link alone, and says no to who does not administer", async () => {
  const issuer = await startTokenIssuer();
  const { services } = stubServices(issuer);
  const app = createApp(services);
  const env = { BERTH_TOKEN: await issuer.mint({ sub: ADMIN }) };
  await using cli = await testCli(async (url, init) => await app.request(url, init), env);
  try {
    const invited = await cli.run(["admin", "invite", "grace@example.com"]);
    assertEquals(invited.code, 0, invited.err);
    assertEquals(invited.out, "http://127.0.0.1:8000/oidc/invitation?token=4nVx0pGq\n");
    assertStringIncludes(invited.err, "Send the link to grace@example.com");
    const json = await cli.run(["admin", "invite", "grace@example.com", "--json"]);
    assertEquals(json.json.invitation.email, "grace@example.com");
    const wrong = await cli.run(["admin", "invite", "grace"]);
    assertStringIncludes(wrong.err, "must be an email address");
    const other = { BERTH_TOKEN: await issuer.mint({ sub: OWNER }) };
    assertEquals((await cli.run(["admin", "invite", "a@example.com"], { env: other })).code, 1);
  } finally {
    await issuer.close();
  }
});
