/** Tokens for code hosts on the pages, and what a publication from a private repository says. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { APP_ID, appKey, startGitHubWithApp } from "../helpers/code_hosts/github_app.ts";
import { GITLAB_TOKEN, startGitLab } from "../helpers/code_hosts/gitlab.ts";
import { personAt, signIn, signUp, startSite } from "./harness.ts";

const EMAIL = "ada@example.com";
const PATH = "/profile/code-hosts";

Deno.test("web: a token for a code host is kept, used and forgotten, and never shown", async () => {
  const host = await startGitLab([{
    owner: "acme",
    name: "secret",
    files: { "server.py": "print(1)\n", "LICENSE": "MIT" },
    private: true,
  }]);
  const site = await startSite({
    environment: {
      SECRETS_KEY: new Uint8Array(32).fill(7).toBase64(),
      CODE_HOSTS: JSON.stringify([
        { kind: "gitlab", host: "gitlab.com", api_url: host.settings.apiUrl },
      ]),
    },
  });
  try {
    await signUp(site, EMAIL);
    const ada = personAt(site);
    const empty = await signIn(ada, EMAIL, PATH);
    assertStringIncludes(empty.html, "You keep none");
    const wrong = await ada.send(empty, PATH, { host: "gitlab.com", path: "a b", token: "t" });
    assertEquals(wrong.status, 400);
    assertStringIncludes(wrong.html, "The path must be an owner");
    const other = await ada.send(empty, PATH, { host: "evil.example", token: "t" });
    assertEquals(other.status, 400);

    const look = { repository: "https://gitlab.com/acme/secret" };
    const missing = await ada.send(await ada.load("/publish"), "/publish/look", look);
    assertStringIncludes(missing.html, "does not exist or is private");
    const kept = await ada.send(empty, PATH, { host: "gitlab.com", token: GITLAB_TOKEN });
    assertStringIncludes(kept.html, "everything");
    assert(!kept.html.includes(GITLAB_TOKEN));
    const found = await ada.send(await ada.load("/publish"), "/publish/look", look);
    assertStringIncludes(found.html, "The repository is private");

    const gone = await ada.send(await ada.load(PATH), `${PATH}/remove`);
    assertStringIncludes(gone.html, "You keep none");
    assert(!JSON.stringify(site.lines).includes(GITLAB_TOKEN));
  } finally {
    await site.close();
    await host.close();
  }
});

Deno.test("web: the page has the line by which a private repository opens to the App", async () => {
  const host = await startGitHubWithApp([], () => new Date());
  host.privateKey = appKey();
  const pem = String(host.privateKey.export({ type: "pkcs1", format: "pem" }));
  const site = await startSite({
    environment: {
      CODE_HOSTS: JSON.stringify([{
        kind: "github",
        host: "github.com",
        api_url: host.settings.apiUrl,
        app_id: APP_ID,
        app_private_key: pem,
      }]),
    },
  });
  try {
    await signUp(site, EMAIL);
    const ada = personAt(site);
    const { html } = await signIn(ada, EMAIL, PATH);
    const line = /[0-9a-f-]{36} github\.com\//.exec(html)?.[0];
    assert(line !== undefined);
    const hosted = await host.add({
      owner: "acme",
      name: "secret",
      files: { "server.py": "print(1)\n", "berth-publisher.txt": `${line}acme/secret\n` },
      private: true,
    });
    const look = { repository: "https://github.com/acme/secret" };
    const before = await ada.send(await ada.load("/publish"), "/publish/look", look);
    assertStringIncludes(before.html, "does not name your account");
    host.installed.add("acme/secret");
    const found = await ada.send(await ada.load("/publish"), "/publish/look", look);
    assertStringIncludes(found.html, "The repository is private");
    await host.push(hosted, "main", { "server.py": "print(2)\n" });
    const closed = await ada.send(await ada.load("/publish"), "/publish/look", look);
    assertStringIncludes(closed.html, "does not name your account");
    assert(!JSON.stringify(site.lines).includes("ghs_"));
  } finally {
    await site.close();
    await host.close();
  }
});
