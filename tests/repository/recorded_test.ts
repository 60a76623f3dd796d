// Answers that the real service gave, as recorded by @octokit/fixtures, served from loopback.
import { assertEquals } from "@std/assert";
import { readArchive } from "../../src/repository/archive.ts";
import { createCodeHost } from "../../src/repository/hosts/of_address.ts";
import { githubAt } from "../helpers/code_host.ts";
import { downloadArchive } from "../../src/repository/download.ts";

interface Recorded {
  scope: string;
  path: string;
  status: number;
  response: unknown;
  responseIsBinary: boolean;
  headers: Record<string, string | number>;
}

async function recorded(scenario: string): Promise<Recorded[]> {
  const index = import.meta.resolve("@octokit/fixtures");
  const file = new URL(`scenarios/api.github.com/${scenario}/normalized-fixture.json`, index);
  return JSON.parse(await Deno.readTextFile(file));
}

/** Serves `answers` in place of the real hosts, whose addresses are replaced in redirects. */
function serve(answers: Recorded[]) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    const answer = answers.find(({ path }) => path === decodeURIComponent(pathname));
    if (answer === undefined) return Response.json({ message: "Not Found" }, { status: 404 });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (/^(connection|content-length|date)$/.test(name)) continue;
      headers.set(name, String(value).replace(/^https:\/\/codeload\.github\.com/, ""));
    }
    const body = answer.responseIsBinary
      ? Uint8Array.fromHex(String(answer.response))
      : answer.response === ""
      ? null
      : JSON.stringify(answer.response);
    return new Response(body, { status: answer.status, headers });
  });
  const host = createCodeHost({
    settings: githubAt(`http://127.0.0.1:${server.addr.port}`),
    fetch,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    now: () => new Date("2026-11-01T00:00:00Z"),
  });
  return { host, close: () => server.shutdown() };
}

const REPOSITORY = {
  owner: "octokit-fixture-org",
  name: "get-archive",
  defaultBranch: "main",
  isPrivate: false,
};

Deno.test("downloadArchive() reads the recorded archive behind its redirect", async () => {
  const { host, close } = serve(await recorded("get-archive"));
  try {
    const bytes = await downloadArchive(host, REPOSITORY, "main");
    const files = await readArchive(bytes, "");
    assertEquals([...files.keys()], ["README.md"]);
  } finally {
    await close();
  }
});

Deno.test("findRepository() reads the recorded repository", async () => {
  const { host, close } = serve(await recorded("get-repository"));
  try {
    const address = {
      host: "github.com",
      owner: "octokit-fixture-org",
      name: "hello-world",
      tail: "",
      refKind: null,
      normal: "",
    };
    assertEquals(await host.findRepository(address), {
      owner: "octokit-fixture-org",
      name: "hello-world",
      defaultBranch: "master",
      isPrivate: false,
    });
    const missing = { ...address, name: "gone" };
    assertEquals(await host.findRepository(missing), null);
    assertEquals(
      await host.findCommit({ ...REPOSITORY, name: "hello-world" }, { name: "nope", kind: null }),
      null,
    );
  } finally {
    await close();
  }
});
