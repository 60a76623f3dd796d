import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { sha256Of } from "../../src/bytes.ts";
import { fetchRepository, type RepositoryDeps } from "../../src/repository/fetch.ts";
import { LIMIT_RESET } from "../helpers/code_host_api.ts";
import { commitId } from "../helpers/code_host_archive.ts";
import {
  type CodeHostServer,
  githubAt,
  type HostedRepository,
  startCodeHost,
} from "../helpers/code_host.ts";

const SERVER = { "server.py": "print(1)\n", "README.md": "# Weather\n" };

const WEATHER: HostedRepository = {
  owner: "Acme",
  name: "Weather",
  files: { ...SERVER, "servers/rain/main.py": "rain" },
  branches: { "feature/x": { "server.py": "feature" } },
  tags: { "v1.0": { "server.py": "one", "sub/tool.py": "one" } },
  forkCommits: [{ "server.py": "evil" }],
};

function depsFor(host: { url: string }, token: string | null = null): RepositoryDeps {
  return {
    codeHosts: [githubAt(host.url, token)],
    fetch,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    now: () => new Date(),
  };
}

async function withHost(
  repositories: HostedRepository[],
  body: (host: CodeHostServer) => Promise<void>,
): Promise<void> {
  const host = await startCodeHost(repositories);
  try {
    await body(host);
  } finally {
    await host.close();
  }
}

function get(host: CodeHostServer, url: string, entrypoint = "server.py", token?: string) {
  return fetchRepository(depsFor(host, token ?? null), { url, entrypoint });
}

async function failure(promise: Promise<unknown>): Promise<AppError> {
  return await assertRejects(() => promise, AppError);
}

Deno.test("fetchRepository() gives the default branch with its digest", () =>
  withHost([WEATHER], async (host) => {
    const got = await get(host, "https://github.com/acme/weather.git");
    assertEquals([got.owner, got.name, got.ref, got.folder], ["Acme", "Weather", null, ""]);
    assertEquals(got.url, "https://github.com/Acme/Weather");
    assertEquals([...got.files.keys()], ["README.md", "server.py", "servers/rain/main.py"]);
    assertEquals(got.bytes, 23);
    assertEquals(got.sha256, await sha256Of(got.archive));
    assertEquals(got.commit.length, 40);
  }));

Deno.test("fetchRepository() takes the longest ref that exists, the rest as folder", () =>
  withHost([WEATHER], async (host) => {
    const at = (tail: string, entrypoint: string) =>
      get(host, `https://github.com/acme/weather/tree/${tail}`, entrypoint);
    const tag = await at("v1.0/sub", "tool.py");
    assertEquals([tag.ref, tag.folder], ["v1.0", "sub"]);
    const feature = await at("feature/x", "server.py");
    assertEquals([feature.ref, feature.folder], ["feature/x", ""]);
    const folder = await at("main/servers/rain", "main.py");
    assertEquals([folder.ref, folder.folder, folder.bytes], ["main", "servers/rain", 4]);
    const byCommit = await at(folder.commit, "server.py");
    assertEquals(byCommit.commit, folder.commit);
  }));

Deno.test("fetchRepository() serves an older commit of the default branch by its id", () =>
  withHost([WEATHER], async (host) => {
    const old = await get(host, "https://github.com/acme/weather");
    await host.push("acme/weather", "main", { "server.py": "new" });
    const again = await get(host, `https://github.com/acme/weather/tree/${old.commit.slice(0, 9)}`);
    assertEquals(again.commit, old.commit);
  }));

Deno.test("fetchRepository() refuses a commit that only a fork has", () =>
  withHost([WEATHER], async (host) => {
    // The helper derives ids from content, so the fork's commit can be computed.
    const id = await commitId({ "server.py": "evil" }, "Acme/Weather:fork");
    const error = await failure(get(host, `https://github.com/acme/weather/tree/${id}`));
    assertEquals(error.code, "repository_refused");
    assertStringIncludes(error.message, "is on no branch");
    for (const ref of ["pull/1/head", "refs/pull/1/head"]) {
      const pull = await failure(get(host, `https://github.com/acme/weather/tree/${ref}`));
      assertStringIncludes(pull.message, `was not found in Acme/Weather`, ref);
    }
    const seen = await fetch(`${host.url}/repos/acme/weather/commits/pull%2F1%2Fhead`);
    assertEquals(seen.status, 200, "the code host itself would answer");
    await seen.body?.cancel();
  }));

