/** Private repositories by the operator's GitHub App: for whom they name, and for nobody else. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { accountCodes } from "../../../src/repository/app/right.ts";
import { checkApp, createAppTokens } from "../../../src/repository/app/tokens.ts";
import { fetchRepository } from "../../../src/repository/fetch.ts";
import { depsFor, failure } from "../../helpers/code_hosts/fetching.ts";
import { type AppHost, appKey, startGitHubWithApp } from "../../helpers/code_hosts/github_app.ts";
import { startGitLab } from "../../helpers/code_hosts/gitlab.ts";
import { describeDatabases } from "../../helpers/database.ts";

const ALICE = "0c6f1c1e-9d1a-4b7e-8a52-2f6f0f3b1a77";
const BOB = "5ad2b5b0-3c0e-4c39-9f62-7d0f3ad9f2c1";
const CODES: Record<string, string> = { alice: ALICE, bob: BOB };
const START = Date.parse("2026-11-01T00:00:00Z");
const URL_OF = (path: string) => `https://github.com/${path}`;

function repository(name: string, publisher: string | null, owner = "acme") {
  const files = { "server.py": "1", ...(publisher && { "berth-publisher.txt": publisher }) };
  return { owner, name, files, private: true };
}

/** Alice's, Bob's, one that names nobody, and a copy of Alice's. */
const REPOSITORIES = [
  repository("alices", `# who reads this\n${ALICE} github.com/Acme/Alices\n`),
  repository("bobs", `${BOB} github.com/acme/bobs`),
  repository("closed", null),
  repository("alices", `${ALICE} github.com/acme/alices`, "copycat"),
  repository("unbound", ALICE),
];

interface World {
  host: AppHost;
  /** Milliseconds since the start. */
  pass(ms: number): void;
  fetch(path: string, reader?: string): ReturnType<typeof fetchRepository>;
  /** What fetching is refused with. */
  refusal(path: string, reader?: string): Promise<string>;
}

async function withApp(body: (world: World) => Promise<void>): Promise<void> {
  let now = START;
  const clock = () => new Date(now);
  const host = await startGitHubWithApp(REPOSITORIES, clock);
  for (const { owner, name } of REPOSITORIES) host.installed.add(`${owner}/${name}`);
  const deps = { ...depsFor(host), now: clock };
  const apps = {
    tokenFor: createAppTokens(deps),
    codeOf: (subject: string) => Promise.resolve(CODES[subject] ?? null),
  };
  const get = (path: string, reader?: string) =>
    fetchRepository({ ...deps, apps }, { url: URL_OF(path), entrypoint: "server.py", reader });
  try {
    await body({
      host,
      pass: (ms) => void (now += ms),
      fetch: get,
      refusal: async (path, reader) => {
        const { code, message } = await failure(get(path, reader));
        assertEquals(code, "repository_refused");
        return message;
      },
    });
  } finally {
    await host.close();
  }
}

Deno.test("the App reads a private repository for whom it names, with a token for it alone", () =>
  withApp(async ({ host, fetch }) => {
    const fetched = await fetch("acme/alices", "alice");
    assertEquals([fetched.isPrivate, fetched.name], [true, "alices"]);
    assertEquals(host.issued, [{ repository: "acme/alices", permissions: { contents: "read" } }]);
    // The archive is elsewhere, where the token does not go.
    assertEquals(host.requests.archives.map(({ authorization }) => authorization), [null]);
  }));

Deno.test("the App reads nothing for others, and what they are told is the same for all", () =>
  withApp(async ({ host, refusal }) => {
    const none = (await refusal("acme/none", "alice")).replace("none", "*");
    assertStringIncludes(none, "does not exist, or is private and does not name your account");
    const hostile = [
      ["acme/alices", "bob"],
      ["acme/bobs", "alice"],
      ["acme/closed", "alice"],
      // Copied with its file, or with a line that could be meant for any repository.
      ["copycat/alices", "alice"],
      ["acme/unbound", "alice"],
      ["acme/alices", "nobody"],
      ["acme/alices/tree/main", "bob"],
    ] as const;
    for (const [path, reader] of hostile) {
      const name = path.split("/").slice(0, 2).join("/");
      assertEquals((await refusal(path, reader)).replace(name, "acme/*"), none, path);
    }
    assertStringIncludes(await refusal("acme/alices"), "it does not exist or is private");
    assertEquals(host.requests.archives, []);
  }));

