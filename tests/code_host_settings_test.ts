import { generateKeyPairSync } from "node:crypto";
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

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const PEM = String(KEY.export({ type: "pkcs1", format: "pem" }));

/** Which hosts have an App, and which. */
function apps(variables: Record<string, string>): [string, string][] {
  return hosts(variables).flatMap(({ host, app }) => app ? [[host, app.id]] : []);
}

Deno.test("codeHostsOf() gives GitHub's App to GitHub's API only, and others their own", () => {
  const variables = { GITHUB_APP_ID: "7", GITHUB_APP_PRIVATE_KEY: PEM };
  assertEquals(apps(variables), [["github.com", "7"]]);
  assertEquals(apps({ ...variables, CODE_HOSTS_ALLOW: "gitlab.com,codeberg.org" }), []);
  const CODE_HOSTS = JSON.stringify([
    { kind: "github", host: "github.com" },
    { kind: "github", host: "git.example.com", app_id: "Iv1.8", app_private_key: PEM },
    { kind: "github", host: "ghe.example.com" },
    { kind: "gitlab", host: "gitlab.com" },
  ]);
  assertEquals(apps({ ...variables, CODE_HOSTS }), [["github.com", "7"], [
    "git.example.com",
    "Iv1.8",
  ]]);
});

Deno.test("an App's key may be in a file or on one line, and is otherwise refused by name", () => {
  const id = { GITHUB_APP_ID: "7" };
  const pkcs8 = String(KEY.export({ type: "pkcs8", format: "pem" }));
  for (const text of [PEM, pkcs8, PEM.replaceAll("\n", "\\n"), `\n${PEM}\n`]) {
    assertEquals(apps({ ...id, GITHUB_APP_PRIVATE_KEY: text }), [["github.com", "7"]]);
  }
  const file = { ...id, GITHUB_APP_PRIVATE_KEY_FILE: "/run/secrets/app.pem" };
  const fromFile = parseConfig(file, (path) => path === "/run/secrets/app.pem" ? PEM : "");
  assertEquals(fromFile.GITHUB_APP_PRIVATE_KEY?.equals(KEY), true);

  const none = () => {
    throw new Deno.errors.NotFound("none");
  };
  const small = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const wrong: [Record<string, string>, string][] = [
    [{ GITHUB_APP_PRIVATE_KEY: PEM }, "GITHUB_APP_ID: must be set"],
    [id, "GITHUB_APP_PRIVATE_KEY: must be set"],
    [
      { ...file, GITHUB_APP_PRIVATE_KEY: PEM },
      "GITHUB_APP_PRIVATE_KEY_FILE: must not be set beside",
    ],
    [file, "GITHUB_APP_PRIVATE_KEY_FILE: must name a file"],
    [{ GITHUB_APP_ID: "7/../8", GITHUB_APP_PRIVATE_KEY: PEM }, "GITHUB_APP_ID: must be the id"],
    ...["s3cret", PEM.slice(0, 300), String(KEY.export({ type: "pkcs8", format: "der" }))].map(
      (text): [Record<string, string>, string] => [
        { ...id, GITHUB_APP_PRIVATE_KEY: text },
        "GITHUB_APP_PRIVATE_KEY: must be a private RSA key",
      ],
    ),
    ...[small, curve].map((key): [Record<string, string>, string] => [
      { ...id, GITHUB_APP_PRIVATE_KEY: String(key.export({ type: "pkcs8", format: "pem" })) },
      "GITHUB_APP_PRIVATE_KEY: must be a private RSA key",
    ]),
    ...[
      { kind: "github", host: "a.example", app_id: "7" },
      { kind: "gitlab", host: "a.example", app_id: "7", app_private_key: PEM },
      { kind: "github", host: "a.example", app_id: "7", app_private_key: "s3cret" },
    ].map((entry): [Record<string, string>, string] => [
      { CODE_HOSTS: JSON.stringify([entry]) },
      "CODE_HOSTS: ",
    ]),
  ];
  for (const [variables, problem] of wrong) {
    const error = assertThrows(() => parseConfig(variables, none), ConfigError);
    assertStringIncludes(error.message, problem);
    assertEquals(/s3cret|BEGIN/.test(error.message), false);
  }
});