Deno.test("fetchRepository() tells missing and private apart for nobody", () =>
  withHost([{ owner: "acme", name: "secret", files: SERVER, private: true }], async (host) => {
    const missing = await failure(get(host, "https://github.com/acme/nothing"));
    const hidden = await failure(get(host, "https://github.com/acme/secret"));
    const readable = await failure(get(host, "https://github.com/acme/secret", "server.py", "t0"));
    for (const error of [missing, hidden, readable]) {
      assertEquals(error.code, "repository_refused");
      assertStringIncludes(error.message, "does not exist or is private");
    }
    assertEquals(hidden.message, readable.message);
    assertEquals(host.requests.archives.length, 0);
  }));

Deno.test("fetchRepository() says what of the address is missing", () =>
  withHost([WEATHER, { owner: "acme", name: "empty" }], async (host) => {
    for (
      const [url, entrypoint, problem] of [
        ["https://github.com/acme/weather", "main.py", 'The entrypoint "main.py"'],
        ["https://github.com/acme/weather", "servers", 'The entrypoint "servers"'],
        ["https://github.com/acme/weather/tree/nope", "server.py", 'Ref "nope"'],
        ["https://github.com/acme/weather/tree/main/nope", "server.py", 'no folder "nope"'],
        ["https://github.com/acme/weather/tree/main/servers", "server.py", 'the folder "servers"'],
        ["https://github.com/acme/empty", "server.py", "has no commit"],
      ] as const
    ) {
      const error = await failure(get(host, url, entrypoint));
      assertEquals(error.code, "repository_refused", url);
      assertStringIncludes(error.message, problem);
    }
  }));

Deno.test("fetchRepository() refuses an entrypoint that is a Git LFS pointer", () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n";
  return withHost([{ owner: "a", name: "b", files: { "server.py": pointer } }], async (host) => {
    const error = await failure(get(host, "https://github.com/a/b"));
    assertStringIncludes(error.message, "Git LFS pointer");
  });
});

Deno.test("fetchRepository() answers unavailable with a wait when the code host fails", () =>
  withHost([WEATHER], async (host) => {
    for (
      const [mode, problem, wait] of [
        ["down", "status 503", "60"],
        ["web_page", "unexpected API response", "60"],
        ["secondary_limited", "rate-limiting Berth", "42"],
        ["archive_error", "status 500", "60"],
        ["archive_web_page", "web page", "60"],
        ["archive_cut", "was interrupted", "60"],
      ] as const
    ) {
      host.fail(mode);
      const error = await failure(get(host, "https://github.com/acme/weather"));
      assertEquals(error.code, "unavailable", mode);
      assertStringIncludes(error.message, problem, mode);
      assertEquals(error.headers["Retry-After"], wait, mode);
    }
    host.fail("rate_limited");
    const deps = { ...depsFor(host), now: () => new Date((LIMIT_RESET - 90) * 1000) };
    const input = { url: "https://github.com/acme/weather", entrypoint: "server.py" };
    const limited = await failure(fetchRepository(deps, input));
    assertEquals(limited.headers["Retry-After"], "90");
    host.fail("archive_shortened");
    const short = await failure(get(host, "https://github.com/acme/weather"));
    assertEquals(short.code, "repository_refused");
  }));

Deno.test("fetchRepository() answers unavailable when nothing listens", async () => {
  const host = await startCodeHost();
  await host.close();
  const error = await failure(get(host, "https://github.com/acme/weather"));
  assertEquals(error.code, "unavailable");
});

Deno.test("fetchRepository() stops when the caller goes away", () =>
  withHost([WEATHER], async (host) => {
    host.fail("hang");
    const url = "https://github.com/acme/weather";
    const signal = AbortSignal.timeout(50);
    const error = await assertRejects(() =>
      fetchRepository(depsFor(host), { url, entrypoint: "server.py", signal })
    );
    assertEquals((error as Error).name, "TimeoutError");
  }));

Deno.test("fetchRepository() sends the token to the API only", () =>
  withHost([WEATHER], async (host) => {
    await get(host, "https://github.com/acme/weather", "server.py", "t0ken");
    assert(host.requests.api.every(({ authorization }) => authorization === "token t0ken"));
    assertEquals(host.requests.archives.map(({ authorization }) => authorization), [null]);
  }));
