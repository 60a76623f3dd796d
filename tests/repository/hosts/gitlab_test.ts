import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { archiveOf, commitId, packArchive } from "../../helpers/code_host_archive.ts";
import type { HostedRepository } from "../../helpers/code_host.ts";
import { absent, GITLAB_TOKEN, startGitLab, tooMany } from "../../helpers/code_hosts/gitlab.ts";
import { failure, get, withHost } from "../../helpers/code_hosts/fetching.ts";

const SERVER = { "server.py": "print(1)\n", "README.md": "# Weather\n" };
const URL_OF = "https://gitlab.com/acme/tools/weather";

const WEATHER: HostedRepository = {
  owner: "Acme/Tools",
  name: "Weather",
  files: { ...SERVER, "servers/rain/main.py": "rain" },
  branches: { "feature/x": { "server.py": "feature" } },
  tags: { "v1.0": { "server.py": "one", "sub/tool.py": "one" } },
  forkCommits: [{ "server.py": "evil" }],
};

Deno.test("fetchRepository() fetches from groups of groups at GitLab", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    const got = await get(host, "git@gitlab.com:acme/tools/weather.git");
    assertEquals([got.owner, got.name, got.ref, got.folder], ["Acme/Tools", "Weather", null, ""]);
    assertEquals(got.url, "https://gitlab.com/Acme/Tools/Weather");
    assertEquals([...got.files.keys()], ["README.md", "server.py", "servers/rain/main.py"]);
    assertEquals(host.requests.api.map(({ path }) => path), [
      "/api/v4/projects/acme%2Ftools%2Fweather",
      "/api/v4/projects/41/repository/branches/main",
      `/api/v4/projects/41/repository/archive.tar.gz?sha=${got.commit}`,
    ]);
  }));

Deno.test("fetchRepository() finds branches, tags and commits at GitLab, in both spellings", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    for (const mark of ["tree", "-/tree"]) {
      const at = (tail: string, entrypoint = "server.py") =>
        get(host, `${URL_OF}/${mark}/${tail}`, entrypoint);
      const tag = await at("v1.0/sub", "tool.py");
      assertEquals([tag.ref, tag.folder], ["v1.0", "sub"]);
      const feature = await at("feature/x");
      assertEquals([feature.ref, feature.folder], ["feature/x", ""]);
      const folder = await at("main/servers/rain", "main.py");
      assertEquals([folder.ref, folder.folder], ["main", "servers/rain"]);
      assertEquals((await at(folder.commit.slice(0, 9))).commit, folder.commit);
    }
  }));

Deno.test("fetchRepository() refuses commits at GitLab that only a merge request has", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    const id = await commitId({ "server.py": "evil" }, "Acme/Tools/Weather:fork");
    const error = await failure(get(host, `${URL_OF}/-/tree/${id}`));
    assertEquals(error.code, "repository_refused");
    assertStringIncludes(error.message, "is on no branch");
    const merge = await failure(get(host, `${URL_OF}/-/tree/refs/merge-requests/1/head`));
    assertStringIncludes(merge.message, "was not found in Acme/Tools/Weather");
  }));

Deno.test("fetchRepository() follows a project that was moved at GitLab", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    host.intercept((path) =>
      path.endsWith("/projects/old%2Fname")
        ? new Response(null, { status: 301, headers: { location: "/api/v4/projects/41" } })
        : null
    );
    const got = await get(host, "https://gitlab.com/old/name", "server.py", GITLAB_TOKEN);
    assertEquals(got.url, "https://gitlab.com/Acme/Tools/Weather");
    assert(
      host.requests.api.every(({ authorization }) => authorization === `Bearer ${GITLAB_TOKEN}`),
    );
  }));

Deno.test("fetchRepository() tells missing and hidden projects of GitLab apart for nobody", () =>
  withHost(startGitLab([WEATHER, { ...WEATHER, name: "Secret", private: true }]), async (host) => {
    const open = await host.add({ ...WEATHER, name: "members-only" });
    host.intercept((path) =>
      path.endsWith("members-only")
        ? Response.json({
          id: open.id,
          path_with_namespace: "Acme/Tools/members-only",
          visibility: "public",
          repository_access_level: "private",
          default_branch: "main",
        })
        : null
    );
    for (const name of ["nothing", "secret", "members-only"]) {
      for (const token of [undefined, GITLAB_TOKEN]) {
        const url = `https://gitlab.com/acme/tools/${name}`;
        const error = await failure(get(host, url, "server.py", token));
        assertEquals(error.code, "repository_refused");
        assertEquals(
          error.message,
          `Repository acme/tools/${name} was not found on gitlab.com: it does not exist or is private`,
        );
      }
    }
  }));

Deno.test("fetchRepository() says of an empty project at GitLab that it is empty", () =>
  withHost(startGitLab([{ owner: "acme", name: "empty" }]), async (host) => {
    for (const tail of ["", "/-/tree/main"]) {
      const error = await failure(get(host, `https://gitlab.com/acme/empty${tail}`));
      assertStringIncludes(error.message, "acme/empty has no commits");
    }
  }));

