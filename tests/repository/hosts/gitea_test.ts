import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { archiveOf, commitId } from "../../helpers/code_host_archive.ts";
import type { HostedRepository } from "../../helpers/code_host.ts";
import { failure, get, withHost } from "../../helpers/code_hosts/fetching.ts";
import {
  absent,
  GITEA_TOKEN,
  repositoryAnswer,
  startGitea,
} from "../../helpers/code_hosts/gitea.ts";

const SERVER = { "server.py": "print(1)\n", "README.md": "# Weather\n" };
const URL_OF = "https://codeberg.org/acme/weather";

const WEATHER: HostedRepository = {
  owner: "Acme",
  name: "Weather",
  files: { ...SERVER, "servers/rain/main.py": "rain" },
  branches: {
    "a": { "server.py": "a" },
    "b": { "server.py": "b" },
    "feature/x": { "server.py": "feature" },
  },
  tags: { "v1.0": { "server.py": "one", "sub/tool.py": "one" } },
  forkCommits: [{ "server.py": "evil" }],
};

Deno.test("fetchRepository() fetches from Gitea, under the names that it has there", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    const got = await get(host, "git@codeberg.org:acme/weather.git");
    assertEquals([got.owner, got.name, got.ref, got.folder], ["Acme", "Weather", null, ""]);
    assertEquals(got.url, "https://codeberg.org/Acme/Weather");
    assertEquals([...got.files.keys()], ["README.md", "server.py", "servers/rain/main.py"]);
    assertEquals(host.requests.api.map(({ path }) => path), [
      "/api/v1/repos/acme/weather",
      "/api/v1/repos/Acme/Weather/branches/main",
      `/api/v1/repos/Acme/Weather/archive/${got.commit}.tar.gz`,
    ]);
  }));

Deno.test("fetchRepository() finds branches, tags and commits at Gitea, in every spelling", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    const at = (tail: string, entrypoint = "server.py") =>
      get(host, `${URL_OF}/${tail}`, entrypoint);
    for (const tail of ["src/tag/v1.0/sub", "src/v1.0/sub", "tree/v1.0/sub"]) {
      const tag = await at(tail, "tool.py");
      assertEquals([tag.ref, tag.folder], ["v1.0", "sub"]);
    }
    for (const tail of ["src/branch/feature/x", "src/feature/x"]) {
      const feature = await at(tail);
      assertEquals([feature.ref, feature.folder], ["feature/x", ""]);
    }
    const old = await at("src/branch/main");
    const repository = await host.add({ owner: "acme", name: "grown", files: SERVER });
    const first = repository.branches.get("main")![0]!;
    await host.push(repository, "main", { "server.py": "new" });
    const grown = await get(host, `https://codeberg.org/acme/grown/src/commit/${first}`);
    assertEquals(grown.commit, first);
    assertEquals((await at(`src/${old.commit.slice(0, 9)}`)).commit, old.commit);
    // On the second page of branches, and a tag's.
    for (const ref of ["feature/x", "v1.0"]) {
      const { commit } = await at(`tree/${ref}`);
      assertEquals((await at(`src/commit/${commit}`)).commit, commit);
    }
    for (const tail of ["src/tag/main", "src/branch/v1.0", `src/branch/${old.commit}`]) {
      assertStringIncludes((await failure(at(tail))).message, "was not found in Acme/Weather");
    }
  }));

Deno.test("fetchRepository() refuses commits at Gitea that only a pull request has", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    const id = await commitId({ "server.py": "evil" }, "Acme/Weather:fork");
    for (const tail of [`src/commit/${id}`, `tree/${id}`]) {
      const error = await failure(get(host, `${URL_OF}/${tail}`));
      assertEquals(error.code, "repository_refused");
      assertStringIncludes(error.message, "is on no branch");
    }
    const pull = await failure(get(host, `${URL_OF}/src/commit/refs/pull/1/head`));
    assertStringIncludes(pull.message, "was not found in Acme/Weather");
  }));

Deno.test("fetchRepository() follows a repository that was renamed at Gitea", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    host.intercept((path) =>
      path.startsWith("/api/v1/repos/old/name")
        ? new Response(null, { status: 307, headers: { location: "/api/v1/repos/Acme/Weather" } })
        : null
    );
    const got = await get(host, "https://codeberg.org/old/name", "server.py", GITEA_TOKEN);
    assertEquals(got.url, "https://codeberg.org/Acme/Weather");
    assert(
      host.requests.api.every(({ authorization }) => authorization === `token ${GITEA_TOKEN}`),
    );
  }));

