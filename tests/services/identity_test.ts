import { assertEquals } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import { identityDeps } from "../../src/services/identity.ts";
import { openTestDatabase } from "../helpers/database.ts";
import { silentLogger } from "../helpers/log.ts";

Deno.test("tokens name groups with a provider of one's own only: else sign-ins do", async () => {
  const { sql, close } = await openTestDatabase();
  const keeps = (more: Record<string, string>) =>
    identityDeps({
      config: parseConfig({ SIGN_IN_GROUPS_CLAIM: "groups", ...more }),
      sql,
      log: silentLogger(),
      publicUrl: "http://127.0.0.1:8000",
      issued: { isRevoked: () => false, noteUse() {} },
    }).groups !== undefined;
  try {
    assertEquals(keeps({}), false);
    assertEquals(keeps({ OIDC_ISSUER: "https://id.example", OIDC_AUDIENCE: "berth" }), true);
  } finally {
    await close();
  }
});
