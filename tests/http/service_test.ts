import { assertEquals } from "@std/assert";
import { parseConfig } from "../../src/config.ts";
import { describeService } from "../../src/services/description.ts";

const URL = "https://registry.example/berth";

Deno.test("describeService() names the embedded issuer and the command line's client there", () => {
  const config = parseConfig({ WORKER_URL: "https://run.example" });
  assertEquals(describeService(config, URL), {
    name: "Berth",
    version: describeService(config, URL).version,
    api_url: `${URL}/api/v1`,
    mcp_url: "https://run.example/mcp",
    sign_in: {
      issuer: `${URL}/oidc`,
      client_id: "berth-cli",
      audience: "berth",
      scope: "openid email offline_access berth",
    },
    execution: { policy: "unless-failed", profile: "restricted", capabilities: "show" },
  });
});

Deno.test("describeService() names another provider, its first audience and the client there", () => {
  const external = { OIDC_ISSUER: "https://id.example", OIDC_AUDIENCE: "one,two" };
  const scope = "openid email offline_access";
  const signIn = (variables: Record<string, string>) =>
    describeService(parseConfig({ ...external, ...variables }), URL).sign_in;
  const expected = { issuer: "https://id.example", audience: "one", scope };
  assertEquals(signIn({ OIDC_CLIENT_ID: "terminal" }), { ...expected, client_id: "terminal" });
  assertEquals(signIn({ OIDC_CLIENT_ID: "web", OIDC_CLI_CLIENT_ID: "terminal" }), {
    ...expected,
    client_id: "terminal",
  });
  assertEquals(signIn({}), { ...expected, client_id: null });
});