Deno.test("the right is looked at each time: it ends with the line", () =>
  withApp(async ({ host, fetch, refusal }) => {
    await fetch("acme/alices", "alice");
    const hosted = await host.add(repository("later", `${ALICE} github.com/acme/later`));
    host.installed.add("acme/later");
    await fetch("acme/later", "alice");
    await host.push(hosted, "main", { "server.py": "2" });
    await refusal("acme/later", "alice");
  }));

Deno.test("a line on another branch, or in a fork's commit, opens nothing", () =>
  withApp(async ({ host, refusal }) => {
    const files = { "server.py": "1", "berth-publisher.txt": `${ALICE} github.com/acme/forked` };
    await host.add({
      owner: "acme",
      name: "forked",
      private: true,
      files: { "server.py": "0" },
      branches: { mine: files },
      forkCommits: [files],
    });
    host.installed.add("acme/forked");
    for (const tail of ["", "/tree/mine"]) await refusal(`acme/forked${tail}`, "alice");
    assertEquals(host.requests.archives, []);
  }));

Deno.test("public repositories are read without the App", () =>
  withApp(async ({ host, fetch }) => {
    await host.add({ owner: "acme", name: "open", files: { "server.py": "1" } });
    assertEquals((await fetch("acme/open", "alice")).isPrivate, false);
    assert(host.requests.api.every(({ authorization }) => authorization === null));
  }));

Deno.test("a renamed repository has to name where it is now, and is asked for there", () =>
  withApp(async ({ host, fetch, refusal }) => {
    host.renamed.set("old/alices", "acme/alices");
    host.renamed.set("acme/before", "acme/bobs");
    // The App's token is for a name, which is the new one.
    await refusal("acme/before", "bob");
    await fetch("acme/bobs", "bob");
    // Whoever takes a name that became free gets nothing of what had it.
    await refusal("old/alices", "bob");
    await host.add(repository("alices", `${BOB} github.com/old/alices`, "old"));
    host.renamed.delete("old/alices");
    await refusal("old/alices", "bob");
    assertEquals((await fetch("acme/alices", "alice")).owner, "acme");
  }));

Deno.test("a suspended or removed installation opens nothing, also while a token is kept", () =>
  withApp(async ({ host, fetch, refusal }) => {
    host.suspended.add("acme");
    await refusal("acme/alices", "alice");
    host.suspended.clear();
    await fetch("acme/alices", "alice");
    host.suspended.add("acme");
    host.tokens.clear();
    await refusal("acme/alices", "alice");
    host.suspended.clear();
    host.installed.delete("acme/bobs");
    await refusal("acme/bobs", "bob");
  }));

Deno.test("a refusal by GitHub at the token itself is one too", () =>
  withApp(async ({ host, refusal }) => {
    for (const status of [403, 404, 422]) {
      host.intercept((path) =>
        path.endsWith("/access_tokens") ? Response.json({ message: "No" }, { status }) : null
      );
      await refusal("acme/alices", "alice");
    }
  }));

Deno.test("tokens are kept until shortly before they expire, each for its repository", () =>
  withApp(async ({ host, pass, fetch }) => {
    await fetch("acme/alices", "alice");
    pass(49 * 60_000);
    await fetch("acme/alices", "alice");
    await fetch("acme/bobs", "bob");
    assertEquals(host.issued.map(({ repository }) => repository), ["acme/alices", "acme/bobs"]);
    pass(2 * 60_000);
    await fetch("acme/alices", "alice");
    assertEquals(host.issued.length, 3);
    // A host that gives them for longer is not believed, nor one that gives what has expired.
    host.lastMs = 1e12;
    pass(3_600_000);
    await fetch("acme/alices", "alice");
    pass(3_600_000);
    host.lastMs = -1;
    await fetch("acme/alices", "alice");
    await fetch("acme/alices", "alice");
    assertEquals(host.issued.length, 6);
  }));

