import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { codeHostsOf } from "../src/code_host_settings.ts";
import { ConfigError, parseConfig } from "../src/config.ts";

function hosts(variables: Record<string, string>) {
  return codeHostsOf(parseConfig(variables));
}

Deno.test("codeHostsOf() gives github.com where nothing is said", () => {
  assertEquals(hosts({ GITHUB_TOKEN: "t0" }), [
    { kind: "github", host: "github.com", apiUrl: "https://api.github.com", token: "t0" },
  ]);
});

Deno.test("codeHostsOf() asks known services through their own API, without GitHub's token", () => {
  const allow = "github.com,GitLab.com,codeberg.org";
  assertEquals(hosts({ GITHUB_TOKEN: "t0", CODE_HOSTS_ALLOW: allow }), [
    { kind: "github", host: "github.com", apiUrl: "https://api.github.com", token: "t0" },
    { kind: "gitlab", host: "gitlab.com", apiUrl: "https://gitlab.com/api/v4", token: null },
    { kind: "gitea", host: "codeberg.org", apiUrl: "https://codeberg.org/api/v1", token: null },
  ]);
});

Deno.test("codeHostsOf() adds no host for those who said which there are", () => {
  const names = (variables: Record<string, string>) => hosts(variables).map(({ host }) => host);
  assertEquals(names({ CODE_HOSTS_ALLOW: "github.com" }), ["github.com"]);
  assertEquals(names({ CODE_HOSTS_ALLOW: "Git.Example.com,git.example.com" }), ["git.example.com"]);
  assertEquals(names({ CODE_HOSTS: "[]" }), []);
  const one = `[{"kind": "gitlab", "host": "GIT.example.com:8443"}]`;
  assertEquals(hosts({ CODE_HOSTS: one, GITHUB_TOKEN: "t0" }), [{
    kind: "gitlab",
    host: "git.example.com:8443",
    apiUrl: "https://git.example.com:8443/api/v4",
    token: null,
  }]);
  assertEquals(names({ CODE_HOSTS: one, CODE_HOSTS_ALLOW: "github.com" }), [
    "git.example.com:8443",
    "github.com",
  ]);
});

Deno.test("codeHostsOf() gives GitHub's token to GitHub's API only", () => {
  const list = JSON.stringify([
    { kind: "github", host: "github.com", api_url: "https://mirror.example/github/" },
    { kind: "github", host: "git.example.com" },
    { kind: "github", host: "acme.ghe.com", token: "cloud" },
    { kind: "gitlab", host: "gitlab.com", token: "own" },
  ]);
  assertEquals(
    hosts({ CODE_HOSTS: list, GITHUB_TOKEN: "t0" }).map(({ apiUrl, token }) => [apiUrl, token]),
    [
      ["https://mirror.example/github", null],
      ["https://git.example.com/api/v3", null],
      ["https://api.acme.ghe.com", "cloud"],
      ["https://gitlab.com/api/v4", "own"],
    ],
  );
});

Deno.test("CODE_HOSTS is refused with what is wrong, which shows no token", () => {
  for (
    const entry of [
      { kind: "svn", host: "svn.example.com" },
      { kind: "gitlab" },
      { kind: "gitlab", host: "https://git.example.com" },
      { kind: "gitlab", host: "git.example.com/path" },
      { kind: "gitlab", host: "user@git.example.com" },
      { kind: "gitlab", host: "git.example.com", api_url: "http://git.example.com/api/v4" },
      { kind: "gitlab", host: "git.example.com", api_url: "file:///etc/passwd" },
      { kind: "gitlab", host: "git.example.com", secret: "s3cret" },
    ]
  ) {
    const error = assertThrows(
      () => parseConfig({ CODE_HOSTS: JSON.stringify([{ token: "s3cret", ...entry }]) }),
      ConfigError,
    );
    assertStringIncludes(error.problems[0]!, "CODE_HOSTS");
    assertEquals(error.message.includes("s3cret"), false);
  }
  const twice = JSON.stringify(Array(2).fill({ kind: "gitlab", host: "gitlab.com" }));
  assertThrows(() => parseConfig({ CODE_HOSTS: twice }), ConfigError);
});
