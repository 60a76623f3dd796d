/** Faults of the services that Berth asks, and of the ways to them. */
import { assert, assertEquals } from "@std/assert";
import { registration } from "../helpers/cluster.ts";
import { until } from "../helpers/interpreter.ts";
import { startIndex } from "../helpers/package_index.ts";
import { S3_KEYS, type S3Server, s3Settings, startS3Server } from "../helpers/s3_server.ts";
import { type TcpWay, wayTo } from "../helpers/tcp_way.ts";
import { EXAMPLE_OWNER } from "../helpers/world.ts";
import { type Installation, PROGRAMS, RECOVERY_MS, startInstallation } from "./harness.ts";

const SERVER = `from mcp.server.fastmcp import FastMCP
import greeting

mcp = FastMCP("greeter")


@mcp.tool()
def greet() -> str:
    """Greets."""
    return greeting.hello()


mcp.run()
`;

/** Each has another version, so that nothing is known of its packages from others. */
const pyproject = (n: number) =>
  `[project]
name = "greeter"
version = "1.0.${n}"
dependencies = ["mcp", "greeting>=1"]
`;

interface Bench {
  installation: Installation;
  store: S3Server;
  ways: Record<"codeHost" | "advisories" | "keys" | "archives", TcpWay>;
  /** How the package index answers. */
  index: { fails: "not" | "down" | "half-way" };
}

let published = 0;

/** Publishes a server of its own that needs a package; the answer, and its name. */
async function publish({ installation }: Bench) {
  const name = `greeter-${++published}`;
  const files = { "server.py": SERVER, "pyproject.toml": pyproject(published) };
  await installation.world.codeHost.add({ owner: EXAMPLE_OWNER, name, files });
  return { name, answer: await installation.registry("POST", "/servers", registration(name)) };
}

/** Nobody can publish, and everybody else does not notice; then the same publication works. */
async function codeHost(bench: Bench, fail: (way: TcpWay) => void): Promise<void> {
  const { installation, ways } = bench;
  await installation.suffer(async (users) => {
    fail(ways.codeHost);
    const { name, answer } = await publish(bench);
    assert([502, 503].includes(answer.status), JSON.stringify(answer.body));
    await users.served();
    assertEquals(users.refused(), 0);
    ways.codeHost.mend();
    const again = await installation.registry("POST", "/servers", registration(name));
    assertEquals(again.status, 201, JSON.stringify(again.body));
  });
}

/** A publication says what it could not find out, and a rescan finds it out. */
async function incomplete(
  bench: Bench,
  [fail, mend]: [() => void, () => void],
  isWhole: (report: Record<string, never>) => boolean,
): Promise<void> {
  const { installation } = bench;
  await installation.suffer(async (users) => {
    fail();
    const { name, answer } = await publish(bench);
    assertEquals(answer.status, 201, JSON.stringify(answer.body));
    assert(!isWhole(answer.body.server.security_report), "It cannot know that");
    await users.served();
    assertEquals(users.refused(), 0);
    mend();
    const { status, body } = await installation.registry("POST", `/servers/${name}/rescan`);
    assertEquals(status, 202, JSON.stringify(body));
    await until(async () => {
      const { server } = (await installation.registry("GET", `/servers/${name}`)).body;
      return isWhole(server.security_report);
    }, RECOVERY_MS);
  });
}

function index(bench: Bench, fails: "down" | "half-way"): Promise<void> {
  return incomplete(
    bench,
    [() => bench.index.fails = fails, () => bench.index.fails = "not"],
    // deno-lint-ignore no-explicit-any
    ({ packages }: any) => packages.resolved.some(({ name }: any) => name === "greeting"),
  );
}

function advisories(bench: Bench, fail: (way: TcpWay) => void): Promise<void> {
  const { advisories: way } = bench.ways;
  return incomplete(
    bench,
    [() => fail(way), () => way.mend()],
    // deno-lint-ignore no-explicit-any
    ({ dependency_audit }: any) => dependency_audit.error === null,
  );
}

/** What the index answers while it fails: an error, or an answer that ends in its midst. */
function failing({ fails }: Bench["index"]): Response | undefined {
  if (fails === "not") return undefined;
  if (fails === "down") return new Response(null, { status: 503 });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"meta": {'));
      controller.error(new Error("cut"));
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/vnd.pypi.simple.v1+json" },
  });
}