Deno.test("fetchRepository() waits as GitLab asks, and names it", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    const reset = Date.UTC(2026, 10, 1, 0, 1) / 1000;
    for (
      const [answer, problem, wait] of [
        [() => tooMany(17), "gitlab.com is rate-limiting Berth", "17"],
        [
          () =>
            new Response("Retry later", {
              status: 429,
              headers: { "ratelimit-remaining": "0", "ratelimit-reset": String(reset) },
            }),
          "gitlab.com is rate-limiting Berth",
          "60",
        ],
        [
          () =>
            new Response("", {
              status: 429,
              headers: { "retry-after": "Sun, 01 Nov 2026 00:00:30 GMT" },
            }),
          "gitlab.com is rate-limiting Berth",
          "30",
        ],
        [
          () => Response.json({ message: "502" }, { status: 502 }),
          "gitlab.com returned status 502",
          "60",
        ],
        [() => new Response("<!doctype html>"), "gitlab.com returned an unexpected API", "60"],
        [
          () => Response.json({ message: "401 Unauthorized" }, { status: 401 }),
          "gitlab.com returned status 401",
          "60",
        ],
      ] as const
    ) {
      for (const part of ["/projects/acme", "/archive"]) {
        host.intercept((path) => path.includes(part) ? answer() : null);
        const error = await failure(get(host, URL_OF));
        if (problem.includes("unexpected") && part === "/archive") continue;
        assertEquals(error.code, "unavailable", problem);
        assertStringIncludes(error.message, problem);
        assertEquals(error.headers["Retry-After"], wait, problem);
      }
    }
    host.intercept((path) => path.includes("/archive") ? absent("File") : null);
    assertStringIncludes((await failure(get(host, URL_OF))).message, "was not found on gitlab.com");
  }));

Deno.test("fetchRepository() takes no answer of GitLab that has another shape", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    const project = { id: 41, path_with_namespace: "acme/weather", visibility: "public" };
    for (
      const answer of [
        null,
        [],
        "public",
        { ...project, id: "../41" },
        { ...project, id: -1 },
        { ...project, path_with_namespace: "weather" },
        { ...project, path_with_namespace: "acme/<b>" },
        { ...project, path_with_namespace: "acme/../../x y" },
        { ...project, default_branch: 7 },
        { ...project, default_branch: "x".repeat(501) },
      ]
    ) {
      host.intercept((path) => path.includes("/projects/acme") ? Response.json(answer) : null);
      const error = await failure(get(host, URL_OF));
      assertStringIncludes(error.message, "gitlab.com returned an unexpected API response");
    }
    host.intercept((path) =>
      path.includes("/branches/") ? Response.json({ commit: { id: "../../etc" } }) : null
    );
    assertStringIncludes((await failure(get(host, URL_OF))).message, "unexpected API response");
    host.intercept((path) =>
      path.includes("/branches/") ? Response.json({ commit: { id: "a".repeat(64) } }) : null
    );
    assertStringIncludes((await failure(get(host, URL_OF))).message, "SHA-256 commit ids");
  }));

Deno.test("fetchRepository() stops reading an answer of GitLab that does not end", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    let sent = 0;
    host.intercept(() =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 65_536;
            controller.enqueue(new Uint8Array(65_536).fill(0x20));
          },
        }),
      )
    );
    const error = await failure(get(host, URL_OF));
    assertEquals(error.code, "unavailable");
    assert(sent < 50_000_000, `${sent} bytes were taken`);
  }));

Deno.test("fetchRepository() takes no archive of GitLab that is another commit's, or a bomb", () =>
  withHost(startGitLab([WEATHER]), async (host) => {
    const files = { "server.py": "print(2)" };
    const archives: [Uint8Array, string][] = [
      [await archiveOf(files, { top: "weather", commit: "b".repeat(40) }), "of another commit"],
      [
        await packArchive([{
          header: { name: "weather/server.py", type: "file", size: 30_000_000 },
          body: new Uint8Array(30_000_000),
        }]),
        "cannot be used",
      ],
    ];
    for (const [archive, problem] of archives) {
      host.intercept((path) =>
        path.includes("/archive") ? new Response(archive as Uint8Array<ArrayBuffer>) : null
      );
      const error = await failure(get(host, URL_OF));
      assertEquals(error.code, "repository_refused");
      assertStringIncludes(error.message, problem);
    }
  }));

Deno.test("fetchRepository() sends GitLab's token nowhere else", () =>
  withHost(startGitLab([WEATHER], { archivesElsewhere: true }), async (host) => {
    await get(host, URL_OF, "server.py", GITLAB_TOKEN);
    assertEquals(host.requests.archives.map(({ authorization }) => authorization), [null]);
    assert(
      host.requests.api.every(({ authorization }) => authorization === `Bearer ${GITLAB_TOKEN}`),
    );
    // The project's answer sends to another host, which would learn the token.
    const thief = await startGitLab([WEATHER]);
    try {
      const location = `${thief.settings.apiUrl}/projects/41`;
      host.intercept((path) =>
        path.includes("/projects/acme")
          ? new Response(null, { status: 302, headers: { location } })
          : null
      );
      await get(host, URL_OF, "server.py", GITLAB_TOKEN);
      assertEquals(thief.requests.api.map(({ authorization }) => authorization), [null]);
    } finally {
      await thief.close();
    }
  }));
