import { assert, assertEquals } from "@std/assert";
import { checkMetadata } from "../../../src/issuer/clients/metadata.ts";
import { redirectFault } from "../../../src/issuer/clients/redirects.ts";

Deno.test("redirectFault() lets https and loopback through, and nothing else", async (t) => {
  const good = [
    "https://app.example/callback",
    "https://app.example:8443/a?b=c",
    "http://127.0.0.1:33418/",
    "http://localhost/callback",
    "http://[::1]:5000/cb",
  ];
  for (const redirect of good) assertEquals(redirectFault(redirect), null, redirect);
  const bad = [
    "",
    "/callback",
    "http://app.example/callback",
    "http://127.0.0.1.app.example/",
    "http://localhost.app.example/",
    "http://127.0.0.2/",
    "http://0.0.0.0/",
    "https://localhost/callback",
    "https://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "cursor://callback",
    "com.example.app:/callback",
    "https://app.example/cb#x",
    "https://app.example/cb#",
    "https://user@app.example/",
    "https://user:pass@app.example/",
    "https://app.example\\@evil.example/",
    "https://app.example /",
    "https://app.example/\u0000",
    "https://*.example/",
    " https://app.example/",
    `https://app.example/${"a".repeat(1000)}`,
  ];
  for (const redirect of bad) {
    await t.step(JSON.stringify(redirect.slice(0, 40)), () => {
      assert(redirectFault(redirect) !== null);
    });
  }
});

const CLIENT = { client_name: "Editor", redirect_uris: ["http://127.0.0.1/cb"] };

Deno.test("checkMetadata() makes every client public, whatever it asks for", () => {
  const checked = checkMetadata("c1", {
    ...CLIENT,
    redirect_uris: ["http://127.0.0.1/cb", "https://a.example/cb", "http://127.0.0.1/cb"],
    client_id: "chosen",
    client_secret: "chosen",
    token_endpoint_auth_method: "client_secret_post",
    grant_types: ["authorization_code", "refresh_token", "client_credentials", "password"],
    response_types: ["code", "token"],
    application_type: "web",
    scope: "admin",
    jwks_uri: "http://169.254.169.254/",
    logo_uri: "javascript:alert(1)",
    subject_type: "pairwise",
    sector_identifier_uri: "http://10.0.0.1/",
    __proto__: { x: 1 },
  });
  assert(checked.kind === "accepted");
  assertEquals(checked.metadata, {
    client_id: "c1",
    client_name: "Editor",
    application_type: "native",
    redirect_uris: ["http://127.0.0.1/cb", "https://a.example/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
});

Deno.test("checkMetadata() refuses what it cannot use, and says what", async (t) => {
  const cases: [string, unknown, string][] = [
    ["no redirects", { client_name: "x" }, "invalid_client_metadata"],
    ["an empty list", { redirect_uris: [] }, "invalid_client_metadata"],
    ["too many", {
      redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`),
    }, "invalid_client_metadata"],
    ["a text", { redirect_uris: "https://a.example/" }, "invalid_client_metadata"],
    ["a scheme", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["one bad of two", {
      redirect_uris: ["https://a.example/", "http://a.example/"],
    }, "invalid_redirect_uri"],
    ["no name", { ...CLIENT, client_name: "" }, "invalid_client_metadata"],
    ["a long name", { ...CLIENT, client_name: "x".repeat(101) }, "invalid_client_metadata"],
    ["a name that reads backwards", {
      ...CLIENT,
      client_name: "abc\u202Ecba",
    }, "invalid_client_metadata"],
    ["a name of two lines", { ...CLIENT, client_name: "a\nb" }, "invalid_client_metadata"],
    ["another grant only", { ...CLIENT, grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["another response", { ...CLIENT, response_types: ["token"] }, "invalid_client_metadata"],
    ["no object", "text", "invalid_client_metadata"],
    ["null", null, "invalid_client_metadata"],
  ];
  for (const [name, document, error] of cases) {
    await t.step(name, () => {
      const checked = checkMetadata("c1", document);
      assert(checked.kind === "refused");
      assertEquals(checked.error, error);
      assert(checked.fault.length > 0 && checked.fault.length <= 200);
    });
  }
});
