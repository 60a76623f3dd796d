import { assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { serviceId } from "../../src/keys/services.ts";
import { Configuration, neededVariables, variablesOf } from "../../src/keys/variables.ts";

const GITHUB = {
  service: "GitHub",
  authorization_endpoint: "https://github.com/login/oauth/authorize",
  token_endpoint: "https://github.com/login/oauth/access_token",
  scopes: ["repo"],
};
const base = { name: "GITHUB_TOKEN", hosts: ["api.github.com"] };

function faultOf(variable: Record<string, unknown>): string {
  const parsed = Configuration.safeParse([{ ...base, ...variable }]);
  return parsed.success ? "" : parsed.error.issues.map(({ message }) => message).join("; ");
}

Deno.test("a variable may be the token of a service, which the code never sees", () => {
  const [variable] = variablesOf(
    Configuration.parse([{ ...base, name: "ACCOUNT", required: true, oauth: GITHUB }]),
    [],
  );
  assertEquals(variable!.secret, true);
  assertEquals(variable!.delivery, "placeholder");
  assertEquals(variable!.oauth?.scopes, ["repo"]);
  assertEquals(neededVariables([variable!]), []);
});

Deno.test("a service without hosts, or for a value that the code sees, is refused", () => {
  const issuer = { issuer: "https://accounts.google.com" };
  assertEquals(faultOf({ oauth: issuer }), "");
  for (
    const more of [
      { hosts: undefined },
      { exposed: true },
      { secret: false, hosts: undefined },
      { choices: ["a"] },
      { format: "url" },
    ]
  ) {
    assertStringIncludes(
      faultOf({ oauth: issuer, ...more }),
      "must be set for secrets with hosts",
      JSON.stringify(more),
    );
  }
});

Deno.test("a service has an issuer, or both endpoints on one host", () => {
  assertEquals(faultOf({ oauth: GITHUB }), "");
  const refused: [Record<string, unknown>, string][] = [
    [{}, "must be set, or both"],
    [{ ...GITHUB, issuer: "https://github.com" }, "must be set, or both"],
    [{ authorization_endpoint: GITHUB.authorization_endpoint }, "must be set, or both"],
    [{ ...GITHUB, token_endpoint: "https://evil.example/token" }, "on the host of"],
    [{ ...GITHUB, token_endpoint: "https://github.com:8443/token" }, "on the host of"],
    [{ ...GITHUB, revocation_endpoint: "https://evil.example/revoke" }, "on the host of"],
    [{ issuer: "https://a.example", revocation_endpoint: "https://a.example/r" }, "names its own"],
  ];
  for (const [oauth, fault] of refused) {
    assertStringIncludes(faultOf({ oauth }), fault, JSON.stringify(oauth));
  }
});

Deno.test("addresses of services are https, in one form, and ask for nothing by themselves", () => {
  assertEquals(faultOf({ oauth: { issuer: "http://127.0.0.1:9000" } }), "");
  for (
    const issuer of [
      "http://accounts.google.com",
      "http://127.0.0.1.evil.example",
      "https://user:pass@accounts.google.com",
      "https://accounts.google.com/#x",
      "https://accounts.google.com/?scope=all",
      "https://ACCOUNTS.google.com",
      "https://accounts.google.com:443",
      "https://accounts.google.com/a/../b",
      "https://accounts.google.com\\@evil.example",
      "javascript:alert(1)",
      "accounts.google.com",
    ]
  ) {
    assertStringIncludes(faultOf({ oauth: { issuer } }), "must be an https URL", issuer);
  }
});

Deno.test("parameters and scopes cannot take the place of what Berth says", () => {
  const issuer = "https://accounts.google.com";
  const parameters = (all: Record<string, string>) =>
    faultOf({ oauth: { issuer, parameters: all } });
  assertEquals(parameters({ access_type: "offline", prompt: "consent" }), "");
  for (const name of ["redirect_uri", "state", "client_id", "scope", "request", "response_mode"]) {
    assertNotEquals(parameters({ [name]: "x" }), "", name);
  }
  assertStringIncludes(faultOf({ oauth: { issuer, scopes: ["a b"] } }), "must be one scope");
  assertStringIncludes(faultOf({ oauth: { issuer, scopes: ["a", "a"] } }), "duplicates");
});

Deno.test("each service has an address of its own to return to", () => {
  const ids = [
    serviceId(GITHUB),
    serviceId({ ...GITHUB, token_endpoint: "https://github.com/other" }),
    serviceId({ issuer: "https://github.com" }),
    serviceId({ issuer: "https://github.com/" }),
  ];
  assertEquals(new Set(ids).size, ids.length);
  assertEquals(serviceId({ ...GITHUB }), ids[0]);
});
