import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type TestCli, testCli } from "../helpers/cli.ts";
import { enter, type Node, ORIGIN, signUp, startNode } from "../issuer/harness.ts";

const CREDENTIALS = ".local/share/berth/credentials.json";
const PROFILE = "/api/v1/auth/me";

interface Desk {
  node: Node;
  cli: TestCli;
  /** How often the token endpoint was asked for this kind of grant. */
  grants(type: string): number;
  /** Signs in, the user confirming in a browser. */
  login(...args: string[]): ReturnType<TestCli["run"]>;
  /** What answers in place of the node, when it is set. */
  override: ((url: string, init: RequestInit) => Response | undefined) | null;
}

/** Opens the page that the command shows, enters its code and allows. */
async function confirm(node: Node, shown: string, allow = true): Promise<void> {
  const [, address, code] = /Open (\S+)\nand enter (\S+)/.exec(shown)!;
  const browser = node.browser();
  const ask = await browser.load(address!);
  const confirmation = await browser.submit(ask, "/device", { user_code: code! });
  if (!allow) {
    const abort = confirmation.forms.find(({ fields }) => "abort" in fields)!;
    await browser.load(abort.action, { fields: abort.fields });
    return;
  }
  const signIn = await browser.submit(confirmation, "/device");
  const consent = await enter(browser, signIn, { email: "ada@example.com" });
  const done = await browser.submit(consent, "/consent");
  assertStringIncludes(done.text, "Device connected");
}

/** A user's command line at `node`, whose account is `ada@example.com`. */
async function withDesk(node: Node, body: (desk: Desk) => Promise<void>): Promise<void> {
  const grants: string[] = [];
  const desk = { node, override: null } as Omit<Desk, "cli" | "login"> as Desk;
  await using cli = await testCli((url, init) => {
    const answer = desk.override?.(url, init);
    if (answer !== undefined) return answer;
    if (url.endsWith("/oidc/token")) {
      grants.push((init.body as URLSearchParams).get("grant_type")!);
    }
    return node.send(url, init);
  });
  Object.assign(desk, {
    cli,
    grants: (type: string) => grants.filter((one) => one === type).length,
    async login(...args: string[]) {
      let confirmed = false;
      return await cli.run(["login", ...args], {
        async onSleep(_ms, { err }) {
          if (!confirmed) await confirm(node, err);
          confirmed = true;
        },
      });
    },
  });
  await body(desk);
}

const CASES: Record<string, (desk: Desk) => Promise<void>> = {};