/** Who has a token signed with a key that is known is not asked to wait for others. */
async function keySet({ installation, ways }: Bench): Promise<void> {
  const { world: { issuer }, registry, suffer } = installation;
  await suffer(async (users) => {
    ways.keys.cut();
    await users.served();
    assertEquals(users.refused(), 0);
    ways.keys.mend();
  });
  await issuer.rotate();
  await until(async () => (await registry("GET", "/auth/me")).status === 200, RECOVERY_MS);
}

/** What is kept there cannot be had, and never is something else given in its place. */
async function archives(
  { installation, ways: { archives }, store }: Bench,
  [fail, mend]: [() => void, () => void],
): Promise<void> {
  const { registry, berth, suffer } = installation;
  const load = async () => {
    const response = await fetch(`${berth().apiUrl}/servers/notes/archive`);
    return { status: response.status, bytes: (await response.bytes()).toHex() };
  };
  await until(() => store.objects.size > 0);
  await until(async () => (await registry("GET", "/admin/status")).status !== 503);
  const before = await load();
  assertEquals(before.status, 200);
  await suffer(async (users) => {
    fail();
    assertEquals((await load()).status, 503);
    await users.served();
    assertEquals(users.refused(), 0);
    mend();
    archives.mend();
    await until(async () => (await load()).status === 200, RECOVERY_MS);
    assertEquals(await load(), before);
  });
}

/** The bytes of every object are others. */
function lies({ store }: Bench): [() => void, () => void] {
  const kept = new Map(store.objects);
  return [
    () => kept.forEach((bytes, key) => store.objects.set(key, bytes.map((byte) => byte ^ 1))),
    () => kept.forEach((bytes, key) => store.objects.set(key, bytes)),
  ];
}

const FAULTS: Record<string, (bench: Bench) => Promise<void>> = {
  "the code host is away": (bench) => codeHost(bench, (way) => way.cut()),
  "answers of the code host are cut half-way": (bench) =>
    codeHost(bench, (way) => way.cutAfter(300)),
  "the package index is down": (bench) => index(bench, "down"),
  "answers of the package index are cut half-way": (bench) => index(bench, "half-way"),
  "the advisory service is away": (bench) => advisories(bench, (way) => way.cut()),
  "the advisory service cuts its answers half-way": (bench) =>
    advisories(bench, (way) => way.cutAfter(100)),
  "the set of keys is away": keySet,
  "the store of archives cannot be reached": (bench) =>
    archives(bench, [() => bench.ways.archives.cut(), () => {}]),
  "the store of archives is down": (bench) =>
    archives(bench, [() => bench.store.isDown = true, () => bench.store.isDown = false]),
  "the store of archives cuts its answers half-way": (bench) =>
    archives(bench, [() => bench.ways.archives.cutAfter(400), () => {}]),
  "the store of archives gives other bytes": (bench) => archives(bench, lies(bench)),
};

Deno.test({
  name: "what befalls other services is told to those whom it concerns, and passes by itself",
  ignore: PROGRAMS === null,
  async fn(t) {
    const index: Bench["index"] = { fails: "not" };
    const greeting = { "greeting.py": "def hello():\n    return 'hello'\n" };
    await using packages = await startIndex(
      [{ name: "greeting", version: "1.2", files: greeting }],
      () => failing(index),
    );
    const store = startS3Server();
    const { region } = s3Settings(store);
    const s3 = await wayTo(store.url);
    try {
      await using installation = await startInstallation({
        environment: {
          PACKAGE_INDEX_URL: packages.url,
          ARCHIVES_S3_URL: s3.url,
          ARCHIVES_S3_REGION: region,
          ARCHIVES_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
          ARCHIVES_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
        },
        ways: ["GITHUB_API_URL", "OSV_API_URL", "OIDC_JWKS_URL"],
      });
      const [codeHost, advisories, keys] = installation.ways as [TcpWay, TcpWay, TcpWay];
      const ways = { codeHost, advisories, keys, archives: s3.way };
      const bench: Bench = { installation, store, ways, index };
      for (const [name, fault] of Object.entries(FAULTS)) {
        await t.step(name, () => fault(bench));
      }
    } finally {
      await s3.way[Symbol.asyncDispose]();
      await store.close();
    }
  },
});
