import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fetchRepository } from "../../../src/repository/fetch.ts";
import { commitId } from "../../helpers/code_host_archive.ts";
import type { HostedRepository } from "../../helpers/code_host.ts";
import { depsFor, failure, get, withHost } from "../../helpers/code_hosts/fetching.ts";
import {
  ENTERPRISE_TOKEN,
  signInFirst,
  startGitHubEnterprise,
} from "../../helpers/code_hosts/github_enterprise.ts";

const URL_OF = "https://git.example.com/acme/weather";

const WEATHER: HostedRepository = {
  owner: "Acme",
  name: "Weather",
  files: { "server.py": "print(1)\n", "servers/rain/main.py": "rain" },
  tags: { "v1.0": { "server.py": "one" } },
  forkCommits: [{ "server.py": "evil" }],
};

Deno.test("fetchRepository() fetches from a GitHub Enterprise Server, below the path of its API", () =>
  withHost(startGitHubEnterprise([WEATHER]), async (host) => {
    const got = await get(host, "git@git.example.com:acme/weather.git");
    assertEquals([got.owner, got.name, got.ref], ["Acme", "Weather", null]);
    assertEquals(got.url, "https://git.example.com/Acme/Weather");
    assert(host.requests.api.every(({ path }) => path.startsWith("/api/v3/repos/")));
    const folder = await get(host, `${URL_OF}/tree/main/servers/rain`, "main.py");
    assertEquals([folder.ref, folder.folder], ["main", "servers/rain"]);
    assertEquals((await get(host, `${URL_OF}/tree/v1.0`)).ref, "v1.0");
    assertEquals((await get(host, `${URL_OF}/tree/${got.commit}`)).commit, got.commit);
  }));

Deno.test("fetchRepository() refuses a fork's commits and internal repositories there too", () =>
  withHost(startGitHubEnterprise([WEATHER]), async (host) => {
    const id = await commitId({ "server.py": "evil" }, "Acme/Weather:fork");
    const fork = await failure(get(host, `${URL_OF}/tree/${id}`));
    assertStringIncludes(fork.message, "is on no branch");
    host.intercept((path) =>
      path.endsWith("/weather")
        ? Response.json({
          name: "Weather",
          owner: { login: "Acme" },
          private: false,
          visibility: "internal",
          default_branch: "main",
        })
        : null
    );
    const internal = await failure(get(host, URL_OF, "server.py", ENTERPRISE_TOKEN));
    assertStringIncludes(internal.message, "was not found on git.example.com");
  }));

Deno.test("fetchRepository() says of a server in private mode that it wants a sign-in", () =>
  withHost(startGitHubEnterprise([WEATHER]), async (host) => {
    host.intercept(() => signInFirst());
    const error = await failure(get(host, URL_OF));
    assertEquals(error.code, "unavailable");
    assertStringIncludes(error.message, "git.example.com returned status 401");
  }));

Deno.test("fetchRepository() asks the host that the address names, each with its own token", () =>
  withHost(startGitHubEnterprise([WEATHER], { archivesElsewhere: true }), async (host) => {
    const other = await startGitHubEnterprise([{ ...WEATHER, owner: "acme" }]);
    try {
      const codeHosts = [
        { ...host.settings, token: ENTERPRISE_TOKEN },
        { ...other.settings, host: "other.example.com" },
      ];
      const deps = { ...depsFor(host), codeHosts };
      const fetched = (url: string) => fetchRepository(deps, { url, entrypoint: "server.py" });
      assertEquals((await fetched(URL_OF)).url, "https://git.example.com/Acme/Weather");
      assertEquals(other.requests.api, []);
      assert(
        host.requests.api.every(({ authorization }) =>
          authorization === `token ${ENTERPRISE_TOKEN}`
        ),
      );
      assertEquals(host.requests.archives.map(({ authorization }) => authorization), [null]);
      const seen = host.requests.api.length;
      const url = "https://other.example.com/acme/weather";
      assertEquals((await fetched(url)).url, "https://other.example.com/acme/Weather");
      assertEquals(host.requests.api.length, seen);
      assert(other.requests.api.every(({ authorization }) => authorization === null));
      const unnamed = await failure(fetched("https://third.example.com/acme/weather"));
      assertStringIncludes(unnamed.message, "must be one of git.example.com, other.example.com");
    } finally {
      await other.close();
    }
  }));