CASES["berth login signs in by device flow, whoami shows who, logout ends it everywhere"] = async (
  desk,
) => {
  const { cli, node } = desk;
  const before = await cli.run(["whoami"]);
  assertEquals(before.code, 3);
  assertStringIncludes(before.err, "Hint: berth login");

  const login = await desk.login();
  assertEquals(login.code, 0, login.err);
  assertEquals(login.out, "");
  assertStringIncludes(login.err, `Signed in at ${ORIGIN} as ada`);
  const { mode } = await Deno.stat(`${cli.home}/${CREDENTIALS}`);
  assertEquals(mode! & 0o777, 0o600);
  const folder = await Deno.stat(`${cli.home}/.local/share/berth`);
  assertEquals(folder.mode! & 0o777, 0o700);
  const stored = (await cli.credentials()).registries[ORIGIN];
  assertEquals(stored.client_id, "berth-cli");
  assertEquals(stored.issuer, `${ORIGIN}/oidc`);
  assert(!login.err.includes(stored.access_token));

  assertEquals((await cli.run(["whoami"])).out, "ada\n");
  const whoami = await cli.run(["whoami", "--json"]);
  assertEquals(whoami.json.user.email, "ada@example.com");
  const pretty = await cli.run(["whoami"], { columns: 80, env: { NO_COLOR: "1" } });
  assertMatch(pretty.out, /^username +ada\nregistry +http/);

  const logout = await cli.run(["logout"]);
  assertEquals(logout.code, 0, logout.err);
  assertEquals(await cli.credentials(), { version: 1, registries: {} });
  const refresh = await node.send(`${ORIGIN}/oidc/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: "berth-cli",
      refresh_token: stored.refresh_token,
    }),
  });
  assertEquals([refresh.status, (await refresh.json()).error], [400, "invalid_grant"]);
  assertEquals((await cli.run(["whoami"])).code, 3);
  assertStringIncludes((await cli.run(["logout"])).err, "Not signed in");
};

CASES["berth login ends when the user refuses, and when nobody confirms in time"] = async (
  { cli, node, grants },
) => {
  let asked = false;
  const refused = await cli.run(["login"], {
    async onSleep(_ms, { err }) {
      if (!asked) await confirm(node, err, false);
      asked = true;
    },
  });
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.err, "refused in the browser");

  const waits: number[] = [];
  const late = await cli.run(["login"], { onSleep: (ms) => void waits.push(ms) });
  assertEquals(late.code, 1);
  assertStringIncludes(late.err, "The code was not confirmed in time");
  assert(waits.every((ms) => ms === 5000), String(waits));
  assert(grants("urn:ietf:params:oauth:grant-type:device_code") > 100);
};

CASES["berth login waits longer when it is told to, and outlasts an outage of the issuer"] = async (
  desk,
) => {
  const { cli, node } = desk;
  const waits: number[] = [];
  const login = await cli.run(["login", "--no-browser"], {
    async onSleep(ms, { err }) {
      waits.push(ms);
      const turn = waits.length;
      desk.override = (url) => {
        if (!url.endsWith("/oidc/token")) return undefined;
        if (turn === 1) return Response.json({ error: "slow_down" }, { status: 400 });
        if (turn === 2) throw new TypeError("connection refused");
        if (turn === 3) return new Response("<html>", { status: 502 });
        return undefined;
      };
      if (turn === 4) await confirm(node, err);
    },
  });
  assertEquals(login.code, 0, login.err);
  assertEquals(waits, [5000, 10_000, 20_000, 40_000]);
};

CASES["berth refreshes five minutes before the token ends, and once for many commands at once"] =
  async (desk) => {
    const { cli, grants } = desk;
    assertEquals((await desk.login()).code, 0);
    const first = (await cli.credentials()).registries[ORIGIN];
    cli.clock.heldAt = first.expires_at - 310_000;
    assertEquals((await cli.run(["whoami"])).code, 0);
    assertEquals(grants("refresh_token"), 0);

    cli.clock.heldAt = first.expires_at - 299_000;
    const runs = await Promise.all(Array.from({ length: 8 }, () => cli.run(["whoami"])));
    assertEquals(
      runs.map(({ code, out, err }) => [code, out, err]),
      runs.map(() => [0, "ada\n", ""]),
    );
    assertEquals(grants("refresh_token"), 1);
    const second = (await cli.credentials()).registries[ORIGIN];
    assert(second.access_token !== first.access_token);
    assert(second.refresh_token !== first.refresh_token);
    const { mode } = await Deno.stat(`${cli.home}/${CREDENTIALS}`);
    assertEquals(mode! & 0o777, 0o600);
    const files = await Array.fromAsync(Deno.readDir(`${cli.home}/.local/share/berth`));
    assertEquals(files.map(({ name }) => name).sort(), [
      "credentials.json",
      "credentials.json.lock",
    ]);
  };

CASES["berth goes on with its token while the issuer is away, and asks to sign in when that ends"] =
  async (desk) => {
    const { cli } = desk;
    assertEquals((await desk.login()).code, 0);
    const { expires_at } = (await cli.credentials()).registries[ORIGIN];
    desk.override = (url) => {
      if (url.includes("/oidc/")) throw new TypeError("connection refused");
      return undefined;
    };
    cli.clock.heldAt = expires_at - 60_000;
    assertEquals((await cli.run(["whoami"])).code, 0);
    cli.clock.heldAt = expires_at + 1000;
    const away = await cli.run(["whoami"]);
    assertEquals(away.code, 4, away.err);
    assertStringIncludes(away.err, "The identity provider");
    // The sign-in is still there for when it is back.
    desk.override = null;
    assertEquals((await cli.run(["whoami"])).code, 0);
  };

CASES["a refresh token that was revoked or used twice ends the sign-in with exit code 3"] = async (
  desk,
) => {
  const { cli, node } = desk;
  assertEquals((await desk.login()).code, 0);
  const { refresh_token, expires_at } = (await cli.credentials()).registries[ORIGIN];
  const revoked = await node.send(`${ORIGIN}/oidc/token/revocation`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ client_id: "berth-cli", token: refresh_token }),
  });
  assertEquals(revoked.status, 200, await revoked.text());
  cli.clock.heldAt = expires_at - 1000;
  const ended = await cli.run(["whoami", "--json"]);
  assertEquals(ended.code, 3);
  assertEquals(JSON.parse(ended.err).hint, "berth login");
  assertEquals(await cli.credentials(), { version: 1, registries: {} });
  // What everyone may read is still read.
  assertEquals((await desk.login()).code, 0);
  assertEquals((await cli.run(["whoami"])).code, 0);
};

CASES["a token that the registry refuses is replaced at once"] = async (desk) => {
  const { cli, grants } = desk;
  assertEquals((await desk.login()).code, 0);
  const { access_token } = (await cli.credentials()).registries[ORIGIN];
  desk.override = (url, init) => {
    const sent = new Headers(init.headers).get("authorization");
    if (!url.endsWith(PROFILE) || sent !== `Bearer ${access_token}`) return undefined;
    const error = { code: "INVALID_TOKEN", message: "Revoked", details: { reason: "revoked" } };
    return Response.json({ success: false, error }, { status: 401 });
  };
  assertEquals((await cli.run(["whoami"])).code, 0);
  assertEquals(grants("refresh_token"), 1);
};

CASES["berth login --token-stdin keeps a token for its hour; BERTH_TOKEN goes before it"] = async (
  desk,
) => {
  const { cli } = desk;
  assertEquals((await desk.login()).code, 0);
  const { access_token } = (await cli.credentials()).registries[ORIGIN];
  assertEquals((await cli.run(["logout"])).code, 0);

  const bad = await cli.run(["login", "--token-stdin"], { stdin: "nonsense\n" });
  assertEquals(bad.code, 3);
  assertEquals((await cli.run(["login", "--token-stdin"])).code, 2);
  const good = await cli.run(["login", "--token-stdin"], { stdin: `${access_token}\n` });
  assertEquals(good.code, 0, good.err);
  assertEquals((await cli.run(["whoami"])).out, "ada\n");
  assertEquals((await cli.run(["whoami"], { env: { BERTH_TOKEN: "nonsense" } })).code, 3);
  cli.clock.heldAt = Date.now() + 3_700_000;
  const late = await cli.run(["whoami"]);
  assertEquals(late.code, 3);
  assertStringIncludes(late.err, "Your sign-in has expired");
  const fromVariable = await cli.run(["whoami"], { env: { BERTH_TOKEN: access_token } });
  assertEquals(fromVariable.out, "ada\n");
};

CASES["sign-ins are kept by registry: flag before environment before configuration"] = async (
  desk,
) => {
  const { cli } = desk;
  assertEquals((await desk.login()).code, 0);
  const asked: string[] = [];
  desk.override = (url) => {
    asked.push(new URL(url).host);
    return url.startsWith(ORIGIN) ? undefined : Response.json({ user: {} }, { status: 401 });
  };
  await Deno.mkdir(`${cli.home}/.config/berth`, { recursive: true });
  await Deno.writeTextFile(
    `${cli.home}/.config/berth/config.json`,
    '{"registry": "https://file.example/"}',
  );
  const env = { BERTH_REGISTRY: "environment.example", BERTH_TOKEN: "t" };
  await cli.run(["whoami"], { env: { BERTH_TOKEN: "t" } });
  await cli.run(["whoami"], { env });
  await cli.run(["whoami", "--registry", "https://flag.example/api/v1"], { env });
  assertEquals(asked, ["file.example", "environment.example", "flag.example"]);
  assertEquals((await cli.run(["whoami", "-r", "https://flag.example"])).code, 3);
  assertEquals((await cli.run(["whoami", "-r", ORIGIN])).out, "ada\n");
  assertEquals((await cli.run(["whoami", "-r", "ftp://x"])).code, 2);
};

// One node for all of them: starting a database takes longer than they do.
Deno.test("berth signs in at the embedded issuer", async (t) => {
  const node = await startNode();
  try {
    await signUp(node);
    for (const [name, body] of Object.entries(CASES)) {
      await t.step(name, () => withDesk(node, body));
    }
  } finally {
    await node.close();
  }
});
