/** Sign-in through other providers, by the pages, with a browser that goes back and forth. */
import { now } from "../../../src/clock.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeJwt } from "jose";
import { UpstreamSettings } from "../../../src/provider_settings.ts";
import { upstreamExtension } from "../../../src/issuer/upstream/extension.ts";
import { type Browser, createBrowser, formsOf, type Page } from "../../helpers/browser.ts";
import { type CodeHostSignIn, startCodeHostSignIn } from "../../helpers/code_host_sign_in.ts";
import { openTestDatabase } from "../../helpers/database.ts";
import { type OpenIdProvider, startOpenIdProvider } from "../../helpers/openid_provider.ts";
import {
  begin,
  type Begun,
  CALLBACK,
  exchange,
  type Node,
  ORIGIN,
  PASSWORD,
  signUp,
  startNode,
  type Tokens,
} from "../harness.ts";

const ISSUER = `${ORIGIN}/oidc`;
const callback = (name: string) => `${ISSUER}/upstream/${name}/callback`;

interface Bench {
  node: Node;
  host: CodeHostSignIn;
  provider: OpenIdProvider;
  browser(): Browser;
}

async function withBench(body: (bench: Bench) => Promise<void>): Promise<void> {
  const database = await openTestDatabase();
  const host = startCodeHostSignIn();
  const provider = await startOpenIdProvider({
    clients: [{
      client_id: "berth",
      client_secret: "a-secret",
      redirect_uris: [callback("id.example")],
    }],
  });
  const settings = [
    {
      name: "github.com",
      issuer: "github",
      client_id: host.clientId,
      client_secret: host.clientSecret,
      url: host.url,
      api_url: host.apiUrl,
    },
    {
      name: "id.example",
      label: "Example ID",
      issuer: provider.issuer,
      client_id: "berth",
      client_secret: "a-secret",
      groups_claim: "groups",
      scopes: ["groups"],
    },
  ].map((one) => UpstreamSettings.parse(one));
  const node = await startNode({
    database,
    overrides: {
      extensions: upstreamExtension({
        sql: database.sql,
        fetch,
        now,
        log: { child: () => node.deps.log, ...silent },
      }, settings),
    },
  });
  async function send(url: URL, init: RequestInit): Promise<Response> {
    if (url.origin === ORIGIN) return await node.send(url.href, init);
    return await fetch(url, { ...init, redirect: "manual" });
  }
  try {
    await body({ node, host, provider, browser: () => createBrowser(send) });
  } finally {
    await node.close();
    await provider.close();
    await host.close();
    await database.close();
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

async function textOf(page: Page): Promise<{ url: URL; html: string }> {
  return { url: page.url, html: await page.response.text() };
}

/** Begins a sign-in and chooses `name`; returns the address that the browser is sent to. */
async function choose(browser: Browser, name: string): Promise<{ begun: Begun; target: URL }> {
  const begun = await begin();
  const page = await textOf(await browser.open(begun.url, {}, CALLBACK));
  const index = formsOf(page).findIndex(({ action }) => action.pathname.endsWith(`/${name}`));
  assert(index >= 0, page.html);
  const next = await browser.submit(page, {}, { index });
  const refresh = next.response.headers.get("refresh");
  await next.response.body?.cancel();
  assertEquals(next.response.status, 200);
  return { begun, target: new URL(/^0; url=(.+)$/.exec(refresh!)![1]!) };
}

async function signInThrough(
  bench: Bench,
  name: string,
  browser = bench.browser(),
): Promise<Tokens> {
  const { begun, target } = await choose(browser, name);
  const back = await browser.open(target, {}, CALLBACK);
  assert(back.url.href.startsWith(CALLBACK), `${back.url} ${await back.response.text()}`);
  return await exchange(bench.node, begun, back.url.href);
}

/** The address with code and state, before the browser goes there. */
async function answerOf(browser: Browser, target: URL, name: string): Promise<URL> {
  return (await browser.open(target, {}, callback(name))).url;
}

Deno.test("upstream: a new user signs in with the code host and with an OpenID provider", async (t) => {
  await withBench(async (bench) => {
    const { node, host } = bench;
    await t.step("the sign-in page offers both", async () => {
      const page = await textOf(await bench.browser().open((await begin()).url));
      assertStringIncludes(page.html, "Continue with GitHub");
      assertStringIncludes(page.html, "Continue with Example ID");
    });
    await t.step("the code host", async () => {
      const tokens = await signInThrough(bench, "github.com");
      const claims = decodeJwt(tokens.access_token);
      // The first account, however it came about, is offered administration.
      assertEquals(node.terminal.length, 1);
      assertStringIncludes(node.terminal[0]!, `${ISSUER}/admin?token=`);
      assertEquals(claims["email"], "octo@example.com");
      assertEquals(claims["email_verified"], true);
      assertEquals(claims["firebase"], {
        identities: { "github.com": ["583231"], email: ["octo@example.com"] },
        sign_in_provider: "github.com",
      });
      const me = await node.me(tokens.access_token);
      assertEquals((me.body["user"] as Record<string, unknown>)["sign_in_provider"], "github.com");
      assertEquals((me.body["user"] as Record<string, unknown>)["username"], "octo");
    });
    await t.step("the OpenID provider", async () => {
      const claims = decodeJwt((await signInThrough(bench, "id.example")).access_token);
      assertEquals(claims["firebase"], {
        identities: { "id.example": ["ada"], email: ["ada@example.com"] },
        sign_in_provider: "id.example",
      });
    });
    await t.step("the same person again is the same user", async () => {
      const first = decodeJwt((await signInThrough(bench, "github.com")).access_token).sub;
      host.user.emails = [];
      assertEquals(decodeJwt((await signInThrough(bench, "github.com")).access_token).sub, first);
    });
    await t.step("and the audit log knows", async () => {
      const rows = await node.database.sql<{ action: string; details: { provider: string } }[]>`
        select action, details from audit_log where action = 'account.sign_in'`;
      assertEquals(rows.filter(({ details }) => details.provider === "github.com").length, 3);
    });
    const written = JSON.stringify(node.lines);
    for (const secret of [host.clientSecret, "a-secret", "gho_", "code-"]) {
      assert(!written.includes(secret), `the log has ${secret}`);
    }
  });
});

Deno.test("upstream: an account with a verified address is joined, with a password or not", async () => {
  await withBench(async (bench) => {
    const email = await signUp(bench.node, "ada@example.com");
    const own = decodeJwt((await signInByPassword(bench, email)).access_token);
    const other = decodeJwt((await signInThrough(bench, "id.example")).access_token);
    assertEquals(other.sub, own.sub);
    bench.host.user.emails = [{ email: "ADA@example.com", primary: true, verified: true }];
    const third = decodeJwt((await signInThrough(bench, "github.com")).access_token);
    assertEquals(third.sub, own.sub);
    assertEquals((third["firebase"] as { identities: unknown }).identities, {
      email: ["ada@example.com"],
      "github.com": ["583231"],
      "id.example": ["ada"],
    });
  });
});

async function signInByPassword(bench: Bench, email: string): Promise<Tokens> {
  const browser = bench.browser();
  const begun = await begin();
  const page = await textOf(await browser.open(begun.url));
  const back = await browser.submit(page, { email, password: PASSWORD }, { stopAt: CALLBACK });
  return await exchange(bench.node, begun, back.url.href);
}

Deno.test("upstream: a user's groups are those of the last sign-in", async () => {
  await withBench(async (bench) => {
    const { node, host, provider } = bench;
    const { sql } = node.database;
    const email = await signUp(node, "ada@example.com");
    host.user.emails = [{ email, primary: true, verified: true }];
    const groups = async ({ access_token }: Tokens) => {
      const { sub } = decodeJwt(access_token);
      await node.me(access_token);
      const rows = await sql<{ groups: string[] }[]>`
        select groups from users where subject = ${sub!}`;
      return rows[0]!.groups;
    };
    await provider.setGroups(["staff", "ops"]);
    // The first sign-in, before any token made the user.
    assertEquals(await groups(await signInThrough(bench, "id.example")), ["staff", "ops"]);
    await provider.setGroups(["staff"]);
    assertEquals(await groups(await signInThrough(bench, "id.example")), ["staff"]);
    for (
      const another of [
        () => signInByPassword(bench, email),
        () => signInThrough(bench, "github.com"),
      ]
    ) {
      assertEquals(await groups(await signInThrough(bench, "id.example")), ["staff"]);
      assertEquals(await groups(await another()), []);
    }
    await provider.setGroups([]);
    assertEquals(await groups(await signInThrough(bench, "id.example")), []);
    const names = await sql<{ username: string }[]>`select username from users`;
    assertEquals(names.map(({ username }) => username), ["ada"]);
  });
});

Deno.test("upstream: what an attacker can send leads nowhere", async (t) => {
  await withBench(async (bench) => {
    let attacker = bench.browser();
    let victim = bench.browser();
    const step = (name: string, work: () => Promise<void>) =>
      t.step(name, async () => {
        [attacker, victim] = [bench.browser(), bench.browser()];
        await work();
      });

    async function refused(page: Page): Promise<void> {
      const text = await page.response.text();
      assertEquals(page.response.status, 400, `${page.url} ${text}`);
      assert(!page.url.href.startsWith(CALLBACK));
    }

    await step("the attacker's own answer, in another browser (forced sign-in)", async () => {
      const { target } = await choose(attacker, "github.com");
      const answer = await answerOf(attacker, target, "github.com");
      await choose(victim, "github.com");
      await refused(await victim.open(answer));
      await refused(await bench.browser().open(answer));
    });
    await step("an answer a second time", async () => {
      const { target } = await choose(attacker, "github.com");
      const answer = await answerOf(attacker, target, "github.com");
      const done = await attacker.open(answer, {}, CALLBACK);
      await done.response.body?.cancel();
      assert(done.url.href.startsWith(CALLBACK));
      await refused(await attacker.open(answer));
    });
    await step("another state, none, two", async () => {
      for (
        const change of [
          (answer: URL) => answer.searchParams.set("state", "x".repeat(43)),
          (answer: URL) => answer.searchParams.delete("state"),
          (answer: URL) => answer.searchParams.append("state", "x"),
        ]
      ) {
        const { target } = await choose(attacker, "github.com");
        const answer = await answerOf(attacker, target, "github.com");
        change(answer);
        await refused(await attacker.open(answer));
      }
    });
    await step("an answer of one provider at the address of the other (mix-up)", async () => {
      const { target } = await choose(attacker, "github.com");
      const answer = await answerOf(attacker, target, "github.com");
      const mixed = new URL(`${callback("id.example")}${answer.search}`);
      await refused(await attacker.open(mixed));
      const { target: other } = await choose(attacker, "id.example");
      const second = await answerOf(attacker, other, "id.example");
      second.searchParams.set("iss", "https://evil.example");
      await refused(await attacker.open(second));
    });
    await step("a code of another's sign-in (injection)", async () => {
      const victims = await choose(victim, "github.com");
      const stolen = await answerOf(victim, victims.target, "github.com");
      const { target } = await choose(attacker, "github.com");
      const answer = await answerOf(attacker, target, "github.com");
      answer.searchParams.set("code", stolen.searchParams.get("code")!);
      await refused(await attacker.open(answer));
    });
    await step("an identity token of another sign-in (nonce)", async () => {
      const first = await choose(attacker, "id.example");
      const wrong = new URL(first.target);
      wrong.searchParams.set("nonce", "another");
      const answer = await answerOf(attacker, wrong, "id.example");
      await refused(await attacker.open(answer));
    });
    await step("a ticket in another browser", async () => {
      const { target } = await choose(attacker, "github.com");
      const answer = await answerOf(attacker, target, "github.com");
      const response = await bench.node.send(answer.href, {
        headers: { cookie: attacker.cookies(answer) },
      });
      const ticket = new URL(response.headers.get("location")!, ORIGIN);
      assertStringIncludes(ticket.pathname, "/upstream/github.com/done");
      await response.body?.cancel();
      await refused(await victim.open(ticket));
    });
    await step("a form from elsewhere begins nothing", async () => {
      const page = await textOf(await victim.open((await begin()).url));
      const form = formsOf(page).find(({ action }) => action.pathname.endsWith("/github.com"))!;
      const forged = await victim.open(form.action, {
        method: "POST",
        body: new URLSearchParams(),
      });
      await forged.response.body?.cancel();
      assertEquals(forged.response.status, 403);
    });
    const [left] = await bench.node.database.sql<{ n: number }[]>`
      select count(*)::int as n from issuer_identities where provider = 'id.example'`;
    assertEquals(left!.n, 0);
  });
});

Deno.test("upstream: a refusal there and a provider that is down are said on a page", async () => {
  await withBench(async (bench) => {
    const browser = bench.browser();
    const { target } = await choose(browser, "github.com");
    const answer = await answerOf(browser, target, "github.com");
    answer.searchParams.delete("code");
    answer.searchParams.set("error", "access_denied");
    answer.searchParams.set("error_description", "<script>alert(1)</script>");
    const page = await browser.open(answer);
    assertEquals(page.response.status, 400);
    const html = await page.response.text();
    assertStringIncludes(html, "refused at GitHub");
    assert(!html.includes("<script"));

    await bench.provider.close();
    const begun = await begin();
    const signIn = await textOf(await browser.open(begun.url, {}, CALLBACK));
    const index = formsOf(signIn).findIndex(({ action }) =>
      action.pathname.endsWith("/id.example")
    );
    const down = await browser.submit(signIn, {}, { index });
    await down.response.body?.cancel();
    assertEquals(down.response.status, 503);
  });
});