Deno.test("a token that ends while a repository is fetched is replaced once", () =>
  withApp(async ({ host, fetch }) => {
    let ended = 0;
    host.intercept((path) => {
      if (!path.includes("/tarball/") || ended++ > 0) return null;
      host.tokens.clear();
      return Response.json({ message: "Bad credentials" }, { status: 401 });
    });
    await fetch("acme/alices", "alice");
    assertEquals(host.issued.length, 2);
    host.intercept((path) =>
      path.includes("/contents/") ? Response.json({ message: "Bad" }, { status: 401 }) : null
    );
    const error = await failure(fetch("acme/alices", "alice"));
    assertEquals(error.code, "unavailable");
    assertStringIncludes(error.message, "does not accept this registry's GitHub App");
  }));

Deno.test("a key that is not the App's, or a failing host, is no fault of the repository", () =>
  withApp(async ({ host, fetch, pass }) => {
    const own = host.privateKey;
    host.privateKey = appKey();
    const error = await failure(fetch("acme/alices", "alice"));
    assertEquals(error.code, "unavailable");
    assertStringIncludes(error.message, "does not accept this registry's GitHub App");
    host.privateKey = own;
    const answers: [string, Response][] = [
      ["/installation", new Response("<html>", { status: 200 })],
      ["/installation", Response.json({ id: "1/../2" })],
      ["/installation", Response.json({ message: "rate limit" }, { status: 429 })],
      ["/access_tokens", Response.json({ token: "a b", expires_at: "x" }, { status: 201 })],
      ["/access_tokens", Response.json({}, { status: 500 })],
      ["/contents/", Response.json({}, { status: 502 })],
    ];
    for (const [part, answer] of answers) {
      host.intercept((path) => path.includes(part) ? answer.clone() : null);
      assertEquals((await failure(fetch("acme/alices", "alice"))).code, "unavailable", part);
      pass(3_600_000);
    }
  }));

Deno.test("neither the App's word for itself nor a request for a token follows a redirect elsewhere", () =>
  withApp(async ({ host, fetch }) => {
    const thief = await startGitLab([]);
    try {
      for (const part of ["/installation", "/access_tokens", "/contents/", "/app"]) {
        for (const status of [301, 307, 308]) {
          const location = `${thief.settings.apiUrl}/x`;
          host.intercept((path) =>
            path.includes(part) ? new Response(null, { status, headers: { location } }) : null
          );
          await fetch("acme/alices", "alice").catch(() => {});
        }
      }
      assert(thief.requests.api.every(({ authorization }) => authorization === null));
    } finally {
      await thief.close();
    }
  }));

Deno.test("checkApp() tells whether the host knows the App by its key", () =>
  withApp(async ({ host }) => {
    const settings = { ...host.settings, app: host.settings.app! };
    const deps = { fetch, resolve: () => Promise.resolve([]), now: () => new Date(START) };
    const { signal } = new AbortController();
    await checkApp(deps, settings, signal);
    const other = { ...settings, app: { ...settings.app, privateKey: appKey() } };
    const error = await failure(checkApp(deps, other, signal));
    assertStringIncludes(error.message, "github.com does not accept this registry's GitHub App");
  }));

describeDatabases((kind, open) => {
  Deno.test(`accountCodes() knows each user's own code, on ${kind}`, async () => {
    const { sql, close } = await open();
    try {
      await sql`
        insert into users (subject, username, created_at)
        values ('a', 'ada', now()), ('b', 'bob', now())`;
      const codeOf = accountCodes(sql);
      const codes = [await codeOf("a"), await codeOf("b")];
      assert(codes.every((code) => code !== null) && codes[0] !== codes[1]);
      assertEquals(await codeOf("a"), codes[0]);
      assertEquals(await codeOf("nobody"), null);
    } finally {
      await close();
    }
  });
});