Deno.test("fetchRepository() tells missing and hidden repositories of Gitea apart for nobody", () =>
  withHost(startGitea([{ ...WEATHER, name: "hidden", private: true }]), async (host) => {
    const open = await host.add({ ...WEATHER, name: "hidden-too" });
    for (
      const hidden of [
        {},
        { private: true },
        { internal: true },
        { owner: { login: "Acme", visibility: "limited" } },
      ]
    ) {
      host.intercept((path) =>
        path.endsWith("/hidden-too") && Object.keys(hidden).length > 0
          ? repositoryAnswer(open, hidden)
          : null
      );
      const names = Object.keys(hidden).length === 0 ? ["nothing", "hidden"] : ["hidden-too"];
      for (const name of names) {
        for (const token of [undefined, GITEA_TOKEN]) {
          const url = `https://codeberg.org/acme/${name}`;
          assertEquals(
            (await failure(get(host, url, "server.py", token))).message,
            `Repository acme/${name} was not found on codeberg.org: it does not exist or is private`,
          );
        }
      }
    }
  }));

Deno.test("fetchRepository() says of an empty repository at Gitea that it is empty", () =>
  withHost(startGitea([{ owner: "acme", name: "empty" }]), async (host) => {
    for (const tail of ["", "/src/branch/main"]) {
      const error = await failure(get(host, `https://codeberg.org/acme/empty${tail}`));
      assertStringIncludes(error.message, "acme/empty has no commits");
    }
  }));

Deno.test("fetchRepository() waits as a Gitea asks, and names it", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    for (
      const [status, headers, problem, wait] of [
        [429, { "retry-after": "7" }, "codeberg.org is rate-limiting Berth", "7"],
        [429, {}, "codeberg.org is rate-limiting Berth", "60"],
        [500, {}, "codeberg.org returned status 500", "60"],
        [401, {}, "codeberg.org returned status 401", "60"],
      ] as const
    ) {
      for (const part of ["/weather", "/archive/"]) {
        host.intercept((path) =>
          path.endsWith(part) || (part === "/archive/" && path.includes(part))
            ? new Response("{}", { status, headers })
            : null
        );
        const error = await failure(get(host, URL_OF));
        assertEquals(error.code, "unavailable", problem);
        assertStringIncludes(error.message, problem);
        assertEquals(error.headers["Retry-After"], wait);
      }
    }
    host.intercept((path) => path.includes("/archive/") ? absent() : null);
    const gone = await failure(get(host, URL_OF));
    assertStringIncludes(gone.message, "was not found on codeberg.org");
  }));

Deno.test("fetchRepository() takes no answer of Gitea that has another shape, and no other commit", () =>
  withHost(startGitea([WEATHER]), async (host) => {
    const repository = {
      name: "weather",
      owner: { login: "acme" },
      private: false,
      empty: false,
      default_branch: "main",
    };
    for (
      const answer of [
        null,
        { message: "ok" },
        { ...repository, private: "no" },
        { ...repository, owner: { login: "../../admin" } },
        { ...repository, name: "a/b" },
        { ...repository, empty: undefined },
      ]
    ) {
      host.intercept((path) => path.endsWith("/weather") ? Response.json(answer) : null);
      const error = await failure(get(host, URL_OF));
      assertStringIncludes(error.message, "codeberg.org returned an unexpected API response");
    }
    const other = await archiveOf({ "server.py": "2" }, { top: "weather", commit: "b".repeat(40) });
    host.intercept((path) =>
      path.includes("/archive/") ? new Response(other as Uint8Array<ArrayBuffer>) : null
    );
    assertStringIncludes((await failure(get(host, URL_OF))).message, "of another commit");
    host.intercept((path) =>
      path.includes("/branches/") ? Response.json({ commit: { id: "a".repeat(64) } }) : null
    );
    assertStringIncludes((await failure(get(host, URL_OF))).message, "SHA-256 commit ids");
  }));

Deno.test("fetchRepository() sends a Gitea's token nowhere else", () =>
  withHost(startGitea([WEATHER], { archivesElsewhere: true }), async (host) => {
    await get(host, URL_OF, "server.py", GITEA_TOKEN);
    assertEquals(host.requests.archives.map(({ authorization }) => authorization), [null]);
    assert(
      host.requests.api.every(({ authorization }) => authorization === `token ${GITEA_TOKEN}`),
    );
  }));
